// SPDX-License-Identifier: Apache-2.0
// Stateful and trace work through the sampler: what a variant cannot see, and what is counted when it errs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "aisp/device/cpu/topology.h"
#include "aisp/harness/sampler.h"
#include "aisp/harness/scratch.h"
#include "example.h"

namespace aisp::harness {
namespace {

/// Adds a drawn constant (state) to every operand (input).
class Adder : public Session {
 public:
  Adder(std::string directory, bool peek) : directory_(std::move(directory)), peek_(peek) {}
  void load(const Call& call) override {
    constant_ = call.state<float>(0)[0];
    std::ofstream(directory_ + "/state") << constant_;
    if (peek_) constant_ += call.input<float>(0)[0];  // the operations do not exist yet
  }
  void apply(const Call& call, std::int64_t first, std::int64_t count) override {
    for (std::int64_t i = first; i < first + count; ++i)
      call.output<float>(0)[i] = call.input<float>(0)[i] + constant_;
  }

 private:
  std::string directory_;
  bool peek_;
  float constant_ = 0;
};

Workload stateful(bool peek, std::vector<std::string>* directories = nullptr) {
  Workload workload = example("test/stateful", {});
  workload.shape = Shape::stateful;
  workload.problem = [](const Params& p) {
    return Problem{.tensors = {state<float>("c", {1}, {uniform(-1, 1), uniform(2, 3)}),
                               input<float>("x", {p["n"]}, {uniform(-1, 1), uniform(2, 3)}),
                               output<float>("y", {p["n"]}, roundings(DType::f32, 1))},
                   .operations = p["n"]};
  };
  workload.reference = [](const ReferenceCall& call) {
    for (std::size_t i = 0; i < call.outputs[0].value.size(); ++i) {
      call.outputs[0].value[i] =
          double{call.input<float>(0)[static_cast<std::int64_t>(i)]} + double{call.state_of<float>(0)[0]};
    }
  };
  workload.variants.push_back({.name = "adder", .run = SessionFactory([=](const Setup& setup) {
                                                  if (directories != nullptr)
                                                    directories->push_back(setup.scratch_directory);
                                                  return std::make_unique<Adder>(setup.scratch_directory,
                                                                                 peek);
                                                })});
  return workload;
}

TEST(StatefulWork, StateIsLoadedOperationsAreCheckedAndFilesAreGoneAfterwards) {
  std::vector<std::string> directories;
  const Workload workload = stateful(false, &directories);
  Result<Scratch> scratch = Scratch::make();
  ASSERT_TRUE(scratch);
  CellSpec spec = cell_of(workload);
  spec.scratch = scratch->text();
  auto sampler = Sampler::open(workload, spec, [](const std::string&) {});
  ASSERT_TRUE(sampler);
  for (int i = 0; i < 4; ++i) (*sampler)->round(i);
  const Evidence e = (*sampler)->close().variants[0].evidence;
  EXPECT_EQ(e.answers.calls, 8u);
  EXPECT_EQ(e.answers.wrong, 0u) << e.answers.first_wrong;
  EXPECT_EQ(std::set<std::string>(directories.begin(), directories.end()).size(), directories.size())
      << "a directory for each sample";
  for (const std::string& directory : directories)
    EXPECT_FALSE(std::filesystem::exists(directory)) << directory;
}

TEST(StatefulWork, OperationsAreOutOfSightWhileTheStateIsLoaded) {
  const Workload workload = stateful(true);
  Result<Scratch> scratch = Scratch::make();
  ASSERT_TRUE(scratch);
  CellSpec spec = cell_of(workload);
  spec.scratch = scratch->text();
  EXPECT_DEATH(static_cast<void>(Sampler::open(workload, spec, [](const std::string&) {})),
               "input that is not declared");
}

TEST(Scratch, IsRemovedWithEverythingInIt) {
  std::string path;
  {
    Result<Scratch> scratch = Scratch::make();
    ASSERT_TRUE(scratch);
    path = scratch->text();
    std::filesystem::create_directories(path + "/a/b");
    std::ofstream(path + "/a/b/file") << "x";
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

/// Answers rows of its input; how, the test says.
Workload trace(const TraceFunction& serve) {
  Workload workload = example("test/trace", {});
  workload.shape = Shape::trace;
  workload.problem = [](const Params& p) {
    const auto at_once = drawn_by("at once", [](const DrawContext&, Rng&, const TensorView& view) {
      for (std::int64_t i = 0; i < view.size; ++i) view.set(i, 0);
    });
    return Problem{
        .tensors = {input<std::int64_t>("arrivals", {p["n"]}, {at_once, at_once}),
                    input<std::int32_t>("request", {p["n"]}, {integers(0, 99), integers(100, 999)}),
                    output<std::int32_t>("answer", {p["n"]}, exact())}};
  };
  workload.reference = [](const ReferenceCall& call) {
    for (std::size_t i = 0; i < call.outputs[0].value.size(); ++i) {
      call.outputs[0].value[i] = call.input<std::int32_t>(1)[static_cast<std::int64_t>(i)];
    }
  };
  workload.variants.push_back({.name = "server", .run = serve});
  return workload;
}

Evidence served(const TraceFunction& serve) {
  const Workload workload = trace(serve);
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  if (!sampler) throw std::runtime_error(sampler.error().message);
  const RoundReport report = (*sampler)->round(0);
  EXPECT_EQ(report.slots.size(), 2u);
  return (*sampler)->close().variants[0].evidence;
}

void answer(TraceCall& call, std::int64_t id) {
  const std::int32_t row = call.input<std::int32_t>(1)[id];
  call.answer<std::int32_t>(id, std::span(&row, 1));
}

TEST(TraceWork, EveryAnswerOnceIsRight) {
  const Evidence e = served([](TraceCall& call) {
    while (call.open()) {
      while (auto request = call.try_next()) answer(call, request->id);
    }
  });
  EXPECT_EQ(e.answers.unanswered + e.answers.answered_twice + e.answers.wrong, 0u) << e.answers.first_wrong;
}

// As many weights as requests, and the answer to a request needs the weight of the next one: their number
// says nothing about whose they are.
TEST(TraceWork, SharedInputsAreReadableWhateverTheirSize) {
  Workload workload = trace([](TraceCall& call) {
    const auto weights = call.input<std::int32_t>(2);
    while (auto request = call.try_next()) {
      const std::int32_t row =
          call.input<std::int32_t>(1)[request->id] + weights[(request->id + 1) % weights.size];
      call.answer<std::int32_t>(request->id, std::span(&row, 1));
    }
  });
  workload.problem = [requests = workload.problem](const Params& p) {
    Problem problem = requests(p);
    problem.tensors.push_back(
        shared_input<std::int32_t>("weights", {p["n"]}, {integers(1, 99), integers(100, 999)}));
    return problem;
  };
  workload.reference = [](const ReferenceCall& call) {
    const auto request = call.input<std::int32_t>(1), weights = call.input<std::int32_t>(2);
    for (std::int64_t i = 0; i < request.size; ++i)
      call.outputs[0].value[static_cast<std::size_t>(i)] = request[i] + weights[(i + 1) % weights.size];
  };
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler);
  (*sampler)->round(0);
  const Evidence e = (*sampler)->close().variants[0].evidence;
  EXPECT_EQ(e.answers.unanswered + e.answers.wrong, 0u) << e.answers.first_wrong;
}

TEST(TraceWork, AnswersWithinTheObjectiveAreAMetric) {
  for (const double objective_ns : {0.0, 1e-3, 3600e9}) {
    Workload workload = trace([](TraceCall& call) {
      while (call.open()) {
        while (auto request = call.try_next()) answer(call, request->id);
      }
    });
    workload.latency_objective_ns = objective_ns;
    auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
    ASSERT_TRUE(sampler);
    (*sampler)->round(0);
    const auto metrics = (*sampler)->close().variants[0].metrics;
    if (objective_ns == 0) {
      EXPECT_TRUE(metrics.empty()) << "no objective";
      continue;
    }
    ASSERT_EQ(metrics.size(), 1u);
    EXPECT_EQ(metrics[0].first, "goodput");
    EXPECT_DOUBLE_EQ(metrics[0].second, objective_ns > 1 ? 1 : 0);
  }
}

TEST(TraceWork, DroppedAndRepeatedRequestsAreCounted) {
  const Evidence e = served([](TraceCall& call) {
    while (call.open()) {
      while (auto request = call.try_next()) {
        if (request->id == 3) continue;
        answer(call, request->id);
        if (request->id == 5) answer(call, request->id);
      }
    }
  });
  EXPECT_EQ(e.answers.unanswered, 2u) << "once in each of the two samples";
  EXPECT_EQ(e.answers.answered_twice, 2u);
  EXPECT_EQ(e.answers.wrong, 2u) << "the row that was not written";
}

TEST(SteadyMode, RotatesThroughMoreThanTheLastLevelCacheHolds) {
  Workload workload = example("test/steady", {{"honest", honest}});
  workload.axes = {{"n", {std::int64_t{1} << 20}}};
  CellSpec spec = cell_of(workload);
  spec.cache = CacheMode::steady;
  auto sampler = Sampler::open(workload, spec, [](const std::string&) {});
  ASSERT_TRUE(sampler);
  const Opened& opened = (*sampler)->opened();
  EXPECT_GE(opened.calls * opened.tensor_bytes, 2.0 * device::last_level_cache_bytes());
}

}  // namespace
}  // namespace aisp::harness

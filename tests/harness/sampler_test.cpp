// SPDX-License-Identifier: Apache-2.0
// The worker's half, in this process: what a variant gets to see, and what is recorded about what it did.
#include "aisp/harness/sampler.h"

#include <gtest/gtest.h>

#include <unistd.h>
#include <xmmintrin.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include "aisp/device/clock.h"
#include "aisp/harness/seed.h"
#include "example.h"

namespace aisp::harness {
namespace {

void spin(double ns) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + ns; clock.now_ns() < end;) {
  }
}

/// Opens the workload, runs rounds, and returns what is known about its last variant.
Evidence sampled(const Workload& workload, int rounds, CellSpec spec = {}) {
  if (spec.workload.empty()) spec = cell_of(workload);
  auto sampler = Sampler::open(workload, spec, [](const std::string&) {});
  if (!sampler) throw std::runtime_error(sampler.error().message);
  for (int i = 0; i < rounds; ++i) (*sampler)->round(i);
  return (*sampler)->close().variants.back().evidence;
}

CallFunction after_spin(double ns, CallFunction rest) {
  return [ns, rest = std::move(rest)](const Call& call) {
    spin(ns);
    rest(call);
  };
}
const CallFunction slow_honest = after_spin(60e3, honest);

TEST(Sampler, AnHonestVariantLeavesFaultlessEvidence) {
  const Evidence e = sampled(example("test/honest", {{"honest", slow_honest}}), 6);
  EXPECT_EQ(e.answers.calls, 12u) << "twice a round: the baseline is measured against itself";
  EXPECT_EQ(e.answers.checked, e.answers.calls);
  EXPECT_EQ(e.answers.wrong + e.answers.out_of_bounds + e.answers.inputs_changed, 0u);
  EXPECT_EQ(e.answers.families, 2);
  EXPECT_EQ(e.answers.distinct_inputs, 6u);
  EXPECT_EQ(e.process.rounding_mode_changed, false);
  EXPECT_GE(e.timing.shortest_window_ns, 60e3);
}

TEST(Sampler, NoTwoRoundsHaveTheSameInputs) {
  std::multiset<float> first;
  sampled(example("test/inputs", {{"spy", after_spin(60e3,
                                                     [&](const Call& call) {
                                                       first.insert(call.input<float>(0)[0]);
                                                       honest(call);
                                                     })}}),
          8);
  // Each round shows its inputs twice (A/A); warm-up rounds have inputs of their own.
  EXPECT_GE(std::set<float>(first.begin(), first.end()).size(), 8u + 1u);
}

TEST(Sampler, NothingIsCalledUntimedWhileTheRoundsInputsAreThere) {
  const float* timed_inputs = nullptr;  // where the first warm-up call found them: the round's lie there too
  int calls_on_them = 0, other_calls = 0, seen_elsewhere = 0;
  const Workload workload = example("test/calls", {{"spy", after_spin(600e3, [&](const Call& call) {
                                                      const float* mine = call.input<float>(0).data;
                                                      if (timed_inputs == nullptr) timed_inputs = mine;
                                                      ++(mine == timed_inputs ? calls_on_them : other_calls);
                                                      if (mine != timed_inputs && *timed_inputs != 0)
                                                        ++seen_elsewhere;
                                                      honest(call);
                                                    })}});
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler) << sampler.error().message;
  ASSERT_EQ((*sampler)->opened().calls, 1);
  for (int round = 0; round < 3; ++round) {
    const int before = calls_on_them;
    int timed = 0;
    for (const SlotReport& slot : (*sampler)->round(round).slots) timed += slot.calls;
    EXPECT_EQ(calls_on_them - before, timed) << "an untimed call could find the answers";
  }
  EXPECT_GT(other_calls, 0) << "a short window starts awake";
  EXPECT_EQ(seen_elsewhere, 0) << "the round's inputs could be read while nobody timed";
}

// It waits for the inputs while nobody looks, and is gone when threads are counted after the timed call.
TEST(Sampler, AThreadLeftByAnUntimedCallIsCounted) {
  const float* timed_inputs = nullptr;
  std::thread lurker;
  std::atomic<bool> over = false;
  const auto lurks = [&](const Call& call) {
    const float* mine = call.input<float>(0).data;
    if (timed_inputs == nullptr) timed_inputs = mine;
    if (mine != timed_inputs && !lurker.joinable()) {
      over = false;
      lurker = std::thread([&] {
        while (!over) usleep(100);
      });
    } else if (mine == timed_inputs && lurker.joinable()) {
      over = true;
      lurker.join();
    }
    honest(call);
  };
  const Evidence e = sampled(example("test/lurker", {{"lurker", after_spin(60e3, lurks)}}), 3);
  over = true;
  if (lurker.joinable()) lurker.join();
  EXPECT_GT(*e.process.threads_after, *e.process.threads_before);
}

TEST(Sampler, AWorkloadThatDrawsTheSameInputsAgainShows) {
  Workload workload = example("test/constant", {{"honest", slow_honest}});
  workload.problem = [](const Params& p) {
    const auto ones = drawn_by("ones", [](const DrawContext&, Rng&, const TensorView& view) {
      for (std::int64_t i = 0; i < view.size; ++i) view.set(i, 1);
    });
    return Problem{
        .tensors = {input<float>("x", {p["n"]}, {ones, ones}), output<float>("y", {p["n"]}, exact())}};
  };
  // None, where a slow clock makes windows of two calls: the second has the first one's inputs.
  EXPECT_LE(sampled(workload, 6).answers.distinct_inputs, 1u);
}

TEST(Sampler, BatchedCallsHaveInputsOfTheirOwn) {
  std::set<const float*> places;
  std::set<float> firsts;
  const Workload workload = example("test/batch", {{"spy", [&](const Call& call) {
                                                      places.insert(call.input<float>(0).data);
                                                      firsts.insert(call.input<float>(0)[0]);
                                                      honest(call);
                                                    }}});
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler);
  const int calls = (*sampler)->opened().calls;
  ASSERT_GT(calls, 1) << "a call of nanoseconds is batched";
  places.clear();
  firsts.clear();
  const RoundReport report = (*sampler)->round(0);
  EXPECT_GE(places.size(), static_cast<std::size_t>(calls));
  EXPECT_GT(firsts.size(), places.size() * 9 / 10);
  for (const SlotReport& slot : report.slots) EXPECT_EQ(slot.calls, calls);
}

int calls_of(const Workload& workload) {
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  if (!sampler) throw std::runtime_error(sampler.error().message);
  return (*sampler)->opened().calls;
}

// A window is sized by the fastest variant. One that is fast because it does not do the work would make the
// others' windows thousands of calls long: more memory, other caches, fewer rounds.
TEST(Sampler, AVariantThatAnswersAtOnceAndWronglyDoesNotSizeTheOthersWindows) {
  const int alone = calls_of(example("test/alone", {{"honest", slow_honest}}));
  const auto beside = [](CallFunction liar) {
    return calls_of(example("test/liar", {{"honest", slow_honest}, {"liar", std::move(liar)}}));
  };
  EXPECT_EQ(beside([](const Call&) {}), alone) << "writes nothing";
  EXPECT_EQ(beside([calls = 0](const Call& call) mutable {
              if (++calls % 2 == 1) slow_honest(call);
            }),
            alone)
      << "lies in every second call: the fastest one is a lie";
  EXPECT_EQ(beside([](const Call& call) {
              const auto x = call.input<float>(0);
              const auto y = call.output<float>(0);
              for (std::int64_t i = 0; i < x.size; ++i) const_cast<float&>(x[i]) = y[i] = 0;
            }),
            alone)
      << "changes the question until the answer fits";
  EXPECT_GT(calls_of(example("test/both", {{"honest", slow_honest}, {"quick", honest}})), alone)
      << "a right answer counts, however quick";
}

TEST(Sampler, AWrongAnswerThatWasWaivedSizesWindowsToo) {
  const Workload workload = example("test/waived", {{"honest", slow_honest}, {"rough", [](const Call&) {}}});
  CellSpec spec = cell_of(workload);
  spec.wrong_counts = true;
  auto sampler = Sampler::open(workload, spec, [](const std::string&) {});
  ASSERT_TRUE(sampler) << sampler.error().message;
  EXPECT_GT((*sampler)->opened().calls, 100) << "or the clock would reject what the user accepts";
}

TEST(Sampler, WhereAllAnswerWronglyTheirWindowsAreStillLongEnough) {
  EXPECT_GT(calls_of(example("test/liars", {{"liar", [](const Call&) {}}})), 1);
}

// The reference may start a pool of threads the first time it runs, and that may be in a variant's warm-up.
TEST(Sampler, ThreadsOfTheReferenceAreNotTheVariants) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> pool;
  Workload workload = example("test/pool", {{"honest", honest}});
  workload.reference = [&](const ReferenceCall& call) {
    if (pool.empty()) pool.emplace_back([&] { stop.wait(false); });
    example_reference(call);
  };
  const Evidence e = sampled(workload, 2);
  stop = true;
  stop.notify_all();
  for (std::thread& thread : pool) thread.join();
  EXPECT_EQ(*e.process.threads_after, *e.process.threads_before);
}

TEST(Sampler, AVariantThatAnswersOnlyItsFirstCallsIsFoundOut) {
  int calls = 0;
  const Evidence e = sampled(example("test/lazy", {{"lazy", after_spin(60e3,
                                                                       [&](const Call& call) {
                                                                         if (++calls <= 10) honest(call);
                                                                       })}}),
                             12);
  EXPECT_GT(e.answers.wrong, 0u) << "every timed answer is checked";
  EXPECT_EQ(e.answers.unwritten, e.answers.wrong);
}

TEST(Sampler, ARememberedAnswerIsStale) {
  std::vector<float> kept;
  const Evidence e =
      sampled(example("test/stale", {{"replay", after_spin(60e3,
                                                           [&](const Call& call) {
                                                             const auto y = call.output<float>(0);
                                                             if (kept.empty()) {
                                                               honest(call);
                                                               kept.assign(y.begin(), y.end());
                                                             }
                                                             std::copy(kept.begin(), kept.end(), y.begin());
                                                           })}}),
              6);
  EXPECT_EQ(e.answers.wrong, e.answers.calls);
  // Each set's first answer has none before it.
  EXPECT_GE(e.answers.stale, e.answers.calls * 3 / 4);
}

TEST(Sampler, AnInputThatWasChangedIsDrawnAgainForTheNextVariant) {
  const Workload workload =
      example("test/mutator", {{"mutator", after_spin(60e3,
                                                      [](const Call& call) {
                                                        honest(call);
                                                        const_cast<float&>(call.input<float>(0)[0]) = 99;
                                                      })},
                               {"honest", slow_honest}});
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler);
  for (int i = 0; i < 6; ++i) (*sampler)->round(i);
  const Closing closing = (*sampler)->close();
  EXPECT_EQ(closing.variants[0].evidence.answers.inputs_changed, 12u);
  EXPECT_EQ(closing.variants[1].evidence.answers.wrong, 0u) << "the neighbour does not pay for it";
  EXPECT_EQ(closing.variants[1].evidence.answers.inputs_changed, 0u);
}

TEST(Sampler, AThreadThatWorksOnAfterTheReturnIsSeen) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> left;
  const Evidence e = sampled(example("test/after", {{"detached", after_spin(60e3,
                                                                            [&](const Call& call) {
                                                                              honest(call);
                                                                              if (left.empty())
                                                                                left.emplace_back([&] {
                                                                                  while (!stop) {
                                                                                  }
                                                                                });
                                                                            })}}),
                             1);
  stop = true;
  for (std::thread& thread : left) thread.join();
  EXPECT_GT(e.process.cpu_after_return_ns.value_or(0), 50e3);
}

TEST(Sampler, ThreadsThatStayAreCounted) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> left;
  int calls = 0;
  const auto leaves_one = [&](const Call& call) {
    honest(call);
    if (++calls == 100)
      left.emplace_back([&] { stop.wait(false); });  // long after the warm-up, which has a census too
  };
  const Evidence e = sampled(
      example("test/stay", {{"honest", slow_honest}, {"sleeper", after_spin(60e3, leaves_one)}}), 150);
  stop = true;
  stop.notify_all();
  for (std::thread& thread : left) thread.join();
  ASSERT_TRUE(e.process.threads_before && e.process.threads_after);
  EXPECT_GT(*e.process.threads_after, *e.process.threads_before);
}

TEST(Sampler, AChangedRoundingModeIsRecordedAndPutBack) {
  const unsigned before = _mm_getcsr();
  const Evidence e =
      sampled(example("test/mode", {{"flush to zero", after_spin(60e3,
                                                                 [](const Call& call) {
                                                                   honest(call);
                                                                   _mm_setcsr(_mm_getcsr() | 0x8040);
                                                                 })}}),
              2);
  EXPECT_EQ(e.process.rounding_mode_changed, true);
  EXPECT_EQ(_mm_getcsr() & 0xffc0u, before & 0xffc0u);
}

TEST(Sampler, TheSeedRevealedAtTheEndIsTheOneCommittedTo) {
  const Workload workload = example("test/seed", {{"honest", slow_honest}});
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler);
  const std::string commitment = (*sampler)->opened().seed_commitment;
  (*sampler)->round(0);
  EXPECT_EQ(Seed::from_hex((*sampler)->close().seed).commitment(), commitment);
}

TEST(Sampler, AVariantWithoutItsLibraryIsListedWithTheReason) {
  Workload workload = example("test/skip", {{"honest", slow_honest}, {"library", slow_honest}});
  workload.variants[1].unavailable = [](const Params&) {
    return std::optional<std::string>("libx is missing");
  };
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler);
  EXPECT_EQ((*sampler)->opened().variants[0].skipped, "");
  EXPECT_EQ((*sampler)->opened().variants[1].skipped, "libx is missing");
  EXPECT_EQ((*sampler)->round(0).slots.size(), 2u);
}

TEST(Sampler, AProblemWithOneFamilyIsRefused) {
  Workload workload = example("test/family", {{"honest", slow_honest}});
  workload.problem = [](const Params& p) {
    return Problem{
        .tensors = {input<float>("x", {p["n"]}, {uniform(-1, 1)}), output<float>("y", {p["n"]}, exact())}};
  };
  EXPECT_FALSE(Sampler::open(workload, cell_of(workload), [](const std::string&) {}));
}

}  // namespace
}  // namespace aisp::harness

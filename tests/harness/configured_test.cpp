// SPDX-License-Identifier: Apache-2.0
// Configurations from the plan to the worker: who is measured, with which values, and on whose inputs.
#include "aisp/harness/configured.h"

#include <gtest/gtest.h>

#include "aisp/core/registry.h"
#include "aisp/device/clock.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/coordinator.h"
#include "aisp/harness/seed.h"
#include "aisp/harness/tensor_set.h"
#include "example.h"

namespace aisp::harness {
namespace {

using Names = std::vector<std::string>;

/// So long that a window holds one call.
void steady(const Call& call) {
  const auto& clock = device::Clock::instance();
  for (const double end = clock.now_ns() + 200e3; clock.now_ns() < end;) {
  }
  honest(call);
}

/// Says which value it ran with.
void told(const Call& call) {
  steady(call);
  call.metric("value", static_cast<double>(call.params()["value"]));
  call.metric("first", static_cast<double>(call.input<float>(0)[0]));
  call.metric("planned", static_cast<double>(call.plan<std::int64_t>()));
}

const Registration open{[] {
  Workload workload = example("configured/told", {{"base", steady}, {"told", CallFunction(told)}});
  workload.variants[1].prepare = [](const Setup& setup) {
    return std::make_shared<std::int64_t>(setup.params["value"]);
  };
  workload.variants[1].tunables = {{.name = "value", .values = {1, 2, 3}, .fallback = 2}};
  workload.variants[1].unavailable = [](const Params& p) -> std::optional<std::string> {
    if (p["value"] != 3) return std::nullopt;
    return "three is too many";
  };
  return workload;
}()};

RunConfig config_with(Names variants, std::vector<std::pair<std::string, std::string>> tuned = {}) {
  RunConfig config;
  config.targets = {"configured/told"};
  config.variants = std::move(variants);
  config.tuned = std::move(tuned);
  config.parameters = {"n=256,512"};
  config.looks = {12};
  config.cell_seconds = 5;
  config.pin = false;
  return config;
}

std::vector<PlannedCell> planned(const RunConfig& config) {
  const auto cells = plan_cells({describe(*Registry::instance().find("configured/told"))}, config, 2);
  EXPECT_TRUE(cells);
  return cells ? *cells : std::vector<PlannedCell>{};
}

Names ladder_of(const PlannedCell& cell) {
  Names names;
  for (const VariantInfo& variant : cell.workload.variants) names.push_back(variant.name);
  return names;
}

TEST(Configured, NoneUnlessAskedFor) {
  for (const PlannedCell& cell : planned(config_with({})))
    EXPECT_EQ(ladder_of(cell), (Names{"base", "told"}));
}

TEST(Configured, NamedOnesAreMeasuredAtEverySizeTunedOnesAtTheirs) {
  const auto named = planned(config_with({"base", "told@value=1"}));
  ASSERT_EQ(named.size(), 2u);
  for (const PlannedCell& cell : named) EXPECT_EQ(ladder_of(cell), (Names{"base", "told", "told@value=1"}));
  const auto tuned = planned(config_with({}, {{"configured/told n=512", "told@value=1"}}));
  EXPECT_EQ(ladder_of(tuned[0]), (Names{"base", "told"}));
  EXPECT_EQ(ladder_of(tuned[1]), (Names{"base", "told", "told@value=1"}));
  const CellSpec spec = spec_of(tuned[1], config_with({"base"}), "");
  EXPECT_EQ(spec.variants, (Names{"base", "told@value=1"})) << "a choice of variants does not hide it";
}

TEST(Configured, AValueThatIsNotDeclaredIsRefusedBeforeAnythingIsMeasured) {
  const WorkloadInfo workload = describe(*Registry::instance().find("configured/told"));
  const auto value = plan_cells({workload}, config_with({"told@value=9"}), 2);
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().hint.find("value=1,2,3"), std::string::npos) << value.error().hint;
  const auto variant = plan_cells({workload}, config_with({"tol@value=1"}), 2);
  ASSERT_FALSE(variant);
  EXPECT_NE(variant.error().message.find("'tol'"), std::string::npos) << variant.error().message;
}

Result<CellResult> measured(const RunConfig& config, bool to_tune) {
  const PlannedCell cell = planned(config).front();
  return measure_cell(
      {.cell = cell, .config = config, .ceilings = {}, .config_hash = "hash", .to_tune = to_tune});
}

double metric(const CellResult& cell, const std::string& variant, const std::string& name) {
  for (const auto& [metric, value] : cell.find(variant)->metrics)
    if (metric == name) return value;
  return -1;
}

TEST(Configured, EachRunsWithItsOwnValuesInTheSameRounds) {
  const auto cell = measured(config_with({"base", "told", "told@value=1", "told@value=3"}), false);
  ASSERT_TRUE(cell) << cell.error().message;
  for (const char* name : {"value", "planned"}) {
    EXPECT_EQ(metric(*cell, "told", name), 2);
    EXPECT_EQ(metric(*cell, "told@value=1", name), 1);
  }
  EXPECT_EQ(cell->find("told")->samples.size(), cell->find("told@value=1")->samples.size());
  EXPECT_TRUE(cell->find("told@value=1")->memory.peak_bytes);
  EXPECT_EQ(cell->find("told@value=3")->skipped, "three is too many");
  EXPECT_EQ(cell->find("told@value=3")->samples.size(), 0u);
}

TEST(Configured, ACellToTuneIsVerifiedButNotPublished) {
  const auto cell = measured(config_with({"base", "told@value=1"}), true);
  ASSERT_TRUE(cell) << cell.error().message;
  const VariantResult& variant = *cell->find("told@value=1");
  EXPECT_GT(variant.evidence.answers.checked, 0u);
  EXPECT_EQ(variant.evidence.answers.wrong, 0u);
  EXPECT_FALSE(variant.memory.peak_bytes) << "memory is for what is published";
}

/// The first number of the first round's inputs, drawn again from a revealed seed.
double first_number(const CellResult& cell, const std::string& domain) {
  const Params size{{"n", 256}};
  const Problem problem = example_problem(size);
  TensorSet set(problem, size, false);
  const Seed seed = Seed::from_hex(cell.attempts.front().seed, domain);
  set.draw(seed, cell.rounds.front().round, 0, cell.rounds.front().family);
  return static_cast<double>(set.inputs()[0].as<const float>()[0]);
}

TEST(Configured, ASearchDrawsInputsThatNobodyIsJudgedWith) {
  RunConfig config = config_with({"base", "told"});
  config.looks = {1};
  config.attempts = 1;
  for (const bool to_tune : {true, false}) {
    const auto cell = measured(config, to_tune);
    ASSERT_TRUE(cell) << cell.error().message;
    ASSERT_EQ(cell->rounds.size(), 1u);
    ASSERT_EQ(cell->find("told")->samples.calls.front(), 1);
    EXPECT_EQ(metric(*cell, "told", "first"), first_number(*cell, to_tune ? "tune" : ""));
    EXPECT_NE(metric(*cell, "told", "first"), first_number(*cell, to_tune ? "" : "tune"));
  }
}

}  // namespace
}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/cell_evidence.h"

#include <gtest/gtest.h>

#include "aisp/harness/catalogue.h"
#include "example.h"

namespace aisp::harness {
namespace {

ConfigEvidence judged(const std::string& start, const std::string& end, const std::vector<Fact>& libraries) {
  const Workload workload = example("test/evidence", {{"honest", honest}});
  const PlannedCell cell{describe(workload), cell_of(workload).sizes()};
  const RunConfig config;
  const Ceilings none;
  CellResult result;
  result.variants.emplace_back().name = "honest";
  result.libraries = libraries;
  fill_evidence(
      result, Opened{},
      {.cell = cell, .config = config, .ceilings = none, .hash_at_start = start, .hash_at_end = end});
  return result.variants[0].evidence.config;
}

TEST(CellEvidence, ConfigurationAndProgramsAreToldApart) {
  const std::string start = hash_pair("a", "b");
  EXPECT_EQ(judged(start, start, {}).binary_unchanged, true);
  EXPECT_EQ(judged(start, hash_pair("a", "c"), {}).binary_unchanged, false);
  EXPECT_EQ(judged(start, hash_pair("a", "c"), {}).hash_at_end, "a");
  EXPECT_EQ(judged(start, hash_pair("c", "b"), {}).binary_unchanged, true);
  EXPECT_EQ(judged(start, hash_pair("c", "b"), {}).hash_at_end, "c");
}

// Replaced before the second attempt and put back before the end: the hashes agree, the workers do not.
TEST(CellEvidence, TwoBuildIdsOfOneObjectAreAChange) {
  const std::string hash = hash_pair("a", "b");
  EXPECT_EQ(judged(hash, hash, {{"one.so", "11"}, {"two.so", "22"}}).binary_unchanged, true);
  EXPECT_EQ(judged(hash, hash, {{"one.so", "11"}, {"one.so", "12"}}).binary_unchanged, false);
}

TEST(CellEvidence, WithoutAHashTheBuildIdsHaveToDo) {
  EXPECT_EQ(judged("a", "a", {}).binary_unchanged, std::nullopt);
  EXPECT_EQ(judged("a", "a", {{"one.so", "11"}}).binary_unchanged, true);
}

// Each variant kept its limit throughout, but not the same one.
TEST(CellEvidence, PowerLimitsOfAllVariantsMakeARange) {
  const Workload workload = example("test/evidence", {{"honest", honest}});
  const PlannedCell cell{describe(workload), cell_of(workload).sizes()};
  const RunConfig config;
  const Ceilings none;
  CellResult result;
  for (const double watts : {700.0, 500.0}) {
    EnvironmentEvidence& environment = result.variants.emplace_back().evidence.environment;
    environment.lowest_power_limit_w = environment.highest_power_limit_w = watts;
  }
  result.variants.emplace_back();  // of this one nothing is known
  fill_evidence(result, Opened{}, {.cell = cell, .config = config, .ceilings = none});
  for (int i : {0, 1}) {
    const EnvironmentEvidence& environment =
        result.variants[static_cast<std::size_t>(i)].evidence.environment;
    EXPECT_EQ(environment.lowest_power_limit_w, 500);
    EXPECT_EQ(environment.highest_power_limit_w, 700);
  }
  EXPECT_FALSE(result.variants[2].evidence.environment.lowest_power_limit_w);
}

}  // namespace
}  // namespace aisp::harness

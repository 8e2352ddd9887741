// SPDX-License-Identifier: Apache-2.0
// Spellings of older tools: scripts that use them go on working.
#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

using Words = std::vector<std::string>;

/// The program's own spelling and the older one must say the same.
void expect_same(const Words& modern, const Words& older) {
  Sandbox box;
  const Finished wanted = box.run(modern), got = box.run(older);
  ASSERT_EQ(wanted.exit_code, 0) << wanted.err;
  EXPECT_EQ(got.exit_code, 0) << got.err;
  EXPECT_EQ(got.out, wanted.out);
  EXPECT_NE(got.out, "");
}

TEST(Seeds, ListTargetsOfAChapter) {
  expect_same({"list", "ch07"}, {"list-targets", "--chapter", "ch7"});
  expect_same({"list", "ch01"}, {"bench", "list-targets", "--chapter", "ch01"});
  expect_same({"list", "--json", "ch07"}, {"list-targets", "--chapter=ch7", "--json"});
}

TEST(Seeds, RunTargetsWithAProfile) {
  const Words run{"run", "ch08/ilp", "--suite", "small", "--dry-run", "--json"};
  expect_same(run, {"bench", "run", "--targets", "ch08/ilp", "--profile", "minimal", "--suite", "small",
                    "--dry-run", "--json"});
  expect_same(run,
              {"bench", "--targets=ch8:ilp", "--profile=none", "--suite", "small", "--dry-run", "--json"});
  expect_same(run, {"run", "-t", "ch8.baseline_ilp", "--suite", "small", "--dry-run", "--json"});
}

TEST(Seeds, SeveralTargetsAtOnce) {
  expect_same({"list", "ch07", "ch08"}, {"list", "--targets", "ch7,ch8"});
  expect_same({"list", "ch07", "ch08"}, {"list", "--targets=ch7,ch8"});
  expect_same({"list", "ch07", "ch08"}, {"list", "--targets", "ch7", "ch8"});
  expect_same({"list", "ch*"}, {"list", "--targets", "ch*"});
}

TEST(Seeds, VerifyTargets) {
  expect_same({"verify", "ch08/ilp", "--quiet"}, {"verify", "--targets", "ch8/ilp", "--quiet"});
}

TEST(Seeds, AProfileSaysThatNothingIsProfiled) {
  Sandbox box;
  const Finished minimal = box.run({"run", "ch08/ilp", "--dry-run", "--profile", "minimal"});
  EXPECT_EQ(minimal.exit_code, 0) << minimal.err;
  EXPECT_NE(minimal.err.find("no profiler runs"), std::string::npos) << minimal.err;
  EXPECT_EQ(box.run({"run", "ch08/ilp", "--dry-run", "--profile", "none"}).err, "");
  EXPECT_EQ(box.run({"run", "ch08/ilp", "--dry-run", "--profile", "deep_dive"}).exit_code, 2);
}

TEST(Seeds, OnlyCommandsWithWorkloadsHaveTargets) {
  Sandbox box;
  const Finished refused = box.run({"show", "-t", "latest"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("there is no flag -t"), std::string::npos) << refused.err;
}

TEST(Seeds, UtilsProbeTheHardware) {
  Sandbox box;
  for (const Words& words : {Words{"utils", "--tool", "probe-hw"}, Words{"utils", "probe-hw"},
                             Words{"utils", "--tool", "probe-hw", "--"}}) {
    const Finished probed = box.run(words);
    EXPECT_EQ(probed.exit_code, 0) << probed.err;
    EXPECT_NE(probed.out.find("cpu model"), std::string::npos) << probed.out;
  }
}

TEST(Seeds, UtilsTakeFlagsBehindDashes) {
  const Words kv{"--layers", "80", "--hidden", "8192", "--tokens", "4096", "--batch", "8", "--dtype", "fp8"};
  const auto with = [](Words first, const Words& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  expect_same(with({"utils", "kv-cache"}, kv), with({"utils", "--tool", "kv-cache", "--"}, kv));
  expect_same(with({"kv-cache", "--json"}, kv), with({"utils", "--json", "--tool=kv-cache", "--"}, kv));
  expect_same({"utils", "cost-per-token", "--power", "800", "--throughput", "1500", "--electricity", "0.16"},
              {"utils", "--tool", "cost-per-token", "--", "--avg-power", "800", "--throughput", "1500",
               "--electricity-cost", "0.16"});
}

TEST(Seeds, UtilsThatAreNotThereSayWhichAre) {
  Sandbox box;
  for (const Words& words : {Words{"utils"}, Words{"utils", "--json"},
                             Words{"utils", "--tool", "kv-cash", "--"}, Words{"utils", "run"}}) {
    const Finished missing = box.run(words);
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_NE(missing.err.find("kv-cache"), std::string::npos) << missing.err;
  }
}

}  // namespace
}  // namespace aisp::testing

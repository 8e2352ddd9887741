// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/expectations.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <gtest/gtest.h>

#include "aisp/wire/json.h"
#include "tests/report/example_run.h"

namespace aisp::report {
namespace {

Expectation expecting(double low, double high) {
  Expectation e;
  e.validity = Validity::valid;
  e.speedup = Estimate{(low + high) / 2, low, high};
  return e;
}

Figure measured(double low, double high) {
  Figure figure;
  figure.validity = Validity::valid;
  figure.gain = Estimate{(low + high) / 2, low, high};
  return figure;
}

Standing standing(const Expectation& expected, const Figure& now) { return standing_of(expected, &now); }

TEST(Expectations, AreOfStepsOnlyAndKnowTheBestOfEachCell) {
  const Expectations all = expectations_of(example_run());
  int best = 0;
  for (const Expectation& e : all.entries) {
    EXPECT_NE(e.variant, "naive") << "nothing is expected of a baseline";
    EXPECT_NE(e.variant, "openblas") << "nor of an anchor";
    best += e.workload == "ch09/sgemm" && e.best;
    if (e.workload == "ch09/sgemm" && e.best) {
      EXPECT_EQ(e.variant, "packed");
      ASSERT_TRUE(e.speedup);
      EXPECT_LT(e.speedup->low, e.speedup->value);
    }
    EXPECT_EQ(e.speedup.has_value(), e.validity == Validity::valid)
        << "a rejected ratio is not expected of anybody";
  }
  EXPECT_EQ(best, 1);
}

TEST(Expectations, ARatioWithoutAnIntervalIsNotExpectedOfAnybody) {
  RunRecord run = example_run();
  std::string without;
  for (VariantResult& variant : run.cells.front().variants) {
    if (&variant == run.cells.front().baseline() || variant.rung != Rung::step || !variant.speedup) continue;
    variant.validity = Validity::valid;
    variant.speedup->low = 0;
    variant.speedup->high = HUGE_VAL;
    without = variant.name;
  }
  ASSERT_NE(without, "");
  const Result<Expectations> all = parse_expectations(render_expectations(run));
  ASSERT_TRUE(all) << all.error().message;
  const auto found = std::ranges::find_if(all->entries, [&](const Expectation& e) {
    return e.workload == run.cells.front().workload && e.variant == without;
  });
  ASSERT_NE(found, all->entries.end()) << "it is told, and marked";
  EXPECT_EQ(found->validity, Validity::valid);
  EXPECT_FALSE(found->speedup);
  EXPECT_EQ(standing(*found, measured(1.0, 1.1)), Standing::no_interval);
  EXPECT_EQ(name_of(Standing::no_interval), "no interval");
}

TEST(Expectations, AnIntervalWithoutEndsInAFileIsNone) {
  Json json = Json::parse(render_expectations(example_run()));
  json["entries"][0]["speedup"] = {{"value", 7.8}, {"low", 0.0}, {"high", "inf"}};
  const Result<Expectations> all = parse_expectations(json.dump());
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_FALSE(all->entries.front().speedup) << "nothing could ever be worse than it";
}

TEST(Expectations, AreReadBackAsTheyWereWritten) {
  const RunRecord run = example_run();
  const std::string text = render_expectations(run);
  const Result<Expectations> back = parse_expectations(text);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->hardware, run.manifest.hardware);
  EXPECT_EQ(back->entries.size(), expectations_of(run).entries.size());
  EXPECT_EQ(back->entries.front().speedup->low, expectations_of(run).entries.front().speedup->low);
}

TEST(Expectations, OfAnotherKindAreRefusedWithTheReason) {
  EXPECT_FALSE(parse_expectations(""));
  EXPECT_FALSE(parse_expectations("[1]"));
  EXPECT_NE(parse_expectations("{}").error().message.find("aisp.expectations"), std::string::npos);
  EXPECT_NE(parse_expectations(R"({"schema": "aisp.expectations", "schema_version": 7})")
                .error()
                .message.find("version"),
            std::string::npos);
  std::string text = render_expectations(example_run());
  text.replace(text.find("\"entries\": ["), 12, "\"entries\": 3, \"x\": [");
  EXPECT_FALSE(parse_expectations(text));
}

TEST(Expectations, WorseAndBetterTakeIntervalsThatLieApart) {
  const Expectation two = expecting(1.98, 2.02);
  EXPECT_EQ(standing(two, measured(1.97, 2.01)), Standing::as_expected);
  EXPECT_EQ(standing(two, measured(1.90, 1.95)), Standing::as_expected)
      << "apart, yet no more than days differ";
  EXPECT_EQ(standing(two, measured(1.80, 1.90)), Standing::worse);
  EXPECT_EQ(standing(two, measured(1.50, 1.97)), Standing::as_expected) << "too wide to tell";
  EXPECT_EQ(standing(two, measured(2.10, 2.20)), Standing::better);
  EXPECT_EQ(standing(two, measured(0, HUGE_VAL)), Standing::no_interval) << "too few rounds to tell anything";
}

TEST(Expectations, WhatIsUnprovenMayAlarmButNotReassure) {
  const Expectation two = expecting(1.98, 2.02);
  for (const auto& [ratio, stands] : {std::pair(2.0, Standing::unproven), std::pair(3.0, Standing::unproven),
                                      std::pair(1.5, Standing::worse)}) {
    Figure now = measured(ratio - 0.01, ratio + 0.01);
    now.validity = Validity::unproven;
    EXPECT_EQ(standing(two, now), stands) << ratio;
  }
  EXPECT_EQ(name_of(Standing::unproven), "unproven here");
}

TEST(Expectations, WhatIsRejectedNowIsWorseAndWhatWasNeverValidExpectsNothing) {
  const Expectation two = expecting(1.98, 2.02);
  Figure now = measured(1.99, 2.01);
  now.validity = Validity::invalid;
  EXPECT_EQ(standing(two, now), Standing::worse);
  now.validity = Validity::failed;
  EXPECT_EQ(standing(two, now), Standing::worse);
  now = measured(1.99, 2.01);
  now.gain.reset();
  EXPECT_EQ(standing(two, now), Standing::no_interval) << "its baseline is not as valid";
  EXPECT_EQ(standing_of(two, nullptr), Standing::not_run);
  EXPECT_EQ(standing(Expectation{}, measured(1, 2)), Standing::not_valid);
}

}  // namespace
}  // namespace aisp::report

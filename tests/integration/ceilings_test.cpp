// SPDX-License-Identifier: Apache-2.0
// A machine's ceilings are raised by this program's own workloads only: a plugin, like another build,
// declares its bytes itself. Ceilings that were measured too low accuse nobody: they are measured again.
#include <gtest/gtest.h>

#include <algorithm>

#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

class CeilingsOfOthers : public ::testing::Test {
 protected:
  /// As if the machine could move the bytes of pace/steady in no less than 1.1 ms; it takes 1.
  CeilingsOfOthers() {
    box.give_ceilings();
    hardware = box.run({"show", "latest", "--json"}).json()["manifest"]["hardware"];
    auto results = store::Store::open(box.store(), store::Access::read_write);
    Ceilings low = **results->latest_ceilings(hardware);
    for (Ceiling& ceiling : low.entries) {
      if (ceiling.unit == "B/s") ceiling.value = 8 * 4096 / 1.1e-3;
    }
    EXPECT_TRUE(results->ceilings_measured(low));
    doctored = to_json(low);
  }

  Json stored() {
    auto results = store::Store::open(box.store(), store::Access::read_only);
    return to_json(**results->latest_ceilings(hardware));
  }

  /// Whether the latest run holds a valid row above the ceilings; on a busy machine it may not.
  bool beyond() {
    const Json cell = only_cell(box.run({"show", "latest", "--json"}).json());
    for (const Json& variant : cell.value("variants", Json::array())) {
      if (variant["validity"] == "valid" && variant["percent_of_ceiling"].is_number() &&
          variant["percent_of_ceiling"] > 101)
        return true;
    }
    return false;
  }

  std::vector<std::string> briefly(std::vector<std::string> words) {
    words.insert(words.end(), {"--cell-seconds", "1", "--max-rounds", "24", "--attempts", "1", "--policy",
                               "portable", "--json"});
    return words;
  }

  Sandbox box;
  std::string hardware;
  Json doctored;
};

TEST_F(CeilingsOfOthers, StayWhenAPluginGoesBeyondThem) {
  const Finished run = box.run(briefly({"run", "pace/steady", "--plugin", plugin("pace")}));
  ASSERT_TRUE(was_measured(variant_of(only_cell(run.json()), "same"))) << run.err;
  EXPECT_EQ(stored(), doctored);
  if (!beyond()) GTEST_SKIP() << "the machine is too busy for a valid row";
}

TEST_F(CeilingsOfOthers, StayWhenAnotherBuildGoesBeyondThem) {
  const Finished answer =
      box.run(briefly({"compare", "pace/steady", "--build", plugin("pace"), plugin("pace")}));
  ASSERT_TRUE(answer.json().contains("comparisons")) << answer.err;
  EXPECT_EQ(stored(), doctored);
  if (!beyond()) GTEST_SKIP() << "the machine is too busy for a valid row";
}

class TooLowCeilings : public CeilingsOfOthers {
 protected:
  /// As if the machine had been so busy that it moved a fiftieth of what it can.
  TooLowCeilings() {
    auto results = store::Store::open(box.store(), store::Access::read_write);
    Ceilings low = **results->latest_ceilings(hardware);
    for (Ceiling& ceiling : low.entries) ceiling.value = ceiling.unit == "ns" ? ceiling.value : 1e8;
    EXPECT_TRUE(results->ceilings_measured(low));
    doctored = to_json(low);
  }

  Finished measure(std::vector<std::string> words) {
    words.insert(words.end(), {"--cell-seconds", "1", "--max-rounds", "24", "--attempts", "1"});
    return box.run(words);
  }

  bool anyone_accused() {
    const Json cell = only_cell(box.run({"show", "latest", "--json"}).json());
    const Json variants = cell.at("variants");
    return std::ranges::any_of(
        variants, [](const Json& variant) { return rejected_by(variant, "not_faster_than_floor"); });
  }
};

TEST_F(TooLowCeilings, AreMeasuredAgainBeforeAnHonestVariantIsAccused) {
  const Finished run = measure(
      {"run", "ch07/reduction", "--param", "rows=1", "--param", "cols=1048576", "--param", "threads=1"});
  EXPECT_NE(run.err.find("measuring them again"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("they were too low"), std::string::npos) << run.err;
  EXPECT_FALSE(anyone_accused()) << run.out;
  EXPECT_NE(stored(), doctored);
}

TEST_F(TooLowCeilings, DoNotSaveWhatClaimsMoreWorkThanItDoes) {
  const Finished run = measure({"run", "dishonest/boastful", "--plugin", plugin("dishonest")});
  EXPECT_NE(run.err.find("measuring them again"), std::string::npos) << run.err;
  EXPECT_TRUE(anyone_accused()) << run.out;
}

TEST(Plugin, IsNamedInTheCatalogue) {
  Sandbox box;
  const Json list = box.run({"list", "--json", "--plugin", plugin("pace"), "pace/steady"}).json();
  EXPECT_NE(list.dump().find("\"plugin\":\"" + plugin("pace")), std::string::npos) << list.dump();
}

}  // namespace
}  // namespace aisp::testing

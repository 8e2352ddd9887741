// SPDX-License-Identifier: Apache-2.0
// A machine's ceilings are raised by this program's own workloads only: a plugin, like another build,
// declares its bytes itself.
#include <gtest/gtest.h>

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

TEST(Plugin, IsNamedInTheCatalogue) {
  Sandbox box;
  const Json list = box.run({"list", "--json", "--plugin", plugin("pace"), "pace/steady"}).json();
  EXPECT_NE(list.dump().find("\"plugin\":\"" + plugin("pace")), std::string::npos) << list.dump();
}

}  // namespace
}  // namespace aisp::testing

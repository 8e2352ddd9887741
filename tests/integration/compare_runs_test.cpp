// SPDX-License-Identifier: Apache-2.0
// `aisp compare RUN RUN` over stored runs whose times and verdicts the tests choose.
#include <gtest/gtest.h>

#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

struct Stored {
  std::string id, hardware = "machine one";
  double ns = 100;
  Validity validity = Validity::valid;
  int method = 1;
};

class CompareRuns : public ::testing::Test {
 protected:
  void keep(const Stored& stored) {
    Result<store::Store> results = store::Store::open(box.store(), store::Access::read_write);
    ASSERT_TRUE(results) << results.error().message;
    RunRecord run{.id = stored.id, .started = "2026-11-15T14:23:01Z", .status = "running"};
    run.manifest.hardware = stored.hardware;
    run.manifest.method = stored.method;
    ASSERT_TRUE(results->run_started(run));
    CellResult cell{.workload = "ch09/example", .parameters = "n=1", .validity = stored.validity};
    cell.stopped = "precise";
    VariantResult variant{.name = "fast", .validity = stored.validity};
    if (stored.validity != Validity::failed) {
      variant.time_ns = variant.figure = Estimate{stored.ns, stored.ns * 0.99, stored.ns * 1.01};
    }
    if (stored.validity == Validity::invalid)
      variant.findings = {{.guard = "answer_right", .level = Level::reject, .because = "3 of 9 are wrong"}};
    cell.variants.push_back(variant);
    ASSERT_TRUE(results->cell_finished(run.id, cell));
    ASSERT_TRUE(results->run_finished(run.id, "finished", "2026-11-15T14:24:01Z"));
  }

  Finished compared(const Stored& first, const Stored& second, std::vector<std::string> flags = {}) {
    keep(first);
    keep(second);
    flags.insert(flags.begin(), {"compare", first.id, second.id});
    return box.run(flags);
  }

  Sandbox box;
};

TEST_F(CompareRuns, FasterIsSaidAndIsNoFailure) {
  const Finished answer = compared({.id = "a"}, {.id = "b", .ns = 50});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_NE(answer.out.find("faster"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("unpaired: two runs share no rounds"), std::string::npos) << answer.out;
}

TEST_F(CompareRuns, SlowerIsARegression) {
  const Finished answer = compared({.id = "a"}, {.id = "b", .ns = 200});
  EXPECT_EQ(answer.exit_code, 1) << answer.err;
  EXPECT_NE(answer.out.find("slower"), std::string::npos) << answer.out;
}

TEST_F(CompareRuns, IntervalsThatOverlapCannotTell) {
  const Finished answer = compared({.id = "a"}, {.id = "b", .ns = 101});
  EXPECT_EQ(answer.exit_code, 9) << answer.out;
}

TEST_F(CompareRuns, ARejectedSideIsNeverFaster) {
  const Finished answer = compared({.id = "a"}, {.id = "b", .ns = 1, .validity = Validity::invalid});
  EXPECT_EQ(answer.exit_code, 1) << answer.out;
  EXPECT_EQ(answer.out.find("faster"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("answer_right"), std::string::npos) << answer.out;
  const Json json = box.run({"compare", "a", "b", "--json"}).json();
  ASSERT_EQ(json["comparisons"].size(), 1u);
  EXPECT_TRUE(json["comparisons"][0]["ratio"].is_null());
  EXPECT_EQ(json["comparisons"][0]["verdict"], "invalid");
}

TEST_F(CompareRuns, AnUnprovenOrFailedSideDecidesTheExitCode) {
  EXPECT_EQ(compared({.id = "a"}, {.id = "b", .ns = 1, .validity = Validity::unproven}).exit_code, 4);
  EXPECT_EQ(compared({.id = "c"}, {.id = "d", .validity = Validity::failed}).exit_code, 8);
}

TEST_F(CompareRuns, RunsOfTwoMachinesAreRefusedUnlessAskedFor) {
  const Stored other{.id = "b", .hardware = "machine two", .ns = 50};
  const Finished refused = compared({.id = "a"}, other);
  EXPECT_EQ(refused.exit_code, 3) << refused.out;
  EXPECT_NE(refused.err.find("machine two"), std::string::npos) << refused.err;
  EXPECT_NE(refused.err.find("--across"), std::string::npos) << refused.err;
  const Finished across = box.run({"compare", "a", "b", "--across"});
  EXPECT_EQ(across.exit_code, 0) << across.err;
  EXPECT_NE(across.out.find("different machines"), std::string::npos) << across.out;
}

TEST_F(CompareRuns, RunsOfTwoMethodsAreLabelled) {
  const Finished answer = compared({.id = "a"}, {.id = "b", .ns = 50, .method = 3});
  EXPECT_NE(answer.out.find("method 1 against 3"), std::string::npos) << answer.out;
  keep({.id = "c"});
  EXPECT_EQ(box.run({"compare", "a", "c"}).out.find("method"), std::string::npos);
}

TEST_F(CompareRuns, ARunIsNotComparedWithItself) {
  keep({.id = "a"});
  const Finished answer = box.run({"compare", "a", "latest"});
  EXPECT_EQ(answer.exit_code, 2) << answer.out;
  EXPECT_NE(answer.err.find("both names mean run a"), std::string::npos) << answer.err;
}

}  // namespace
}  // namespace aisp::testing

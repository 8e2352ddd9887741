// SPDX-License-Identifier: Apache-2.0
// Whatever workload code does, it costs its own worker: the run goes on, names it, stores it and leaves
// nothing.
#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

struct Hostile {
  std::string name;    ///< of the workload and of its variant
  std::string status;  ///< how its worker must be said to have ended
  std::string detail;  ///< must be part of the reason
  std::string timeout = "60";
};
void PrintTo(const Hostile& hostile, std::ostream* out) { *out << hostile.name; }

std::vector<std::string> run_of(const std::string& target, const std::string& timeout) {
  return {
      "run",          "--plugin", plugin("hostile"), target, "--json",    "--cell-seconds", "0.2",
      "--max-rounds", "24",       "--attempts",      "2",    "--timeout", timeout,          "--memory-limit",
      "2e9"};
}

class WorkerContains : public ::testing::TestWithParam<Hostile> {};

TEST_P(WorkerContains, AndNames) {
  const Hostile& hostile = GetParam();
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run(run_of("hostile/" + hostile.name, hostile.timeout));
  ASSERT_FALSE(run.timed_out);
  EXPECT_EQ(run.exit_code, 8) << run.err;
  const Json cell = only_cell(run.json());
  const Json variant = variant_of(cell, hostile.name);
  EXPECT_EQ(variant.value("validity", ""), "failed");
  const std::string reason = reason_of(variant);
  EXPECT_TRUE(reason.starts_with(hostile.status + ":")) << reason;
  EXPECT_NE(reason.find(hostile.detail), std::string::npos) << reason;
  EXPECT_LT(reason.size(), 1000u) << "the reason holds the tail of the output, not all of it";
  // The others were measured all the same.
  EXPECT_TRUE(was_measured(variant_of(cell, "honest")));
  EXPECT_TRUE(was_measured(variant_of(cell, "twin")));
  // The store knows it too, and is not the bigger for what was printed.
  const Finished shown = box.run({"show", "latest", "--json"});
  EXPECT_EQ(reason_of(variant_of(only_cell(shown.json()), hostile.name)), reason) << shown.err;
  EXPECT_LT(std::filesystem::file_size(box.store()), 20u << 20);
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(
    Every, WorkerContains,
    ::testing::Values(
        Hostile{"crash", "crashed", "SIGSEGV"}, Hostile{"abort", "crashed", "SIGABRT"},
        Hostile{"divide", "crashed", "SIGFPE"}, Hostile{"bus", "crashed", "SIGBUS"},
        Hostile{"trap", "crashed", "SIGILL"}, Hostile{"overflow", "crashed", "SIGSEGV"},
        Hostile{"hang", "timed out", "no sign of life", "3"},
        Hostile{"stubborn", "timed out", "no sign of life", "3"},
        Hostile{"deserter", "timed out", "no sign of life", "3"},
        Hostile{"deserter_hang_up", "broke the protocol", "went on"},
        Hostile{"busy", "timed out", "its notices changed", "2"},
        Hostile{"stop", "timed out", "no sign of life", "3"}, Hostile{"exit0", "exited", "exit code 0"},
        Hostile{"exit", "exited", "exit code 0"}, Hostile{"throw", "threw", "thrown on purpose"},
        Hostile{"throw_int", "threw", "not a std::exception"}, Hostile{"memory", "out of memory", ""},
        Hostile{"fork", "forked", "another process"}, Hostile{"shell", "forked", "another process"},
        Hostile{"daemon", "forked", "another process"}, Hostile{"shrink", "crashed", "SIGABRT"},
        Hostile{"threads", "too many threads", "threads"}, Hostile{"stdout", "too much output", "MiB"},
        Hostile{"stderr", "too much output", "MiB"}, Hostile{"garbage", "broke the protocol", ""},
        Hostile{"endless_line", "broke the protocol", ""}, Hostile{"hang_up", "broke the protocol", ""},
        Hostile{"chatter", "broke the protocol", "running"},
        Hostile{"all_is_well", "broke the protocol", "error"},
        Hostile{"opened_again", "broke the protocol", "opened"}),
    [](const auto& test) { return test.param.name; });

TEST(WorkerContainsPrepare, ThatExits) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run(run_of("hostile/prepare", "60"));
  EXPECT_EQ(run.exit_code, 8) << run.err;
  const Json cell = only_cell(run.json());
  EXPECT_EQ(variant_of(cell, "unprepared").value("validity", ""), "failed");
  EXPECT_TRUE(was_measured(variant_of(cell, "twin")));
  EXPECT_TRUE(box.alone());
}

// Without a baseline, a problem or a reference there is nothing to compare: the cell fails, the run does not.
class CellFails : public ::testing::TestWithParam<const char*> {};

TEST_P(CellFails, WhenWhatItRestsOnDoes) {
  Sandbox box;
  box.give_ceilings();
  std::vector<std::string> arguments = run_of(std::string("hostile/") + GetParam(), "60");
  arguments.insert(arguments.end(), {"--plugin", plugin("pace"), "pace/fast"});
  const Finished run = box.run(arguments);
  EXPECT_EQ(run.exit_code, 8) << run.err;
  const Json json = run.json();
  ASSERT_TRUE(json.contains("cells"));
  ASSERT_EQ(json["cells"].size(), 2u);
  EXPECT_EQ(json["cells"][0]["validity"], "failed");
  const std::string reason = reason_of(variant_of(json["cells"][0], "honest"));
  const bool blamed = reason.find("in the problem or its reference") != std::string::npos;
  EXPECT_EQ(blamed, GetParam() != std::string_view("baseline")) << reason;
  EXPECT_TRUE(was_measured(variant_of(json["cells"][1], "honest")));
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(Every, CellFails, ::testing::Values("baseline", "reference", "problem"),
                         [](const auto& test) { return std::string(test.param); });

// Also where nothing is measured: the constructors of a plugin and a problem's size are workload code.
TEST(Worker, HasAMemoryLimitWhateverItIsAsked) {
  Sandbox box;
  const std::string limited = plugin("limited");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"list", "--plugin", limited, "limited"},
        {"verify", "--plugin", limited, "limited"},
        {"run", "--plugin", limited, "limited", "--dry-run"}}) {
    const Finished finished = box.run(words);
    EXPECT_EQ(finished.exit_code, 0) << words.front() << ": " << finished.out << finished.err;
  }
  const Finished unknown = box.run({"compare", "limited/none", "--build", limited, limited});
  EXPECT_EQ(unknown.exit_code, 2) << "both builds could say what they have: " << unknown.err;
}

TEST(CollectiveWork, IsRefusedWhereThereIsNoLauncher) {
  Sandbox box;
  box.give_ceilings();
  const std::string ranks = plugin("ranks");
  EXPECT_NE(box.run({"list", "--plugin", ranks, "ranks"}).out.find("ranks/sum"), std::string::npos);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "--plugin", ranks, "ranks"},
                                                {"run", "--plugin", ranks, "ranks", "--dry-run"},
                                                {"verify", "--plugin", ranks, "ranks"}}) {
    const Finished refused = box.run(words);
    EXPECT_EQ(refused.exit_code, 4) << words.front() << ": " << refused.out << refused.err;
    EXPECT_NE((refused.out + refused.err).find("needs a rank launcher"), std::string::npos)
        << refused.out << refused.err;
  }
  EXPECT_TRUE(box.alone());
}

// The page on which a worker says whose code it runs is shared memory: nonsense on it names nobody.
TEST(WorkerBoard, ThatIsScribbledOnFailsTheCellAndIsShownAsText) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run(run_of("hostile/scribble", "60"));
  EXPECT_EQ(run.exit_code, 8) << run.err;
  EXPECT_EQ(only_cell(run.json()).value("validity", ""), "failed") << run.err;
  const Finished shown = box.run({"show", "latest"});
  EXPECT_EQ((shown.out + shown.err).find('\x1b'), std::string::npos);
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

TEST(WorkerEnds, AreNotHiddenByACellThatIsRefused) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "--plugin", plugin("pace"), "--plugin", plugin("hostile"),
                                "pace/sized", "hostile/crash", "--param", "n=1000000", "--cell-seconds",
                                "0.2", "--max-rounds", "24", "--attempts", "1"});
  EXPECT_EQ(run.exit_code, 8) << run.err;
  EXPECT_NE(run.err.find("pace/sized n=1000000: needs"), std::string::npos) << run.err;
}

TEST(VerifyCommand, GoesOnAfterACellThatIsRefused) {
  Sandbox box;
  const Finished verified = box.run(
      {"verify", "--plugin", plugin("pace"), "pace/fast", "pace/sized", "pace/slow", "--param", "n=1000000"});
  EXPECT_EQ(verified.exit_code, 4) << verified.out << verified.err;
  EXPECT_NE(verified.out.find("pace/fast"), std::string::npos) << verified.out;
  EXPECT_NE(verified.out.find("pace/slow"), std::string::npos) << verified.out;
  EXPECT_NE(verified.err.find("pace/sized n=1000000: needs"), std::string::npos) << verified.err;
}

TEST(WorkerTable, NamesTheReason) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "--plugin", plugin("hostile"), "hostile/crash", "--cell-seconds",
                                "0.2", "--max-rounds", "24", "--attempts", "1"});
  EXPECT_EQ(run.exit_code, 8);
  EXPECT_NE(run.out.find("SIGSEGV"), std::string::npos) << run.out;
  EXPECT_NE(run.out.find("crash"), std::string::npos) << run.out;
}

}  // namespace
}  // namespace aisp::testing

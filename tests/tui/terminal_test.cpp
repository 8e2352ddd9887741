// SPDX-License-Identifier: Apache-2.0
// `aisp tui` as a person has it: in a terminal, with a store of real results, at two sizes.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/tui/tmux.h"

namespace aisp::testing {
namespace {

using Words = std::vector<std::string>;

void measure(Sandbox& box, const std::string& name, const std::string& workload) {
  const Finished run = box.run({"run", "--plugin", plugin(name), workload, "--cell-seconds", "20",
                                "--max-rounds", "24", "--attempts", "1", "--quiet"});
  ASSERT_FALSE(run.timed_out);
  ASSERT_NE(run.out.find("is stored"), std::string::npos) << run.out << run.err;
}

/// Of `aisp`, and so of its runs and their workers.
int programs_left(const Sandbox& box) {
  int count = 0;
  for (const pid_t pid : box.survivors()) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
    std::string words;
    std::getline(file, words, '\0');
    if (words.ends_with("aisp")) ++count;
  }
  return count;
}

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class Terminal : public ::testing::Test {
 protected:
  Sandbox box;

  void fill_store() {
    box.give_ceilings();
    measure(box, "dishonest", "dishonest/unwritten");
    measure(box, "pace", "pace/steady");
    measure(box, "pace", "pace/steady");
  }
  std::string command() const {
    return std::string(AISP_PROGRAM) + " tui --plugin " + plugin("pace") + " --plugin " + plugin("dishonest");
  }
  /// Begins it, having noted how the terminal is set.
  void begin(Tmux& terminal) {
    ASSERT_TRUE(terminal.started()) << "tmux is needed (`./setup.sh test`): " << terminal.problem();
    terminal.type("ulimit -c 0; stty -g > before; " + command() + "; echo code $?", "Enter");
    ASSERT_TRUE(terminal.shows("[1 Workloads]")) << terminal.screen();
    EXPECT_TRUE(terminal.taken());
  }
  /// The terminal is as it was: the screen given back, input echoed, settings the same.
  void expect_given_back(Tmux& terminal, const std::string& code) {
    ASSERT_TRUE(terminal.shows(code)) << terminal.screen();
    EXPECT_FALSE(terminal.taken());
    terminal.type("stty -g > after; echo ba''ck", "Enter");
    EXPECT_TRUE(terminal.shows("\nback")) << terminal.screen();
    EXPECT_NE(content_of(box.directory / "before"), "");
    EXPECT_EQ(content_of(box.directory / "before"), content_of(box.directory / "after"));
    EXPECT_TRUE(eventually([&] { return programs_left(box) == 0; })) << "no process is left behind";
  }
  void tour(Tmux& terminal);
};

/// Browse, filter, open, read why, compare.
void Terminal::tour(Tmux& terminal) {
  terminal.type("/");
  terminal.type("unwritten");
  EXPECT_TRUE(terminal.shows("filter: unwritten")) << terminal.screen();
  EXPECT_TRUE(terminal.hides("ch07/transpose")) << terminal.screen();
  terminal.type("Enter");
  terminal.type("Enter");
  ASSERT_TRUE(terminal.shows("[2 Results]")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("unwritten invalid")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("output_written:")) << terminal.screen();
  terminal.type("Enter");
  ASSERT_TRUE(terminal.shows("[Result]")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("twin")) << "the ladder: " << terminal.screen();
  terminal.type("e");
  EXPECT_TRUE(terminal.shows("Did every call write all of its output?")) << terminal.screen();
  terminal.type("Escape");
  EXPECT_TRUE(terminal.shows("[Result]")) << terminal.screen();
  terminal.type("2");
  terminal.type("/");
  terminal.type("Escape");
  terminal.type("/");
  terminal.type("pace/steady", "Enter");
  ASSERT_TRUE(terminal.shows("'pace/steady': 2 of")) << terminal.screen();
  terminal.type("r");
  ASSERT_TRUE(terminal.shows("aisp run pace/steady --param=n="))
      << "the size that is selected: " << terminal.screen();
  EXPECT_TRUE(terminal.hides("--suite=")) << terminal.screen();
  terminal.type("Escape");
  ASSERT_TRUE(terminal.shows("'pace/steady': 2 of")) << terminal.screen();
  terminal.type("Home", "m", "Down", "m", "c");
  ASSERT_TRUE(terminal.shows("[Comparison]")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("unpaired")) << terminal.screen();
  terminal.type("1", "Escape");
}

TEST_F(Terminal, AStoreThatWasNamedMustBeThere) {
  const std::string missing = (box.root() / "mistyped.db").string();
  const Finished refused = box.run({"tui", "--simple", "--store", missing});
  EXPECT_EQ(refused.exit_code, 6) << refused.out;
  EXPECT_NE(refused.err.find("there is no store at " + missing), std::string::npos) << refused.err;
  EXPECT_EQ(box.run({"tui", "--simple"}).exit_code, 0) << "the usual place may be empty";
}

TEST_F(Terminal, IsToured) {
  fill_store();
  for (const auto& [columns, rows] : {std::pair{80, 24}, std::pair{160, 50}}) {
    Tmux terminal(box, columns, rows);
    begin(terminal);
    if (HasFatalFailure()) return;
    tour(terminal);
    terminal.type("q");
    expect_given_back(terminal, "code 0");
  }
}

TEST_F(Terminal, StartsARunAndWatchesItToItsEnd) {
  fill_store();
  Tmux terminal(box, 160, 50);
  begin(terminal);
  if (HasFatalFailure()) return;
  terminal.type("/");
  terminal.type("pace/fast", "Enter");
  ASSERT_TRUE(terminal.shows("'pace/fast': 1 of")) << terminal.screen();
  terminal.type("r");
  ASSERT_TRUE(terminal.shows("Measure pace/fast")) << terminal.screen();
  terminal.type("Left", "Down", "Left", "Left", "Left", "Down", "Left", "Left");
  ASSERT_TRUE(terminal.shows("--suite=small --cell-seconds=1 --attempts=1")) << terminal.screen();
  terminal.type("Enter");
  ASSERT_TRUE(terminal.shows("[3 Live run]")) << terminal.screen();
  terminal.resize(80, 24);
  EXPECT_TRUE(terminal.shows("ended with exit code")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("Finished cells (1)")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("●")) << "an interval is drawn: " << terminal.screen();
  terminal.type("Enter");
  ASSERT_TRUE(terminal.shows("[Result]")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("pace/fast")) << terminal.screen();
  terminal.resize(50, 10);
  EXPECT_TRUE(terminal.shows("needs at least 60x15")) << terminal.screen();
  terminal.resize(80, 24);
  EXPECT_TRUE(terminal.shows("[Result]")) << terminal.screen();
  terminal.type("q");
  expect_given_back(terminal, "code 0");
}

TEST_F(Terminal, ARunEndsWithIt) {
  box.give_ceilings();
  const std::filesystem::path beacon = box.root() / "beacon";
  box.environment["AISP_TEST_BEACON"] = beacon.string();  // its calls take their time from now on
  for (const bool by_key : {true, false}) {
    Tmux terminal(box, 80, 24);
    begin(terminal);
    if (HasFatalFailure()) return;
    terminal.type("/");
    terminal.type("pace/slow", "Enter");
    terminal.type("r");
    ASSERT_TRUE(terminal.shows("Measure pace/slow")) << terminal.screen();
    std::filesystem::remove(beacon);
    terminal.type("Down", "Right", "Right", "Enter");
    ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); })) << terminal.screen();
    EXPECT_TRUE(terminal.shows("[3 Live run]")) << terminal.screen();
    EXPECT_GT(programs_left(box), 1);
    terminal.type(by_key ? "q" : "C-c");
    expect_given_back(terminal, by_key ? "code 0" : "code 130");
  }
  const Finished runs = box.run({"show", "--runs"});
  EXPECT_NE(runs.out.find("interrupted"), std::string::npos) << "it was asked, not killed: " << runs.out;
}

TEST_F(Terminal, IsGivenBackAfterACrash) {
  Tmux terminal(box, 80, 24);
  begin(terminal);
  if (HasFatalFailure()) return;
  EXPECT_TRUE(terminal.shows("Nothing is stored yet"))
      << "what to do with an empty store: " << terminal.screen();
  for (const pid_t pid : box.survivors()) {
    if (content_of("/proc/" + std::to_string(pid) + "/comm") == "aisp\n") ::kill(pid, SIGSEGV);
  }
  expect_given_back(terminal, "code 139");
}

TEST_F(Terminal, OneThatIsNotDescribedIsNamed) {
  Tmux terminal(box, 80, 24);
  ASSERT_TRUE(terminal.started()) << "tmux is needed (`./setup.sh test`): " << terminal.problem();
  terminal.type("TERM=no-such-terminal " + command() + "; echo code $?", "Enter");
  EXPECT_TRUE(terminal.shows("no terminal description for TERM=no-such-terminal")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("code 4")) << terminal.screen();
  terminal.type("clear; echo 0 | TERM=no-such-terminal " + command() + " --simple; echo code $?", "Enter");
  EXPECT_TRUE(terminal.shows("code 0")) << terminal.screen();
}

TEST_F(Terminal, ColoursAreLeftOutWhereAsked) {
  Tmux terminal(box, 80, 24);
  ASSERT_TRUE(terminal.started()) << "tmux is needed (`./setup.sh test`): " << terminal.problem();
  terminal.type("NO_COLOR=1 LC_ALL=C " + command(), "Enter");
  EXPECT_TRUE(terminal.shows("[1 Workloads]")) << terminal.screen();
  EXPECT_TRUE(terminal.shows("^v move")) << "a terminal without UTF-8 gets ASCII: " << terminal.screen();
  terminal.type("q");
}

TEST(WithoutATerminal, TheScreenIsRefusedAndTheMenuWorks) {
  Sandbox box;
  const Finished refused = box.run({"tui"});
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_NE(refused.err.find("--simple"), std::string::npos) << refused.err;
  const Finished simple = box.run({"tui", "--simple"});
  EXPECT_EQ(simple.exit_code, 0) << "its input is at its end";
  EXPECT_NE(simple.out.find("1  workloads"), std::string::npos) << simple.out;
  EXPECT_EQ(box.run({"tui", "--json"}).exit_code, 2);
}

}  // namespace
}  // namespace aisp::testing

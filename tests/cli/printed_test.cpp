// SPDX-License-Identifier: Apache-2.0
// What the small commands print, and where: completions, the man page, help, colours, closed pipes.
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/report/text.h"
#include "tests/cli/stored_run.h"
#include "tests/report/golden.h"

namespace aisp::testing {
namespace {

TEST(Completions, OfferWhatAFlagTakes) {
  Sandbox box;
  std::ofstream(box.root() / "aisp.bash") << box.run({"completions", "bash"}).out;
  EXPECT_EQ(box.run({"-n", (box.root() / "aisp.bash").string()}, "/bin/bash").exit_code, 0);
  const auto offered = [&](const std::string& line) {
    const std::string script = "aisp() { '" AISP_PROGRAM "' \"$@\"; }; source '" +
                               (box.root() / "aisp.bash").string() + "'; COMP_WORDS=(" + line +
                               "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _aisp; echo \"${COMPREPLY[*]}\"";
    return box.run({"-c", script}, "/bin/bash").out;
  };
  EXPECT_EQ(offered("aisp run --policy ''"), "portable standard strict\n");
  EXPECT_EQ(offered("aisp run --policy st"), "standard strict\n");
  EXPECT_EQ(offered("aisp run --config ''"), "\n") << "the shell completes files";
  EXPECT_EQ(offered("aisp run ch07/tr"), "ch07/transpose\n");
  EXPECT_EQ(offered("aisp store ''"), "check prune migrate merge\n");
  EXPECT_EQ(offered("aisp show lat"), "latest\n") << "runs, not workloads";
  EXPECT_EQ(offered("aisp show ch0"), "\n");
  EXPECT_EQ(offered("aisp doctor --js"), "--json\n");
  EXPECT_EQ(offered("aisp ver"), "verify version\n");
  EXPECT_EQ(offered("aisp analyze le"), "leaderboard\n");
  EXPECT_EQ(offered("aisp analyze leaderboard --go"), "--goal\n") << "the flags of the word, not of analyze";
  EXPECT_EQ(offered("aisp analyze leaderboard --goal me"), "memory\n");
  EXPECT_EQ(offered("aisp utils kv"), "kv-cache\n");
  EXPECT_EQ(offered("aisp utils kv-cache --lay"), "--layers\n");
  EXPECT_EQ(offered("aisp help utils kv"), "kv-cache\n");
  EXPECT_EQ(offered("aisp help run ''"), "\n") << "nothing is below it";
}

TEST(Completions, ForOtherShells) {
  Sandbox box;
  const std::string fish = box.run({"completions", "fish"}).out;
  EXPECT_NE(fish.find("-l json"), std::string::npos);
  EXPECT_NE(fish.find("'portable standard strict'"), std::string::npos);
  EXPECT_NE(
      fish.find("'__fish_seen_subcommand_from analyze; and not __fish_seen_subcommand_from leaderboard "),
      std::string::npos)
      << fish;
  EXPECT_NE(box.run({"completions", "zsh"}).out.find("bashcompinit"), std::string::npos);
  EXPECT_EQ(box.run({"completions", "tcsh"}).exit_code, 2);
}

TEST(ManPage, NamesEveryCommandAndHasNoStrayCommands) {
  Sandbox box;
  const std::string page = box.run({"man"}).out;
  EXPECT_EQ(page.rfind(".TH AISP 1", 0), 0u);
  for (const char* command : {"run", "compare", "store", "utils", "utils kv\\-cache", "history"})
    EXPECT_NE(page.find(std::string("\n.SS ") + command), std::string::npos) << command;
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || (line[0] != '.' && line[0] != '\'')) continue;
    const std::string macro = line.substr(0, line.find(' '));
    EXPECT_TRUE(macro == ".TH" || macro == ".SH" || macro == ".SS" || macro == ".TP" || macro == ".B" ||
                macro == ".I" || macro == ".P" || macro == ".nf" || macro == ".fi")
        << line;
  }
}

TEST(Help, ReadsAsCommitted) {
  Sandbox box;
  report::expect_golden("help.txt", box.run({"help"}).out);
  report::expect_golden("help_list.txt", box.run({"help", "list"}).out);
  report::expect_golden("help_store.txt", box.run({"store", "--help"}).out);
  report::expect_golden("help_utils.txt", box.run({"utils", "--help"}).out);
  report::expect_golden("help_whatif.txt", box.run({"analyze", "whatif", "--help"}).out);
  EXPECT_EQ(box.run({"utils", "kv-cache", "--help"}).out, box.run({"help", "kv-cache"}).out);
}

TEST(Help, TakesTheWordsOfAGroup) {
  Sandbox box;
  const std::string kv = box.run({"help", "kv-cache"}).out;
  EXPECT_NE(kv.find("usage: aisp utils kv-cache"), std::string::npos) << kv;
  EXPECT_EQ(box.run({"help", "utils", "kv-cache"}).out, kv);
  EXPECT_EQ(box.run({"help", "analyze", "leaderboard"}).out, box.run({"help", "leaderboard"}).out);
  const Finished misspelt = box.run({"help", "utils", "kv-cash"});
  EXPECT_EQ(misspelt.exit_code, 2);
  EXPECT_NE(misspelt.err.find("did you mean `aisp help utils kv-cache`?"), std::string::npos) << misspelt.err;
  const Finished too_much = box.run({"help", "run", "ch07"});
  EXPECT_EQ(too_much.exit_code, 2);
  EXPECT_NE(too_much.err.find("'ch07' is too much"), std::string::npos) << too_much.err;
  EXPECT_EQ(box.run({"help", "utils", "run"}).exit_code, 2) << "a command, but not of utils";
}

TEST(Doctor, SaysWhatItLookedAt) {
  Sandbox box;
  const Finished found = box.run({"doctor", "--json"});
  EXPECT_TRUE(found.exit_code == 0 || found.exit_code == 4) << found.err;
  const Json findings = found.json().value("findings", Json::array());
  EXPECT_GT(findings.size(), 3u);
  bool bad = false;
  for (const Json& finding : findings) bad = bad || finding["status"] == "bad";
  EXPECT_EQ(found.exit_code == 4, bad) << found.out;
}

TEST(Peak, MeasuresAndRefusesAStoreItCannotWriteToBefore) {
  Sandbox box;
  const Json peak = box.run({"peak", "--seconds", "1", "--json"}).json();
  EXPECT_GT(peak.value("entries", Json::array()).size(), 3u) << peak.dump();
  const Finished refused = box.run({"peak", "--seconds", "3600", "--store", "/proc/nowhere/results.db"});
  EXPECT_EQ(refused.exit_code, 7) << "told before an hour's measurement: " << refused.err;
  EXPECT_EQ(box.run({"peak", "--seconds", "3600", "--device", "loom"}).exit_code, 2);
}

/// What a terminal of `columns` columns receives from a command, stdout and stderr together.
std::string on_terminal(Sandbox& box, std::vector<std::string> words, unsigned short columns = 100) {
  std::vector<std::string> variables{"TERM=xterm"};
  for (const auto& [name, value] : box.environment) variables.push_back(name + "=" + value);
  words.insert(words.begin(), "aisp");
  std::vector<char*> argv, envp;
  for (std::string& word : words) argv.push_back(word.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);
  const winsize size{24, columns, 0, 0};
  int terminal = -1;
  const pid_t pid = forkpty(&terminal, nullptr, nullptr, &size);
  if (pid == 0) {
    execve(AISP_PROGRAM, argv.data(), envp.data());
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  close(terminal);
  waitpid(pid, nullptr, 0);
  return text;
}

TEST(Progress, FitsTheTerminalAndIsErased) {
  Sandbox box;
  const std::string text = on_terminal(box, {"verify", "ch08/ilp", "ch07/transpose"}, 40);
  const std::string erase = "\r\033[K";
  std::size_t lines = 0;
  for (std::size_t at = text.find(erase); at != std::string::npos;) {
    at += erase.size();
    const std::size_t next = text.find(erase, at);
    if (next == std::string::npos) break;
    const std::string line = text.substr(at, next - at);
    if (line.rfind("[", 0) == 0) {
      ++lines;
      EXPECT_LE(report::display_width(line), 39) << line;
    }
    at = next;
  }
  EXPECT_GT(lines, 0u) << text;
  EXPECT_EQ(on_terminal(box, {"verify", "ch08/ilp", "--quiet"}).find("[...."), std::string::npos);
}

TEST(Colour, OnATerminalUnlessNoColorIsSet) {
  Sandbox box;
  store_a_run(box);
  EXPECT_NE(on_terminal(box, {"show"}).find("\033["), std::string::npos);
  box.environment["NO_COLOR"] = "1";
  EXPECT_EQ(on_terminal(box, {"show"}).find("\033["), std::string::npos);
  box.environment.erase("NO_COLOR");
  EXPECT_EQ(box.run({"show"}).out.find("\033["), std::string::npos) << "not a terminal";
}

TEST(ClosedPipe, IsAnErrorAndTheReportIsWritten) {
  Sandbox box;
  store_a_run(box);
  box.before_exec = [] {
    int ends[2];
    if (pipe(ends) != 0) _exit(125);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
  };
  for (const char* command : {"list", "show", "help", "doctor"}) {
    const Finished closed = box.run({command});
    EXPECT_EQ(closed.signal, 0) << command;
    EXPECT_EQ(closed.exit_code, 7) << command;
    EXPECT_EQ(closed.err, "") << command;
  }
  const Finished run = box.run({"run", "--plugin", plugin("pace"), "pace/fast", "--cell-seconds", "0.2",
                                "--max-rounds", "24", "--attempts", "1", "--report", "r.html"});
  EXPECT_EQ(run.exit_code, 7) << run.err;
  EXPECT_TRUE(std::filesystem::exists(box.directory / "r.html"));
}

TEST(FullDisk, ARunIsNamedWhereItsReportCannotBeWritten) {
  Sandbox box;
  for (const char* target : {"/dev/full", "&-"}) {
    const Finished run = box.run(
        {"-c", std::string("exec \"$0\" \"$@\" >") + target, AISP_PROGRAM, "run", "--plugin", plugin("pace"),
         "pace/fast", "--cell-seconds", "0.2", "--max-rounds", "24", "--attempts", "1"},
        "/bin/sh");
    EXPECT_EQ(run.exit_code, 7) << run.err;
    EXPECT_NE(run.err.find("cannot write to stdout: "), std::string::npos) << run.err;
    const std::size_t at = run.err.find("`aisp show ");
    ASSERT_NE(at, std::string::npos) << run.err;
    const std::string id = run.err.substr(at + 11, run.err.find('`', at + 11) - at - 11);
    EXPECT_EQ(box.run({"show", id}).exit_code, 0) << id;
  }
}

TEST(Verify, CountsWhatIsNotOnTheLadderApart) {
  Sandbox box;
  const Finished combined = box.run({"verify", "ch09/softmax"});
  EXPECT_EQ(combined.exit_code, 0) << combined.out << combined.err;
  EXPECT_NE(combined.out.find(" 4 variants, 7 combinations, "), std::string::npos) << combined.out;
  const Finished tunable = box.run({"verify", "ch07/transpose"});
  EXPECT_NE(tunable.out.find(" configurations, "), std::string::npos) << tunable.out;
}

TEST(Verify, CountsTheCellsThatDidNotPass) {
  Sandbox box;
  const Finished bad = box.run({"verify", "--plugin", plugin("dishonest"), "dishonest"});
  EXPECT_EQ(bad.exit_code, 1) << bad.out << bad.err;
  std::size_t rows = 0;
  for (std::size_t at = 0; (at = bad.out.find("BAD ", at)) != std::string::npos; ++at) ++rows;
  EXPECT_GT(rows, 0u);
  EXPECT_NE(bad.out.find(", " + std::to_string(rows) + " failed"), std::string::npos) << bad.out;
}

TEST(Mistakes, InArgumentsAreNamed) {
  Sandbox box;
  const auto says = [&](const std::vector<std::string>& words, const std::string& text) {
    const Finished refused = box.run(words);
    EXPECT_EQ(refused.exit_code, 2) << refused.out << refused.err;
    EXPECT_NE(refused.err.find(text), std::string::npos) << refused.err;
  };
  says({"show", "latest", "extra"}, "'extra' is too much");
  says({"doctor", "extra"}, "takes no arguments");
  says({"help", "run", "extra"}, "'extra' is too much");
  says({"export", "a", "b"}, "'b' is too much");
  says({"help", "lst"}, "did you mean `aisp list`?");
  says({"list", "--tag", "memroy"}, "no workload has the tag 'memroy'");
  says({"list", "--goal", "speeed"}, "did you mean 'speed'?");
  says({"run", "ch07", "--waive", "output_writen"}, "did you mean 'output_written'?");
  says({"run", "ch08/ilp", "--variant", "nope"}, "a variant 'nope'");
  says({"verify", "ch08/ilp", "--variant", "nope"}, "a variant 'nope'");
  says({"run", "ch07", "--dry-run=maybe"}, "--dry-run takes no value");
  says({"run", "ch07", "--attempts="}, "--attempts needs a value");
  says({"run", "ch07", "--policy"}, "choose one of portable, standard, strict");
  says({"store", "prune", "--keep", "-1"}, "from 0 to 1000000000");
}

TEST(CommonFlags, MayComeBeforeTheCommand) {
  Sandbox box;
  EXPECT_EQ(box.run({"--json", "list", "--names"}).out, box.run({"list", "--names", "--json"}).out);
  const Finished shown = box.run({"--store", "elsewhere.db", "show"});
  EXPECT_NE(shown.err.find("elsewhere.db"), std::string::npos) << shown.err;
}

}  // namespace
}  // namespace aisp::testing

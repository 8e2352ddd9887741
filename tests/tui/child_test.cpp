// SPDX-License-Identifier: Apache-2.0
// The process behind a live run, played by a shell: its lines, its end, and that it never outlives its owner.
#include "aisp/tui/child.h"

#include <csignal>
#include <fstream>

#include <gtest/gtest.h>
#include <poll.h>

#include "tests/integration/aisp_process.h"

namespace aisp::tui {
namespace {

using testing::eventually;
using Words = std::vector<std::string>;

Result<Child> shell(const std::string& script) { return Child::start("/bin/sh", {"-c", script}); }

/// Everything it says, until its end.
std::pair<Words, int> all_of(Child& child) {
  Words lines;
  std::optional<int> code;
  EXPECT_TRUE(eventually([&] {
    for (std::string& line : child.read()) lines.push_back(std::move(line));
    code = child.ended();
    return code.has_value();
  }));
  return {lines, code.value_or(-1)};
}

bool alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return static_cast<bool>(stat >> number >> name >> state) && state != "Z";
}

TEST(Child, TellsItsLinesAndItsExitCode) {
  auto child = shell("echo one >&2; echo not this; printf 'two\\nrest' >&2; exit 9");
  ASSERT_TRUE(child);
  const auto [lines, code] = all_of(*child);
  EXPECT_EQ(lines, (Words{"one", "two", "rest"}));
  EXPECT_EQ(code, 9);
  EXPECT_EQ(child->ended(), 9) << "once told, it stays so";
}

TEST(Child, OneThatCannotBeStartedHasEnded) {
  auto child = Child::start("/no/such/program", {"run"});
  ASSERT_TRUE(child);
  EXPECT_EQ(all_of(*child).second, 127);
}

TEST(Child, IsAskedToEndAndMayFinish) {
  auto child = shell("trap 'echo kept >&2; exit 143' TERM; echo ready >&2; while :; do sleep 0.05; done");
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return !child->read().empty(); }));
  child->end();
  const auto [lines, code] = all_of(*child);
  EXPECT_EQ(lines, Words{"kept"});
  EXPECT_EQ(code, 143);
}

TEST(Child, OneThatWillNotEndIsKilled) {
  auto child = shell("trap '' TERM; echo ready >&2; while :; do sleep 0.05; done");
  ASSERT_TRUE(child);
  ASSERT_TRUE(eventually([&] { return !child->read().empty(); }));
  child->end();
  child->end();
  EXPECT_FALSE(child->ended().has_value());
  child->end();
  EXPECT_EQ(all_of(*child).second, 128 + SIGKILL);
}

TEST(Child, DoesNotOutliveItsOwner) {
  pid_t pid = 0;
  {
    auto child = shell("echo $$ >&2; exec sleep 1000");
    ASSERT_TRUE(child);
    ASSERT_TRUE(eventually([&] {
      for (const std::string& line : child->read()) pid = static_cast<pid_t>(std::stol(line));
      return pid > 0;
    }));
    EXPECT_TRUE(alive(pid));
  }
  EXPECT_FALSE(alive(pid));
}

}  // namespace
}  // namespace aisp::tui

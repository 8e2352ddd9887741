// SPDX-License-Identifier: Apache-2.0
// Memory that is refused anywhere in the command line's own code: exit code 4, or what was asked for.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "aisp/cli/command.h"
#include "tests/allocation/failing_memory.h"

namespace aisp::allocation {
namespace {

int quiet_main(std::vector<std::string> words) {
  if (std::freopen("/dev/null", "w", stdout) == nullptr || std::freopen("/dev/null", "w", stderr) == nullptr)
    return 99;
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  start_here();
  return cli::main(static_cast<int>(words.size()), argv.data());
}

TEST(CommandWithoutMemory, SaysSo) {
  for (const char* word : {"--no-such-flag", "--json"}) {
    const bool right = std::string_view(word) == "--json";
    const Sweep sweep = sweep_allocations(Memory::cpp, 11, [&](long) {
      stop_failing();
      const int code = quiet_main({"aisp", "help", word});
      return code == (right ? 0 : 2) ? kDone : code == 4 ? kRefused : kWrong;
    });
    EXPECT_EQ(sweep.wrong, "") << word;
    EXPECT_EQ(sweep.threw, 0) << "main() lets nothing out";
    EXPECT_GT(sweep.refused, 10) << word;
  }
}

}  // namespace
}  // namespace aisp::allocation

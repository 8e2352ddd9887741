// SPDX-License-Identifier: Apache-2.0
// A plugin whose constructor misbehaves while it is loaded; AISP_TEST_AT_LOAD chooses how. No workload is
// needed: nothing after the constructor is reached.
#include <csignal>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace {

[[gnu::constructor]] void at_load() {
  const char* choice = std::getenv("AISP_TEST_AT_LOAD");
  const std::string_view how = choice == nullptr ? "" : choice;
  if (how == "crash") raise(SIGSEGV);
  if (how == "exit") _exit(0);
  for (volatile bool on = how == "hang"; on;) {
  }
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Ends every process that loads it without a limit on its memory.
#include <cstdlib>

#include <sys/resource.h>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

[[gnu::constructor]] void at_load() {
  rlimit memory{};
  if (getrlimit(RLIMIT_AS, &memory) != 0 || memory.rlim_cur == RLIM_INFINITY) std::abort();
}

const Registration limited{doubling("limited/honest", "same", honest)};

}  // namespace
}  // namespace aisp::plugins

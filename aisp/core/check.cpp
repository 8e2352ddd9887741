// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/check.h"

#include <cstdio>
#include <cstdlib>

namespace aisp {

void check_failed(const char* condition, const char* sentence, const char* file, int line) {
  std::fprintf(stderr, "aisp: internal error: %s (%s) at %s:%d\n", sentence, condition, file, line);
  std::fflush(stderr);
  std::abort();
}

}  // namespace aisp

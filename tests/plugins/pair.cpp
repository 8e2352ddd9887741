// SPDX-License-Identifier: Apache-2.0
// One workload in three builds, for tests that pair builds: AISP_PAIR_BUILD is 0 for the honest one, 1 for
// one that leaves half of its work undone, 2 for one that does its work many times over.
#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

#if AISP_PAIR_BUILD == 1
void step(const Call& call) {
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  for (std::int64_t i = 0; i < x.size / 2; ++i) y[i] = 2 * x[i];
}
#elif AISP_PAIR_BUILD == 2
void step(const Call& call) {
  for (int i = 0; i < 20; ++i) {
    honest(call);
    asm volatile("" ::: "memory");  // or the compiler would do it once
  }
}
#else
void step(const Call& call) { honest(call); }
#endif

const Registration pair{doubling("pair/double", "step", step)};

}  // namespace
}  // namespace aisp::plugins

// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/tunable.h"

namespace aisp {

Params with_fallbacks(Params sizes, std::span<const Tunable> tunables) {
  for (const Tunable& tunable : tunables) sizes.set(tunable.name, tunable.fallback);
  return sizes;
}

}  // namespace aisp

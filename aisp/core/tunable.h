// SPDX-License-Identifier: Apache-2.0
/// \file
/// A number that a variant leaves open: how large a tile, how many tables, how many threads a block. Its code
/// reads the chosen value beside the sizes, in prepare() and when it runs:
///
///   void tiled(const Call& call) { const std::int64_t tile = call.params()["tile"]; ... }
///   ...
///   {.name = "tiled", .run = tiled, .tunables = {{.name = "tile", .values = {8, 16, 32}, .fallback = 16}}}
///
/// Everybody measures the fallback. `aisp tune` searches the other values, and `unavailable` may say of a
/// value why it cannot be at this size or on this device. The problem never sees them: whatever is chosen,
/// the work is the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/params.h"

namespace aisp {

struct Tunable {
  std::string name;  ///< of small letters, digits and _; no axis has it
  std::vector<std::int64_t> values;
  std::int64_t fallback = 0;  ///< one of `values`: what is used when nobody chose
  AISP_FIELDS(name, values, fallback)
};

/// The sizes and, behind them, each tunable at its fallback.
Params with_fallbacks(Params sizes, std::span<const Tunable> tunables);

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch06/grid_stride: y = table[code], weights stored as 8-bit codes. Shared
/// by the variants of every device; the lesson is in grid_stride_cpu.cpp.
#pragma once

#include <cstdint>

#include "aisp/aisp.h"

namespace aisp::grid_stride {

enum { kCodes, kTable };
enum { kY };
constexpr int kEntries = 256;

inline Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::uint8_t>("codes", {n}, {integers(0, kEntries - 1), skewed(kEntries)}),
                      input<float>("table", {kEntries}, {uniform(-1, 1), wide_range(-60, 60)}),
                      output<float>("y", {n}, exact())},
          .work = {.bytes = 5 * static_cast<double>(n) + 4 * kEntries, .items = static_cast<double>(n)}};
}

inline void reference(const ReferenceCall& call) {
  const auto codes = call.input<std::uint8_t>(kCodes);
  const auto table = call.input<float>(kTable);
  for (std::int64_t i = 0; i < codes.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = table[codes[i]];
}

}  // namespace aisp::grid_stride

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch08/compaction: the positive values of each row, moved to its front in
/// order, and how many there are; the rest of the row is -1. Shared by the variants of every device; the
/// lesson is in compaction_cpu.cpp.
#pragma once

#include <algorithm>

#include "aisp/aisp.h"

namespace aisp::compaction {

enum { kX };
enum { kKept, kCounts };
constexpr float kFiller = -1;

/// A ladder may give the number of values instead of the rows, so that every length of row moves the same
/// bytes.
inline std::int64_t rows_of(const Params& p) {
  return p.has("rows") ? p["rows"] : std::max<std::int64_t>(1, p["values"] / p["cols"]);
}

/// A quarter is exactly zero, and zeros of both signs are not positive; three in five of the others are.
/// constexpr, so that device code may call it too.
constexpr double value_or_zero(std::uint64_t word) {
  const double value = static_cast<double>((word >> 16) & 0xffffffu) * 0x1p-24 * 1.25 - 0.5;
  return word % 4 != 0 ? value : (word >> 63) != 0 ? -0.0 : 0.0;
}

inline void draw_with_zeros(const DrawContext& /*context*/, Rng& rng, const TensorView& x) {
  for (std::int64_t i = 0; i < x.size; ++i) x.set(i, value_or_zero(rng.word()));
}

inline Problem problem(const Params& p) {
  const auto rows = rows_of(p), cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {
      .tensors = {input<float>("x", {rows, cols}, {uniform(-1, 1), drawn_by("with zeros", draw_with_zeros)}),
                  output<float>("kept", {rows, cols}, exact()),
                  output<std::int32_t>("counts", {rows}, exact())},
      .work = {.bytes = 8 * count + 4 * static_cast<double>(rows), .items = count}};
}

inline void reference(const ReferenceCall& call) {
  const auto rows = rows_of(call.params), cols = call.params["cols"];
  const auto x = call.input<float>(kX);
  for (std::int64_t r = 0; r < rows; ++r) {
    double* kept = &call.outputs[kKept].value[static_cast<std::size_t>(r * cols)];
    std::int64_t count = 0;
    for (std::int64_t c = 0; c < cols; ++c) {
      if (x[r * cols + c] > 0) kept[count++] = x[r * cols + c];
    }
    for (std::int64_t c = count; c < cols; ++c) kept[c] = kFiller;
    call.outputs[kCounts].value[static_cast<std::size_t>(r)] = static_cast<double>(count);
  }
}

}  // namespace aisp::compaction

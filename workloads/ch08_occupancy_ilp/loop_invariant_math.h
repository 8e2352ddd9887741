// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch08/loop_invariant_math, rotary position embedding: of each head, the
/// pair of values 2i and 2i + 1 is turned by the angle position * 10000^(-2i / dim). Shared by the variants
/// of every device; the lesson is in loop_invariant_math_cpu.cpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::loop_invariant_math {

enum { kX, kPositions };
enum { kY };
constexpr double kBase = 10000;
constexpr float kLogOfBase = 13.287712379549449f;  ///< to base 2

/// A head has dim = 2 * pairs values.
inline Problem problem(const Params& p) {
  const auto tokens = p["tokens"], heads = p["heads"], pairs = p["pairs"];
  const auto count = static_cast<double>(tokens * heads * pairs * 2);
  // The reference's scale has the angle in it. In single precision a power of 10000 is off by up to 20 units:
  // its exponent is rounded, and that error multiplied by the logarithm of the base.
  const Tolerance tolerance = {
      .relative = 0,
      .scaled = 32 * unit_roundoff(DType::f32),
      .reason = "an angle off by 24 units of f32 of itself, its sine and four roundings"};
  return {.tensors = {input<float>("x", {tokens, heads, 2 * pairs}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<std::int32_t>("positions", {tokens}, {integers(0, 4095), integers(0, 31)}),
                      output<float>("y", {tokens, heads, 2 * pairs}, tolerance)},
          .work = {.bytes = 8 * count + 4 * static_cast<double>(tokens),
                   .flops = 3 * count,
                   .items = static_cast<double>(tokens),
                   .traffic = Traffic::copy},
          .workspace_bytes = static_cast<std::size_t>(pairs) * 3 * sizeof(float)};
}

inline double angle_of(std::int32_t position, std::int64_t pair, std::int64_t pairs) {
  return position * std::pow(kBase, -static_cast<double>(pair) / static_cast<double>(pairs));
}

/// In double. The scale: what is added, by how far the angle may be off.
inline void reference(const ReferenceCall& call) {
  const auto heads = call.params["heads"], pairs = call.params["pairs"];
  const auto x = call.input<float>(kX);
  const auto positions = call.input<std::int32_t>(kPositions);
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t i = 0; i < x.size / 2; ++i) {
    const double angle = angle_of(positions[i / (heads * pairs)], i % pairs, pairs);
    const double a = x[2 * i], b = x[2 * i + 1], c = std::cos(angle), s = std::sin(angle);
    const auto at = static_cast<std::size_t>(2 * i);
    y.value[at] = a * c - b * s;
    y.value[at + 1] = a * s + b * c;
    y.scale[at] = y.scale[at + 1] = (std::fabs(a) + std::fabs(b)) * (1 + angle);
  }
}

/// How fast each pair turns, in single precision: known when the shapes are.
inline std::vector<float> frequencies(std::int64_t pairs) {
  std::vector<float> all(static_cast<std::size_t>(pairs));
  for (std::int64_t i = 0; i < pairs; ++i)
    all[static_cast<std::size_t>(i)] = static_cast<float>(angle_of(1, i, pairs));
  return all;
}

}  // namespace aisp::loop_invariant_math

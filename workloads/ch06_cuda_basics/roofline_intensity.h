// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch06/roofline_intensity: y = x after k steps of v = a v + b. Shared by
/// the variants of every device; the lesson is in roofline_intensity_cpu.cpp.
#pragma once

#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"

namespace aisp::roofline_intensity {

enum { kX };
enum { kY };

/// a is so near to 1 that even a thousand steps leave most of x.
constexpr float kA = 1 - 0x1p-12f, kB = 0x1p-12f;

inline Problem problem(const Params& p) {
  const auto n = p["n"], k = p["k"];
  const auto values = static_cast<double>(n), steps = static_cast<double>(k);
  const Tolerance tolerance = {
      .scaled = (2 * steps + 1) * unit_roundoff(DType::f32),
      .reason = "a rounding of f32 a step, two where multiply and add are two instructions"};
  return {
      .tensors = {input<float>("x", {n}, {uniform(-1, 1), wide_range(-6, 6)}),
                  output<float>("y", {n}, tolerance)},
      .work = {.bytes = 8 * values, .flops = 2 * steps * values, .items = values, .traffic = Traffic::copy}};
}

/// a^k x + b (1 - a^k) / (1 - a), and b = 1 - a; `rest` is a^k. Errors of all steps together are measured
/// against all that was added: both terms, without their signs. constexpr, so that device code may call it
/// too.
constexpr void after_steps(double x, double rest, double& value, double& scale) {
  value = rest * x + (1 - rest);
  scale = (x < 0 ? -x : x) + (1 - rest);
}

inline void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const double rest = std::pow(double{kA}, static_cast<double>(call.params["k"]));
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t i = 0; i < x.size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    after_steps(x[i], rest, y.value[at], y.scale[at]);
  }
}

}  // namespace aisp::roofline_intensity

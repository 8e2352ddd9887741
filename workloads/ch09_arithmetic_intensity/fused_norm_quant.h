// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch09/fused_norm_quant, what stands between two layers of a quantised
/// model:
///
///   h = x + residual                       kept: the next layer's residual
///   n = gain * h / sqrt(mean(h^2) + eps)   RMSNorm, row by row
///   q = round(n / scale), scale = max|n| / 127 of the row
///
/// Shared by the variants of every device; the lesson is in fused_norm_quant_cpu.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "aisp/aisp.h"

namespace aisp::fused_norm_quant {

enum { kX, kResidual, kGain };
enum { kHidden, kQuantised, kScales };
constexpr double kEpsilon = 1e-5;

/// Activations as they are: a few columns a hundred times larger than the rest, and rows of different sizes.
inline void draw_outliers(const DrawContext& context, Rng& rng, const TensorView& x) {
  const auto cols = context.params["cols"];
  double row_size = 1;
  for (std::int64_t i = 0; i < x.size; ++i) {
    if (i % cols == 0) row_size = std::exp2(rng.uniform(-6, 6));
    x.set(i, row_size * rng.uniform(-1, 1) * (i % cols % 97 == 3 ? 100 : 1));
  }
}

/// A mean of `cols` squares, whose root has half the relative error, then a handful of single roundings.
inline Tolerance scale_tolerance(double cols) {
  Tolerance tolerance = reduction(DType::f32, DType::f32, cols);
  tolerance.scaled /= 2;
  tolerance.relative = 8 * unit_roundoff(DType::f32);
  tolerance.reason = "root of a " + tolerance.reason + ", then 8 roundings";
  return tolerance;
}

inline Problem problem(const Params& p) {
  const auto rows = p["rows"], cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {.tensors = {input<float>("x", {rows, cols}, {uniform(-1, 1), drawn_by("outliers", draw_outliers)}),
                      input<float>("residual", {rows, cols}, {uniform(-2, 2)}),
                      input<float>("gain", {cols}, {uniform(0.5, 1.5)}),
                      output<float>("hidden", {rows, cols}, roundings(DType::f32, 1)),
                      // Twelve roundings of a value up to 127, before it is rounded to a whole number.
                      output<std::int8_t>("quantised", {rows, cols}, quantised(127 * 12 * 0x1p-24)),
                      output<float>("scales", {rows}, scale_tolerance(static_cast<double>(cols)))},
          .work = {.bytes = 13 * count + 4 * static_cast<double>(rows + cols),
                   .items = static_cast<double>(rows)},
          .workspace_bytes = static_cast<std::size_t>(rows * cols) * sizeof(float)};
}

/// In double. `quantised` is left unrounded: an answer may be the whole number on either side of a half.
inline void reference(const ReferenceCall& call) {
  const auto rows = call.params["rows"], cols = call.params["cols"];
  const auto x = call.input<float>(kX), residual = call.input<float>(kResidual),
             gain = call.input<float>(kGain);
  for (std::int64_t r = 0; r < rows; ++r) {
    double* hidden = &call.outputs[kHidden].value[static_cast<std::size_t>(r * cols)];
    double* quantised = &call.outputs[kQuantised].value[static_cast<std::size_t>(r * cols)];
    double squares = 0, largest = 0;
    for (std::int64_t c = 0; c < cols; ++c) {
      hidden[c] = double{x[r * cols + c]} + residual[r * cols + c];
      squares += hidden[c] * hidden[c];
    }
    const double inverse = 1 / std::sqrt(squares / static_cast<double>(cols) + kEpsilon);
    for (std::int64_t c = 0; c < cols; ++c) {
      quantised[c] = gain[c] * hidden[c] * inverse;
      largest = std::max(largest, std::fabs(quantised[c]));
    }
    for (std::int64_t c = 0; c < cols; ++c) quantised[c] *= 127 / largest;
    call.outputs[kScales].value[static_cast<std::size_t>(r)] = largest / 127;
  }
}

}  // namespace aisp::fused_norm_quant

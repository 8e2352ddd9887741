// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch09/softmax: y[r][c] = exp(x[r][c] - max_r) / sum_r, for each row r.
/// Shared by the variants of every device; the lesson is in softmax.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "aisp/aisp.h"

namespace aisp::softmax {

enum { kX };
enum { kY };

/// A ladder may give the number of values instead of the rows, so that every length of row moves the same
/// bytes.
inline std::int64_t rows_of(const Params& p) {
  return p.has("rows") ? p["rows"] : std::max<std::int64_t>(1, p["values"] / p["cols"]);
}

/// Every row has its own offset, up to 300: exp() overflows unless the maximum is taken out first. A word for
/// the offset, then one for each value.
inline void draw_shifted(const DrawContext& context, Rng& rng, const TensorView& x) {
  const auto cols = context.params["cols"];
  double offset = 0;
  for (std::int64_t i = 0; i < x.size; ++i) {
    if (i % cols == 0) offset = rng.uniform(-300, 300);
    x.set(i, offset + rng.uniform(-6, 6));
  }
}

/// Attention with a mask: a quarter of the logits are -inf, never the first of a row. Three words for each
/// value, masked or not, so that a device can draw any of them by itself.
inline void draw_masked(const DrawContext& context, Rng& rng, const TensorView& x) {
  const auto cols = context.params["cols"];
  for (std::int64_t i = 0; i < x.size; ++i) {
    const bool masked = rng.below(4) == 0 && i % cols != 0;
    const double value = 3 * rng.normal();
    x.set(i, masked ? -std::numeric_limits<double>::infinity() : value);
  }
}

/// The sum rounds like any reduction of `cols` terms. The argument x - max is up to 32 in size and rounded
/// once, which exp() turns into a relative error of up to 16 units; the exp itself and the division add a few
/// more. Results below the smallest normal float may be flushed to zero.
inline Tolerance softmax_tolerance(double cols) {
  Tolerance tolerance = reduction(DType::f32, DType::f32, cols);
  tolerance.relative += 24 * unit_roundoff(DType::f32);
  tolerance.absolute = std::numeric_limits<float>::min();
  tolerance.reason += ", rounded argument of exp, exp and division";
  return tolerance;
}

inline Problem problem(const Params& p) {
  const auto rows = rows_of(p), cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {.tensors = {input<float>("x", {rows, cols},
                                   {uniform(-8, 8), drawn_by("shifted", draw_shifted),
                                    drawn_by("masked", draw_masked)}),
                      output<float>("y", {rows, cols}, softmax_tolerance(static_cast<double>(cols)))},
          .work = {.bytes = 8 * count, .items = static_cast<double>(rows)}};
}

/// The definition, in double.
inline void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const auto cols = call.params["cols"];
  for (std::int64_t row = 0; row < x.size; row += cols) {
    double* y = &call.outputs[kY].value[static_cast<std::size_t>(row)];
    const double max = *std::max_element(&x[row], &x[row] + cols);
    double sum = 0;
    for (std::int64_t c = 0; c < cols; ++c) sum += y[c] = std::exp(x[row + c] - max);
    for (std::int64_t c = 0; c < cols; ++c) y[c] /= sum;
  }
}

}  // namespace aisp::softmax

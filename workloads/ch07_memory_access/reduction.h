// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch07/reduction: y[r] = the sum of row r of x. Shared by the variants of
/// every device; the lesson is in reduction_cpu.cpp.
///
/// Row sums, not one sum of everything: a single number can neither be shuffled nor truncated, so a checker
/// of one number proves little. A row is long enough (8 and 16 MB) to be a reduction of its own.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "aisp/aisp.h"

namespace aisp::reduction_rows {

enum { kX };
enum { kY };

/// Partial sums may be kept in float over this many terms and must be widened then. A float sum of all 4 M
/// terms would be off by 1e-4; this allows 6e-6.
constexpr std::int64_t kFloatRun = 256;

/// A ladder may give the number of values instead of the rows, so that every length of row moves the same
/// bytes.
inline std::int64_t rows_of(const Params& p) {
  return p.has("rows") ? p["rows"] : std::max<std::int64_t>(1, p["values"] / p["cols"]);
}

/// The float made of one random word: 23 bits of mantissa under one of 24 exponents. constexpr, so that
/// device code may call it too.
constexpr float wide_value(std::uint64_t word) {
  const auto low = static_cast<std::uint32_t>(word), high = static_cast<std::uint32_t>(word >> 32);
  const std::uint32_t exponent = 127 - 20 + ((high & 0xffffu) * 24 >> 16);
  const std::uint32_t sign = (high >> 30) == 0 ? 0x80000000u : 0;
  return std::bit_cast<float>(sign | exponent << 23 | (low & 0x7fffffu));
}

/// Sizes from 2^-20 to 2^4 and one in four negative: small terms are lost by whoever adds them to a large
/// float.
inline void draw_wide(const DrawContext& /*context*/, Rng& rng, const TensorView& x) {
  // Put together as a float's bits: drawing takes much of a round's time, and a call of the library for each
  // value took much of that.
  const auto values = x.as<float>();
  for (std::int64_t i = 0; i < x.size; ++i) values[i] = wide_value(rng.word());
}

inline Problem problem(const Params& p) {
  const auto rows = rows_of(p), cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  const auto run = static_cast<double>(cols < kFloatRun ? cols : kFloatRun);
  return {.tensors = {input<float>("x", {rows, cols}, {uniform(0, 1), drawn_by("wide", draw_wide)}),
                      output<float>("y", {rows}, reduction(DType::f32, DType::f32, run))},
          .work = {.bytes = 4 * (count + static_cast<double>(rows)),
                   .flops = count,
                   .items = count,
                   .traffic = Traffic::read}};
}

/// One accumulator in double: exact to 1e-10 here. The scale of a sum is the sum of the sizes of its terms.
inline void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const auto rows = rows_of(call.params), cols = call.params["cols"];
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    double sum = 0, scale = 0;
    for (std::int64_t c = 0; c < cols; ++c) {
      sum += x[r * cols + c];
      scale += std::fabs(x[r * cols + c]);
    }
    y.value[static_cast<std::size_t>(r)] = sum;
    y.scale[static_cast<std::size_t>(r)] = scale;
  }
}

}  // namespace aisp::reduction_rows

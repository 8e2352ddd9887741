// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch16/int4_gemv: one token through a linear layer of 4-bit weights. Shared
/// by the variants of every device; the lesson is in int4_gemv_cpu.cpp.
///
/// A row is `blocks` blocks of 32 weights. Byte i of a block holds weight i in its low and weight i + 16 in
/// its high half, stored plus 8. A weight is (half - 8) * scale of its block; an activation is its byte *
/// scale of its block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>

#include "aisp/aisp.h"

namespace aisp::int4_gemv {

enum { kWeights, kWeightScales, kActivations, kActivationScales };
enum { kY };
constexpr std::int64_t kBlock = 32, kBlockBytes = kBlock / 2;

/// What a variant works on.
struct Layer {
  std::int64_t rows, blocks;
  const std::uint8_t* weights;
  const Half* weight_scales;
  const std::int8_t* activations;
  const float* activation_scales;
  float* y;
};
inline Layer layer_of(const Call& call) {
  return {.rows = call.params()["rows"],
          .blocks = call.params()["blocks"],
          .weights = call.input<std::uint8_t>(kWeights).data,
          .weight_scales = call.input<Half>(kWeightScales).data,
          .activations = call.input<std::int8_t>(kActivations).data,
          .activation_scales = call.input<float>(kActivationScales).data,
          .y = call.output<float>(kY).data};
}

template <class Change>
void draw_words(Rng& rng, const TensorView& bytes, Change change) {
  for (std::int64_t i = 0; i < bytes.size; i += 8) {
    const std::uint64_t word = change(rng.word());
    std::memcpy(bytes.data + i, &word, static_cast<std::size_t>(std::min<std::int64_t>(8, bytes.size - i)));
  }
}

inline void draw_bytes(const DrawContext& /*context*/, Rng& rng, const TensorView& bytes) {
  draw_words(rng, bytes, [](std::uint64_t word) { return word; });
}

/// Every half is 0, 1, 14 or 15: the largest products there are, to overflow whatever is too narrow.
inline void draw_extreme_halves(const DrawContext& /*context*/, Rng& rng, const TensorView& bytes) {
  constexpr std::uint64_t kOnes = 0x1111111111111111;
  draw_words(rng, bytes, [](std::uint64_t word) { return (word & kOnes) + 14 * ((word >> 1) & kOnes); });
}

/// Small values with one outlier of -128 or 127 in sixteen, as activations have them.
inline void draw_outliers(const DrawContext& /*context*/, Rng& rng, const TensorView& x) {
  for (std::int64_t i = 0; i < x.size; ++i) {
    const std::uint64_t word = rng.word();
    x.set(i, word % 16 == 0 ? ((word >> 60) % 2 == 0 ? -128.0 : 127.0)
                            : static_cast<double>((word >> 32) % 15) - 7);
  }
}

/// Across the blocks of a row: a float sum. Within a block whole numbers are exact, but who multiplies floats
/// there rounds some 100 times, at random, on values the size of the root of the sum of squares: 16 units
/// hold that.
inline Tolerance tolerance(double blocks) {
  Tolerance sum = reduction(DType::f32, DType::f32, blocks);
  sum.scaled += 16 * unit_roundoff(DType::f32);
  sum.reason += ", each a dot product of 32";
  return sum;
}

inline Problem problem(const Params& p) {
  const auto rows = p["rows"], blocks = p["blocks"];
  const auto bytes =
      static_cast<double>(rows * blocks * (kBlockBytes + 2) + blocks * (kBlock + 4) + rows * 4);
  return {
      .tensors = {input<std::uint8_t>(
                      "weights", {rows, blocks, kBlockBytes},
                      {drawn_by("bytes", draw_bytes), drawn_by("extreme", draw_extreme_halves)}),
                  input<Half>("weight_scales", {rows, blocks}, {uniform(0.01, 0.03), wide_range(-10, -2)}),
                  input<std::int8_t>("activations", {blocks, kBlock},
                                     {integers(-127, 127), drawn_by("outliers", draw_outliers)}),
                  input<float>("activation_scales", {blocks}, {uniform(0.005, 0.02), wide_range(-8, 0)}),
                  output<float>("y", {rows}, tolerance(static_cast<double>(blocks)))},
      // No flops: whole-number arithmetic is not bounded by the peak of any float type.
      .work = {.bytes = bytes, .items = static_cast<double>(rows), .traffic = Traffic::read},
      // The baseline's floats: the activations, and a row for each thread.
      .workspace_bytes = static_cast<std::size_t>(blocks * kBlock * 4 * (1 + threads_of(p)))};
}

/// Whole numbers within a block, double across blocks. The scale of a block is the root of its sum of
/// squares.
inline void reference(const ReferenceCall& call) {
  const auto rows = call.params["rows"], blocks = call.params["blocks"];
  const auto weights = call.input<std::uint8_t>(kWeights);
  const auto weight_scales = call.input<Half>(kWeightScales);
  const auto activations = call.input<std::int8_t>(kActivations);
  const auto activation_scales = call.input<float>(kActivationScales);
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t r = 0; r < rows; ++r) {
    double sum = 0, size = 0;
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::uint8_t* half = &weights[(r * blocks + b) * kBlockBytes];
      const std::int8_t* x = &activations[b * kBlock];
      int dot = 0, squares = 0;
      for (int i = 0; i < 16; ++i) {
        const int low = (half[i] % 16 - 8) * x[i], high = (half[i] / 16 - 8) * x[i + 16];
        dot += low + high;
        squares += low * low + high * high;
      }
      const double scale = double{to_float(weight_scales[r * blocks + b])} * double{activation_scales[b]};
      sum += dot * scale;
      size += std::sqrt(static_cast<double>(squares)) * std::fabs(scale);
    }
    y.value[static_cast<std::size_t>(r)] = sum;
    y.scale[static_cast<std::size_t>(r)] = size;
  }
}

}  // namespace aisp::int4_gemv

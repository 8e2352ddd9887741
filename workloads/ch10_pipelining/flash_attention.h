// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch10/flash_attention: o = softmax(q k^T / sqrt(64)) v for each head, with
/// queries seeing either all keys or those up to their own position. Shared by the variants of every device;
/// the lesson is in flash_attention_cpu.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::flash_attention {

enum { kQ, kK, kV };
enum { kO };
inline constexpr std::int64_t kDim = 64;      ///< the head dimension most models use
inline constexpr float kScoreScale = 0.125f;  ///< 1 / sqrt(kDim), exact

/// How many keys query `row` sees.
inline std::int64_t visible(std::int64_t row, std::int64_t seq, bool causal) {
  return causal ? std::min(row + 1, seq) : seq;
}

/// Rounding errors, in units of 2^-24 and six deviations: the weighted sum of `seq` values adds sqrt(seq) of
/// the values' size A; a score is a sum of 64 products and is off by |q||k| / sqrt(64), and that error
/// changes its weight and the sum of weights by as much. The reference reports scale = A (1 + 2 |q||k| /
/// sqrt(64) / sqrt(seq)), which gives 6 A (sqrt(seq) + 2 |q||k| / 8). An exp within a few roundings adds
/// nothing to that.
inline Tolerance tolerance(std::int64_t seq) {
  Tolerance t = reduction(DType::f32, DType::f32, static_cast<double>(seq));
  t.scaled = 6 * std::sqrt(static_cast<double>(seq)) * unit_roundoff(DType::f32);
  t.reason += ", weights from scores of 64 products";
  return t;
}

inline Problem problem(const Params& p) {
  const auto seq = p["seq"], heads = p["heads"];
  const Extents shape{heads, seq, kDim};
  const double pairs = static_cast<double>(heads) * static_cast<double>(seq) *
                       (p["causal"] != 0 ? 0.5 * static_cast<double>(seq + 1) : static_cast<double>(seq));
  // Well-behaved: weights spread over many keys. Hard: scores up to +-30, where a softmax that does not
  // subtract the maximum loses everything; keys of 3 levels, where many scores tie.
  return {.tensors = {input<float>("q", shape, {normal(0, 1), normal(0, 4), ties(-1, 1, 3)}),
                      input<float>("k", shape, {normal(0, 1), normal(0, 1), ties(-1, 1, 3)}),
                      input<float>("v", shape, {normal(0, 1), uniform(-1, 1), wide_range(-10, 2)}),
                      output<float>("o", shape, tolerance(seq))},
          .work = {.bytes = 16.0 * static_cast<double>(heads * seq * kDim),
                   .flops = 4.0 * static_cast<double>(kDim) * pairs,
                   .items = static_cast<double>(heads * seq)},
          .workspace_bytes = static_cast<std::size_t>(seq * seq + 4 * kDim * (seq + 256)) * sizeof(float)};
}

/// The definition in double, one query at a time. Keys are held transposed only so that the compiler can use
/// vectors of doubles.
inline void reference(const ReferenceCall& call) {
  const auto seq = call.params["seq"], heads = call.params["heads"];
  WideTensor& o = call.outputs[kO];
  o.scale.resize(o.value.size());
  std::vector<double> keys(kDim * seq), weight(seq), key_norm(seq), value_size(seq);
  for (std::int64_t h = 0; h < heads; ++h) {
    const float* q = &call.input<float>(kQ)[h * seq * kDim];
    const float* k = &call.input<float>(kK)[h * seq * kDim];
    const float* v = &call.input<float>(kV)[h * seq * kDim];
    for (std::int64_t j = 0; j < seq; ++j) {
      double k2 = 0, v2 = 0;
      for (std::int64_t d = 0; d < kDim; ++d) {
        const double key = k[j * kDim + d], value = v[j * kDim + d];
        keys[d * seq + j] = key;
        k2 += key * key;
        v2 += value * value;
      }
      key_norm[j] = std::sqrt(k2);
      value_size[j] = std::sqrt(v2 / kDim);
    }
    for (std::int64_t i = 0; i < seq; ++i) {
      const std::int64_t count = visible(i, seq, call.params["causal"] != 0);
      std::fill(weight.begin(), weight.end(), 0.0);
      double q2 = 0;
      for (std::int64_t d = 0; d < kDim; ++d) {
        const double query = static_cast<double>(q[i * kDim + d]) * kScoreScale;
        for (std::int64_t j = 0; j < count; ++j) weight[j] += query * keys[d * seq + j];
        q2 += query * query;
      }
      const double max = *std::max_element(weight.begin(), weight.begin() + count);
      double total = 0;
      for (std::int64_t j = 0; j < count; ++j) total += weight[j] = std::exp(weight[j] - max);
      double* out = &o.value[(h * seq + i) * kDim];
      double size = 0, score = 0;
      for (std::int64_t j = 0; j < count; ++j) {
        const double w = weight[j] / total;
        for (std::int64_t d = 0; d < kDim; ++d) out[d] += w * v[j * kDim + d];
        size += w * value_size[j];
        score += w * std::sqrt(q2) * key_norm[j];
      }
      const double scale = size * (1 + 2 * score / std::sqrt(static_cast<double>(seq)));
      std::fill_n(&o.scale[(h * seq + i) * kDim], kDim, scale);
    }
  }
}

}  // namespace aisp::flash_attention

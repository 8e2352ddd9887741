// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch10/flash_attention_bf16; the lesson is in flash_attention_bf16.cu.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::attention {

enum { kQ, kK, kV };
enum { kO };

/// As many sequences as the tokens fill.
inline std::int64_t batch_of(const Params& p) { return std::max<std::int64_t>(1, p["tokens"] / p["seq"]); }
/// Heads of queries; `group` of them share one of keys and values.
inline std::int64_t heads_of(const Params& p) { return p["kv_heads"] * p["group"]; }

/// Weights are rounded to 16 bits before they multiply the values, each by itself: an error of up to 2^-8 w v
/// a key, which add up as independent ones do. The reference reports scale = sqrt(sum of (w v)^2); six
/// deviations of a rounding are 2.5 of its largest, and 4 leave room for the roundings in 32 bits. The answer
/// itself is rounded once more.
inline Tolerance tolerance() {
  return {.relative = unit_roundoff(DType::bf16),
          .scaled = 4 * unit_roundoff(DType::bf16),
          .reason = "weights and answer rounded to bf16"};
}

inline Problem problem(const Params& p) {
  const auto batch = batch_of(p), seq = p["seq"], dim = p["dim"], heads = heads_of(p);
  const Extents queries{batch, heads, seq, dim}, keys{batch, p["kv_heads"], seq, dim};
  const auto rows = static_cast<double>(batch * heads * seq), length = static_cast<double>(seq);
  const double pairs = rows * (p["causal"] != 0 ? 0.5 * (length + 1) : length);
  // Well-behaved: weights spread over many keys. Hard: scores up to +-30, where a softmax that does not
  // subtract the maximum loses everything; keys of 3 levels, where many scores tie.
  return {
      .tensors = {input<BFloat16>("q", queries, {normal(0, 1), normal(0, 4), ties(-1, 1, 3)}),
                  input<BFloat16>("k", keys, {normal(0, 1), normal(0, 1), ties(-1, 1, 3)}),
                  input<BFloat16>("v", keys, {normal(0, 1), uniform(-1, 1), wide_range(-10, 2)}),
                  output<BFloat16>("o", queries, tolerance())},
      .work = {.bytes = 4 * static_cast<double>((heads + p["kv_heads"]) * batch * seq * dim),
               .flops = 4 * static_cast<double>(dim) * pairs,
               .items = rows,
               .math = DType::bf16},
      .workspace_bytes = std::size_t{3} << 30};  // a part of the scores, in the rung that has them in memory
}

/// The definition in double, one query at a time.
inline void reference(const ReferenceCall& call) {
  const auto seq = call.params["seq"], dim = call.params["dim"];
  const auto q = call.input<BFloat16>(kQ), k = call.input<BFloat16>(kK), v = call.input<BFloat16>(kV);
  WideTensor& o = call.outputs[kO];
  o.scale.resize(o.value.size());
  std::vector<double> weight(static_cast<std::size_t>(seq));
  for (std::int64_t row = 0; row < q.size / dim; ++row) {
    const std::int64_t head = row / seq / call.params["group"] * seq * dim;
    const std::int64_t count = call.params["causal"] != 0 ? row % seq + 1 : seq;
    double max = -HUGE_VAL, total = 0;
    for (std::int64_t j = 0; j < count; ++j) {
      double score = 0;
      for (std::int64_t d = 0; d < dim; ++d)
        score += double{to_float(q[row * dim + d])} * to_float(k[head + j * dim + d]);
      weight[static_cast<std::size_t>(j)] = score /= std::sqrt(static_cast<double>(dim));
      max = std::max(max, score);
    }
    for (std::int64_t j = 0; j < count; ++j) {
      double& w = weight[static_cast<std::size_t>(j)];
      total += w = std::exp(w - max);
    }
    for (std::int64_t d = 0; d < dim; ++d) {
      double sum = 0, squares = 0;
      for (std::int64_t j = 0; j < count; ++j) {
        const double term = weight[static_cast<std::size_t>(j)] / total * to_float(v[head + j * dim + d]);
        sum += term;
        squares += term * term;
      }
      o.value[static_cast<std::size_t>(row * dim + d)] = sum;
      o.scale[static_cast<std::size_t>(row * dim + d)] = std::sqrt(squares);
    }
  }
}

}  // namespace aisp::attention

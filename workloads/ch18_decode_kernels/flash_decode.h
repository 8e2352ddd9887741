// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch18/flash_decode: for each query o = softmax(q k^T / sqrt(128)) v, over
/// all keys of its sequence; `group` queries share a head of keys and values. Shared by the variants of every
/// device; the lessons are in flash_decode.cu and flash_decode_cpu.cpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::decode {

enum { kQ, kK, kV };
enum { kO };
constexpr int kDim = 128;  ///< of a head

/// As for ch10/flash_attention_bf16: weights are rounded to 16 bits before they multiply the values, each by
/// itself. The reference reports scale = sqrt(sum of (w v)^2).
inline Tolerance tolerance() {
  return {.relative = unit_roundoff(DType::bf16),
          .scaled = 4 * unit_roundoff(DType::bf16),
          .reason = "weights and answer rounded to bf16"};
}

/// Heads of keys and values of as many sequences as the tokens fill.
inline std::int64_t items_of(const Params& p) {
  return std::max<std::int64_t>(1, p["tokens"] / p["context"]) * p["kv_heads"];
}

inline Problem problem(const Params& p) {
  const auto items = items_of(p), group = p["group"], context = p["context"];
  const Extents queries{items, group, kDim}, keys{items, context, kDim};
  const auto cached = 2.0 * static_cast<double>(items * context * kDim),
             asked = static_cast<double>(items * group);
  // Well-behaved: weights spread over many keys. Hard: scores up to +-30; keys of 3 levels, where many tie.
  return {.tensors = {input<BFloat16>("q", queries, {normal(0, 1), normal(0, 4), ties(-1, 1, 3)}),
                      input<BFloat16>("k", keys, {normal(0, 1), normal(0, 1), ties(-1, 1, 3)}),
                      input<BFloat16>("v", keys, {normal(0, 1), uniform(-1, 1), wide_range(-10, 2)}),
                      output<BFloat16>("o", queries, tolerance())},
          .work = {.bytes = 2 * cached + 4 * asked * kDim,
                   .flops = 2 * cached * static_cast<double>(group),
                   .items = asked,
                   .math = DType::bf16,
                   .traffic = Traffic::read},
          .workspace_bytes = std::size_t{64} << 20};
}

/// The definition in double.
inline void reference(const ReferenceCall& call) {
  const auto q = call.input<BFloat16>(kQ), k = call.input<BFloat16>(kK), v = call.input<BFloat16>(kV);
  const auto context = call.params["context"];
  WideTensor& o = call.outputs[kO];
  o.scale.resize(o.value.size());
  std::vector<double> weight(static_cast<std::size_t>(context));
  for (std::int64_t query = 0; query < q.size / kDim; ++query) {
    const std::int64_t head = query / call.params["group"] * context * kDim;
    double max = -HUGE_VAL, total = 0;
    for (std::int64_t j = 0; j < context; ++j) {
      double score = 0;
      for (std::int64_t d = 0; d < kDim; ++d)
        score += double{to_float(q[query * kDim + d])} * to_float(k[head + j * kDim + d]);
      weight[static_cast<std::size_t>(j)] = score /= std::sqrt(double{kDim});
      max = std::max(max, score);
    }
    for (double& w : weight) total += w = std::exp(w - max);
    double* value = &o.value[static_cast<std::size_t>(query * kDim)];
    double scale[kDim] = {};  // squares of it
    for (std::int64_t j = 0; j < context; ++j) {
      const double share = weight[static_cast<std::size_t>(j)] / total;
      for (std::int64_t d = 0; d < kDim; ++d) {
        const double term = share * to_float(v[head + j * kDim + d]);
        value[d] += term;
        scale[d] += term * term;
      }
    }
    for (std::int64_t d = 0; d < kDim; ++d)
      o.scale[static_cast<std::size_t>(query * kDim + d)] = std::sqrt(scale[d]);
  }
}

}  // namespace aisp::decode

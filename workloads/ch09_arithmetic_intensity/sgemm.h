// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch09/sgemm: C = A B in single precision, square, row-major. Shared by the
/// variants of every device; the lesson is in sgemm.cpp.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "aisp/aisp.h"
#include "aisp/core/freivalds.h"
#include "workloads/ch09_arithmetic_intensity/sgemm_packed.h"

namespace aisp::sgemm {

enum { kA, kB };
enum { kC = 0 };

inline Problem problem(const Params& params) {
  const std::int64_t n = params["n"];
  const auto size = static_cast<double>(n);
  // wide_range: a few large terms among many small ones; an answer that drops the small ones is wrong.
  return {
      .tensors = {input<float>("a", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                  input<float>("b", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                  output<float>("c", {n, n}, reduction(DType::f32, DType::f32, size))},
      .work = {.bytes = 12 * size * size, .flops = 2 * size * size * size},
      .workspace_bytes = PackedProduct::workspace_bytes(best_sgemm_kernel(), n, n, n, threads_of(params))};
}

/// In double, and the magnitude of what was added.
inline void reference(const ReferenceCall& call) {
  const auto a = call.input<float>(kA);
  const auto b = call.input<float>(kB);
  const std::int64_t n = call.params["n"];
  std::vector<double>& value = call.outputs[kC].value;
  std::vector<double>& scale = call.outputs[kC].scale;
  scale.resize(value.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t p = 0; p < n; ++p) {
      const double factor = a[i * n + p];
      for (std::int64_t j = 0; j < n; ++j) {
        const double term = factor * static_cast<double>(b[p * n + j]);
        value[static_cast<std::size_t>(i * n + j)] += term;
        scale[static_cast<std::size_t>(i * n + j)] += std::fabs(term);
      }
    }
  }
}

/// From here on the n^3 reference takes longer than everything it would check; 32 random projections miss a
/// wrong element with probability 2^-32.
inline bool reference_is_slow(const Params& params) { return params["n"] >= 384; }

inline std::unique_ptr<AnswerChecker> check(const CheckSetup& setup) {
  const std::int64_t n = setup.params["n"];
  return make_freivalds_checker({.m = n, .n = n, .k = n, .a = kA, .b = kB, .c = kC}, setup);
}

}  // namespace aisp::sgemm

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch07/transpose: y[j][i] = x[i][j] for an n x n matrix of floats. Shared
/// by the variants of every device; the lesson is in transpose_cpu.cpp.
#pragma once

#include "aisp/aisp.h"

namespace aisp::transpose {

enum { kX };
enum { kY };

inline Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto count = static_cast<double>(n) * static_cast<double>(n);
  // Nothing may be rounded on the way, whatever its size: the second family spans 120 binary orders.
  return {.tensors = {input<float>("x", {n, n}, {uniform(-1, 1), wide_range(-60, 60)}),
                      output<float>("y", {n, n}, exact())},
          .work = {.bytes = 8 * count, .items = count, .traffic = Traffic::copy}};
}

inline void reference(const ReferenceCall& call) {
  const auto n = call.params["n"];
  const auto x = call.input<float>(kX);
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < n; ++i)
      call.outputs[kY].value[static_cast<std::size_t>(j * n + i)] = x[i * n + j];
  }
}

}  // namespace aisp::transpose

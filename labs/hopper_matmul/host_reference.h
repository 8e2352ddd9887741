// SPDX-License-Identifier: Apache-2.0
/// \file
/// The right answer of a square product D = A B^T on the host, in double, and the magnitude of what was
/// added.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "aisp/core/checker.h"

namespace aisp::hopper_matmul {

template <class T>
double wide_value(T value) {
  return to_float(value);
}
inline double wide_value(float value) { return value; }

/// Of inputs 0 and 1 to output 0, multiplied by `factor`.
template <class T>
void multiply_on_host(const ReferenceCall& call, double factor) {
  const auto a = call.input<T>(0), b = call.input<T>(1);
  const auto n = call.params["n"];
  std::vector<double>&value = call.outputs[0].value, &scale = call.outputs[0].scale;
  scale.resize(value.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (std::int64_t k = 0; k < n; ++k) {
        const double term = wide_value(a[i * n + k]) * wide_value(b[j * n + k]);
        sum += term;
        magnitude += std::fabs(term);
      }
      value[static_cast<std::size_t>(i * n + j)] = factor * sum;
      scale[static_cast<std::size_t>(i * n + j)] = std::fabs(factor) * magnitude;
    }
  }
}

}  // namespace aisp::hopper_matmul

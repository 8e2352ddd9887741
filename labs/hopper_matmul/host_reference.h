// SPDX-License-Identifier: Apache-2.0
/// \file
/// The right answer of a square product D = A B^T on the host, in double, and the magnitude of what was
/// added.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "aisp/core/checker.h"

namespace aisp::hopper_matmul {

template <class T>
double wide_value(T value) {
  return to_float(value);
}
inline double wide_value(float value) { return value; }

template <class T>
std::vector<double> wide_values(std::span<const T> values) {
  std::vector<double> wide(values.size());
  std::ranges::transform(values, wide.begin(), [](T value) { return wide_value(value); });
  return wide;
}

/// Of inputs 0 and 1 to output 0, multiplied by `factor`.
template <class T>
void multiply_on_host(const ReferenceCall& call, double factor) {
  // Once for all: each element is used n times, and one of 8 bits takes longer to convert than to multiply.
  const std::vector<double> a = wide_values<T>(call.input<T>(0)), b = wide_values<T>(call.input<T>(1));
  const auto n = static_cast<std::size_t>(call.params["n"]);
  std::vector<double>&value = call.outputs[0].value, &scale = call.outputs[0].scale;
  scale.resize(value.size());
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (std::size_t k = 0; k < n; ++k) {
        const double term = a[i * n + k] * b[j * n + k];
        sum += term;
        magnitude += std::fabs(term);
      }
      value[i * n + j] = factor * sum;
      scale[i * n + j] = std::fabs(factor) * magnitude;
    }
  }
}

}  // namespace aisp::hopper_matmul

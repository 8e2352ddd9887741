// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch13/activation_checkpoint: the gradients of a deep network of square
/// layers, h' = f(h w) with f(z) = z / (1 + |z|), for a given gradient of the output. Shared by the variants
/// of every device; the lesson is in activation_checkpoint_cpu.cpp.
///
/// f is smooth, so that rounding cannot flip a derivative, and its derivative (1 - |h'|)^2 follows from its
/// value, so that a backward pass needs activations and nothing else.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::activation_checkpoint {

enum { kX, kWeights, kOutGradient };       // inputs
enum { kWeightGradient, kInputGradient };  // outputs

struct Sizes {
  explicit Sizes(const Params& p) : layers(p["layers"]), batch(p["batch"]), width(p["width"]) {}
  std::int64_t layers, batch, width;
  std::int64_t activation() const { return batch * width; }
  std::int64_t weights() const { return width * width; }
};

/// A gradient is a sum over the batch of products whose factors have been through up to 2 `layers` sums of
/// `width` terms, and through f and its derivative, a dozen roundings a layer; each rounding of those reaches
/// it with a weight near 1, because the weights below keep sizes steady. That needs some width: in a network
/// that is both narrow and deep (width 2 to 16, beyond 4 layers) values cancel that their errors survive, and
/// right answers may be refused.
inline Tolerance tolerance(const Sizes& s) {
  return reduction(DType::f32, DType::f32, static_cast<double>(s.batch + s.layers * (2 * s.width + 12)));
}

inline Problem problem(const Params& p) {
  const Sizes s(p);
  // Gain 1 is the edge of stability: gradients neither vanish nor explode with depth, and a rounding in one
  // layer is not amplified by the next. The hard family has the same gain with weights over seven octaves,
  // and saturates some units of the first layer.
  const double deviation = 1 / std::sqrt(static_cast<double>(s.width));
  const double octave = 0.5 * std::log2(9.7 / static_cast<double>(s.width));
  const double products = static_cast<double>(s.layers * s.batch * s.weights());
  const double parameters = static_cast<double>(s.layers * s.weights());
  return {.tensors = {input<float>("x", {s.batch, s.width}, {normal(0, 1), wide_range(-8, 3)}),
                      input<float>("weights", {s.layers, s.width, s.width},
                                   {normal(0, deviation), wide_range(octave - 7, octave)}),
                      input<float>("out_gradient", {s.batch, s.width}, {normal(0, 1), wide_range(-8, 3)}),
                      output<float>("weight_gradient", {s.layers, s.width, s.width}, tolerance(s)),
                      output<float>("input_gradient", {s.batch, s.width}, tolerance(s))},
          .work = {.bytes = 4 * (2 * parameters + 3 * static_cast<double>(s.activation())),
                   .flops = 6 * products,
                   .items = static_cast<double>(s.batch)}};
}

/// max(|value|, root mean square of its row): what came out small by cancellation carries its row's errors.
inline std::vector<double> sizes_of(const std::vector<double>& rows, std::int64_t width) {
  std::vector<double> sizes(rows.size());
  for (std::size_t row = 0; row < rows.size(); row += width) {
    double squares = 0;
    for (std::int64_t j = 0; j < width; ++j) squares += rows[row + j] * rows[row + j];
    const double mean = std::sqrt(squares / static_cast<double>(width));
    for (std::int64_t j = 0; j < width; ++j) sizes[row + j] = std::max(std::fabs(rows[row + j]), mean);
  }
  return sizes;
}

/// The chain rule in double, everything stored.
inline void reference(const ReferenceCall& call) {
  const Sizes s(call.params);
  const auto x = call.input<float>(kX), g = call.input<float>(kOutGradient);
  std::vector<std::vector<double>> h(s.layers + 1, std::vector<double>(s.activation()));
  h[0].assign(x.begin(), x.end());
  for (std::int64_t l = 0; l < s.layers; ++l) {
    const float* w = &call.input<float>(kWeights)[l * s.weights()];
    for (std::int64_t b = 0; b < s.batch; ++b) {
      double* next = &h[l + 1][b * s.width];
      for (std::int64_t k = 0; k < s.width; ++k) {
        for (std::int64_t j = 0; j < s.width; ++j) next[j] += h[l][b * s.width + k] * w[k * s.width + j];
      }
      for (std::int64_t j = 0; j < s.width; ++j) next[j] /= 1 + std::fabs(next[j]);
    }
  }
  WideTensor &dw = call.outputs[kWeightGradient], &dx = call.outputs[kInputGradient];
  dw.scale.resize(dw.value.size());
  dx.scale.resize(dx.value.size());
  std::vector<double> gradient(g.begin(), g.end()), dz(s.activation());
  for (std::int64_t l = s.layers; l-- > 0;) {
    const float* w = &call.input<float>(kWeights)[l * s.weights()];
    for (std::int64_t i = 0; i < s.activation(); ++i) {
      dz[i] = gradient[i] * (1 - std::fabs(h[l + 1][i])) * (1 - std::fabs(h[l + 1][i]));
    }
    const std::vector<double> h_size = sizes_of(h[l], s.width);
    std::vector<double> dz_size = sizes_of(dz, s.width);
    // An error of h reaches its slope (1 - |h|)^2 unreduced, however small the slope of a saturated unit is.
    for (std::int64_t i = 0; i < s.activation(); ++i)
      dz_size[i] = std::max(dz_size[i], std::fabs(gradient[i]) * (1 - std::fabs(h[l + 1][i])));
    for (std::int64_t b = 0; b < s.batch; ++b) {
      const double *out = &dz[b * s.width], *out_size = &dz_size[b * s.width];
      for (std::int64_t k = 0; k < s.width; ++k) {
        const std::int64_t in = b * s.width + k;
        double* value = &dw.value[l * s.weights() + k * s.width];
        double* scale = &dw.scale[l * s.weights() + k * s.width];
        for (std::int64_t j = 0; j < s.width; ++j) value[j] += h[l][in] * out[j];
        for (std::int64_t j = 0; j < s.width; ++j) scale[j] += h_size[in] * out_size[j];
        gradient[in] = dx.scale[in] = 0;
        for (std::int64_t j = 0; j < s.width; ++j) gradient[in] += out[j] * w[k * s.width + j];
        if (l > 0) continue;
        for (std::int64_t j = 0; j < s.width; ++j)
          dx.scale[in] += out_size[j] * std::fabs(w[k * s.width + j]);
      }
    }
  }
  dx.value = gradient;
}

}  // namespace aisp::activation_checkpoint

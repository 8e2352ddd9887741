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
#include <array>
#include <cmath>
#include <limits>
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
/// it with a weight near 1, because the weights below keep sizes steady. That needs width, and a batch to
/// average over. Elsewhere values cancel that their errors survive, and how far errors reach is measured: see
/// widen_scales().
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

/// One evaluation by the chain rule, everything stored.
struct Pass {
  std::vector<std::vector<double>> h;         ///< h[l]: the input of layer l
  std::vector<std::vector<double>> gradient;  ///< gradient[l]: with respect to h[l]
  std::vector<double> weight_gradient;
};

/// In double. With a generator every sum is moved by as much as float might move it, a rounding of the size
/// of its terms, and every other result by one for each operation.
inline Pass evaluate(const ReferenceCall& call, const Sizes& s, Rng* rng) {
  const auto moved = [rng](double value, double size) {
    constexpr double kSmallest = std::numeric_limits<float>::denorm_min();
    return rng == nullptr ? value : value + (unit_roundoff(DType::f32) * size + kSmallest) * rng->normal();
  };
  const auto x = call.input<float>(kX), g = call.input<float>(kOutGradient);
  const auto empty = [&] {
    return std::vector<std::vector<double>>(s.layers + 1, std::vector<double>(s.activation()));
  };
  Pass pass{empty(), empty(), std::vector<double>(s.layers * s.weights())};
  pass.h[0].assign(x.begin(), x.end());
  pass.gradient[s.layers].assign(g.begin(), g.end());
  std::vector<double> size(s.width), weight_size(s.weights());
  for (std::int64_t l = 0; l < s.layers; ++l) {
    const float* w = &call.input<float>(kWeights)[l * s.weights()];
    for (std::int64_t b = 0; b < s.batch; ++b) {
      const double* h = &pass.h[l][b * s.width];
      double* next = &pass.h[l + 1][b * s.width];
      std::fill(size.begin(), size.end(), 0.0);
      for (std::int64_t k = 0; k < s.width; ++k) {
        for (std::int64_t j = 0; j < s.width; ++j) next[j] += h[k] * w[k * s.width + j];
        for (std::int64_t j = 0; rng != nullptr && j < s.width; ++j)
          size[j] += std::fabs(h[k] * w[k * s.width + j]);
      }
      for (std::int64_t j = 0; j < s.width; ++j) {
        const double z = moved(next[j], size[j]);
        const double value = z / (1 + std::fabs(z));
        next[j] = moved(value, 2 * std::fabs(value));
      }
    }
  }
  std::vector<double> dz(s.width);
  for (std::int64_t l = s.layers; l-- > 0;) {
    const float* w = &call.input<float>(kWeights)[l * s.weights()];
    double* weight_gradient = &pass.weight_gradient[l * s.weights()];
    std::fill(weight_size.begin(), weight_size.end(), 0.0);
    for (std::int64_t b = 0; b < s.batch; ++b) {
      const double *h = &pass.h[l][b * s.width], *next = &pass.h[l + 1][b * s.width];
      const double* out = &pass.gradient[l + 1][b * s.width];
      double* in = &pass.gradient[l][b * s.width];
      for (std::int64_t j = 0; j < s.width; ++j) {
        const double slope = 1 - std::fabs(next[j]), value = out[j] * slope * slope;
        dz[j] = moved(value, 4 * std::fabs(value));
      }
      for (std::int64_t k = 0; k < s.width; ++k) {
        double sum = 0, sum_size = 0;
        for (std::int64_t j = 0; j < s.width; ++j) weight_gradient[k * s.width + j] += h[k] * dz[j];
        for (std::int64_t j = 0; j < s.width; ++j) sum += dz[j] * w[k * s.width + j];
        for (std::int64_t j = 0; rng != nullptr && j < s.width; ++j) {
          weight_size[k * s.width + j] += std::fabs(h[k] * dz[j]);
          sum_size += std::fabs(dz[j] * w[k * s.width + j]);
        }
        in[k] = moved(sum, sum_size);
      }
    }
    for (std::int64_t i = 0; i < s.weights(); ++i)
      weight_gradient[i] = moved(weight_gradient[i], weight_size[i]);
  }
  return pass;
}

/// Where errors may outgrow the rule above: evaluates the network four more times with roundings, and lets
/// the tolerance reach eight times as far as those answers lie from the exact one, element by element or in
/// the mean over a row. Real roundings move a sum by less than half of what is put in here.
inline void widen_scales(const ReferenceCall& call, const Sizes& s) {
  if (s.width >= 48 && s.layers <= s.width && s.batch >= 64) return;
  constexpr int kPasses = 4;
  constexpr double kReach = 8;
  const double allowed = tolerance(s).scaled;
  std::array<std::vector<double>, 2> spreads;
  for (std::size_t o = 0; o < 2; ++o) spreads[o].resize(call.outputs[o].value.size());
  for (int i = 0; i < kPasses; ++i) {
    Rng rng(static_cast<std::uint64_t>(i) + 1);
    const Pass pass = evaluate(call, s, &rng);
    for (std::size_t o = 0; o < 2; ++o) {
      const auto& moved = o == kWeightGradient ? pass.weight_gradient : pass.gradient[0];
      for (std::size_t e = 0; e < moved.size(); ++e) {
        const double error = moved[e] - call.outputs[o].value[e];
        spreads[o][e] += error * error / kPasses;
      }
    }
  }
  for (std::size_t o = 0; o < 2; ++o) {
    for (double& square : spreads[o]) square = std::sqrt(square);
    const std::vector<double> spread = sizes_of(spreads[o], s.width);
    std::vector<double>& scale = call.outputs[o].scale;
    for (std::size_t e = 0; e < scale.size(); ++e)
      scale[e] = std::max(scale[e], kReach * spread[e] / allowed);
  }
}

/// The values, and the sizes of what was summed for each.
inline void reference(const ReferenceCall& call) {
  const Sizes s(call.params);
  const Pass pass = evaluate(call, s, nullptr);
  WideTensor &dw = call.outputs[kWeightGradient], &dx = call.outputs[kInputGradient];
  dw.value = pass.weight_gradient;
  dx.value = pass.gradient[0];
  dw.scale.assign(dw.value.size(), 0.0);
  dx.scale.assign(dx.value.size(), 0.0);
  std::vector<double> dz(s.activation());
  for (std::int64_t l = 0; l < s.layers; ++l) {
    const std::vector<double>&next = pass.h[l + 1], &gradient = pass.gradient[l + 1];
    for (std::int64_t i = 0; i < s.activation(); ++i)
      dz[i] = gradient[i] * (1 - std::fabs(next[i])) * (1 - std::fabs(next[i]));
    const std::vector<double> h_size = sizes_of(pass.h[l], s.width);
    std::vector<double> dz_size = sizes_of(dz, s.width);
    // An error of h reaches its slope (1 - |h|)^2 unreduced, however small the slope of a saturated unit is.
    for (std::int64_t i = 0; i < s.activation(); ++i)
      dz_size[i] = std::max(dz_size[i], std::fabs(gradient[i]) * (1 - std::fabs(next[i])));
    const float* w = &call.input<float>(kWeights)[l * s.weights()];
    for (std::int64_t b = 0; b < s.batch; ++b) {
      const double* out_size = &dz_size[b * s.width];
      for (std::int64_t k = 0; k < s.width; ++k) {
        const std::int64_t in = b * s.width + k;
        double* scale = &dw.scale[l * s.weights() + k * s.width];
        for (std::int64_t j = 0; j < s.width; ++j) scale[j] += h_size[in] * out_size[j];
        for (std::int64_t j = 0; l == 0 && j < s.width; ++j)
          dx.scale[in] += out_size[j] * std::fabs(w[k * s.width + j]);
      }
    }
  }
  widen_scales(call, s);
}

}  // namespace aisp::activation_checkpoint

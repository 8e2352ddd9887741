// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch08/ilp: the linear recurrence h[t] = a[t] h[t-1] + b[t] of state-space
/// models, for many independent channels; all states are kept. Shared by the variants of every device; the
/// lesson is in ilp_cpu.cpp.
#pragma once

#include <cmath>

#include "aisp/aisp.h"

namespace aisp::ilp {

enum { kDecay, kDrive };
enum { kState };

inline Problem problem(const Params& p) {
  const auto channels = p["channels"], steps = p["steps"];
  const auto count = static_cast<double>(channels * steps);
  // The bound is carried along by the reference, so the tolerance is one unit of it.
  const Tolerance tolerance = {.relative = unit_roundoff(DType::f32),
                               .scaled = unit_roundoff(DType::f32),
                               .reason = "two roundings of f32 a step, decaying with the state"};
  return {.tensors = {input<float>("decay", {channels, steps}, {uniform(0.2, 0.9), uniform(-0.95, 0.95)}),
                      input<float>("drive", {channels, steps}, {uniform(0, 1), cancelling(8)}),
                      output<float>("state", {channels, steps}, tolerance)},
          .work = {.bytes = 12 * count, .flops = 2 * count, .items = count}};
}

/// In double. The scale of a step is its error bound in units: what the last step passes on, and two new
/// roundings.
inline void reference(const ReferenceCall& call) {
  const auto channels = call.params["channels"], steps = call.params["steps"];
  const auto decay = call.input<float>(kDecay), drive = call.input<float>(kDrive);
  WideTensor& state = call.outputs[kState];
  state.scale.resize(state.value.size());
  for (std::int64_t c = 0; c < channels; ++c) {
    double h = 0, bound = 0;
    for (std::int64_t t = 0; t < steps; ++t) {
      const std::int64_t i = c * steps + t;
      const double kept = decay[i] * h;
      h = kept + drive[i];
      bound = std::fabs(decay[i]) * bound + std::fabs(kept) + std::fabs(h);
      state.value[static_cast<std::size_t>(i)] = h;
      state.scale[static_cast<std::size_t>(i)] = bound;
    }
  }
}

}  // namespace aisp::ilp

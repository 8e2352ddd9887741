// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch07/gather: scores[r] = the sum over all fields f of
/// tables[f][indices[r][f]]. A linear model over categories: every field (user, shop, hour, ...) has a table
/// with a weight for each of its values. Shared by the variants of every device; the lesson is in
/// gather_cpu.cpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "aisp/aisp.h"

namespace aisp::gather {

enum { kTables, kIndices };
enum { kScores };

/// Fields whose indices the CPU's plan holds at a time: a line of them. From one field to the next it is a
/// line further than it need be, since a power of two would put all 16 into one set of L1.
constexpr std::int64_t kTurned = 16, kPadding = 32;
constexpr std::int64_t pitch_of(std::int64_t rows) { return (rows + 15) / 16 * 16 + 16; }

inline Problem problem(const Params& p) {
  const auto rows = p["rows"], fields = p["fields"], entries = p["entries"];
  const auto lookups = static_cast<double>(rows * fields), weights = static_cast<double>(fields * entries);
  return {.tensors = {input<float>("tables", {fields, entries}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<std::int32_t>("indices", {rows, fields}, {integers(0, entries - 1)}),
                      output<float>("scores", {rows},
                                    reduction(DType::f32, DType::f32, static_cast<double>(fields)))},
          .work = {.bytes = 4 * (lookups + weights + static_cast<double>(rows)),
                   .items = lookups,
                   .traffic = Traffic::read},
          .workspace_bytes = static_cast<std::size_t>(4 * kTurned * (rows + kPadding * threads_of(p)))};
}

inline void reference(const ReferenceCall& call) {
  const auto tables = call.input<float>(kTables);
  const auto indices = call.input<std::int32_t>(kIndices);
  const auto fields = call.params["fields"], entries = call.params["entries"];
  std::vector<double>&value = call.outputs[kScores].value, &scale = call.outputs[kScores].scale;
  scale.resize(value.size());
  for (std::int64_t i = 0; i < indices.size; ++i) {
    const double weight = tables[i % fields * entries + indices[i]];
    value[static_cast<std::size_t>(i / fields)] += weight;
    scale[static_cast<std::size_t>(i / fields)] += std::fabs(weight);
  }
}

}  // namespace aisp::gather

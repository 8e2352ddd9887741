// SPDX-License-Identifier: Apache-2.0
/// \file
/// A small problem for tests: y = 2 x over n floats, exact, with a second output that counts.
///
///   const Workload workload = example("test/double", {{"honest", honest}});
///   const CellSpec spec = cell_of(workload);
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "aisp/core/workload.h"
#include "aisp/harness/cell.h"

namespace aisp::harness {

inline constexpr std::int64_t kExampleElements = 256;

inline void honest(const Call& call) {
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
}

inline Problem example_problem(const Params& p) {
  return {.tensors = {input<float>("x", {p["n"]}, {uniform(-1, 1), wide_range(-8, 8)}),
                      output<float>("y", {p["n"]}, exact())},
          .work = {.bytes = 8.0 * static_cast<double>(p["n"])}};
}

inline void example_reference(const ReferenceCall& call) {
  const auto x = call.input<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) call.outputs[0].value[static_cast<std::size_t>(i)] = 2.0 * x[i];
}

inline Workload example(std::string id, std::vector<std::pair<std::string, Run>> variants) {
  Workload workload{.id = std::move(id),
                    .title = "Double",
                    .idea = "Twice the input.",
                    .axes = {{"n", {kExampleElements}}},
                    .problem = example_problem,
                    .reference = example_reference};
  for (auto& [name, run] : variants) workload.variants.push_back({.name = name, .run = std::move(run)});
  return workload;
}

inline CellSpec cell_of(const Workload& workload) {
  CellSpec spec{.workload = workload.id, .pin = false};
  for (const Axis& axis : workload.axes) spec.params.emplace_back(axis.name, axis.values.front());
  return spec;
}

}  // namespace aisp::harness

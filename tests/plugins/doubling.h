// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem every hostile plugin pretends to solve: y = 2 x. A ladder is an honest baseline, the variant
/// under test and an honest twin that must still be measured.
///
///   const Registration registered{doubling("hostile/crash", "crash", [](const Call&) { std::abort(); })};
#pragma once

#include <string>
#include <utility>

#include "aisp/aisp.h"

namespace aisp::plugins {

inline Problem doubling_problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<float>("x", {n}, {uniform(-1, 1), wide_range(-10, 10)}),
                      output<float>("y", {n}, exact())},
          .work = {.bytes = 8.0 * static_cast<double>(n)}};
}

inline void doubling_reference(const ReferenceCall& call) {
  const auto x = call.input<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) {
    call.outputs[0].value[static_cast<std::size_t>(i)] = 2.0 * static_cast<double>(x[i]);
  }
}

inline void honest(const Call& call) {
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
}

inline Workload doubling(std::string id, std::string name, CallFunction run) {
  return {.id = std::move(id),
          .title = "Doubling",
          .idea = "Shows what the harness does about a variant that misbehaves.",
          .axes = {{.name = "n", .values = {4096}, .small = 37}},
          .problem = doubling_problem,
          .reference = doubling_reference,
          .variants = {{.name = "honest", .run = honest},
                       {.name = std::move(name), .run = std::move(run)},
                       {.name = "twin", .run = honest}}};
}

}  // namespace aisp::plugins

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch12/atomic_work_queue: requests of very different length. Shared by the
/// variants of every device; the lesson is in atomic_work_queue_cpu.cpp.
#pragma once

#include <cmath>

#include "aisp/aisp.h"
#include "workloads/mix.h"

namespace aisp::atomic_work_queue {

enum { kValue, kRounds };
enum { kResult };
constexpr std::int64_t kShort = 192, kLong = 64 * kShort;  ///< rounds

/// From half of it up to all.
inline void set_about(const TensorView& rounds, std::int64_t i, double most, Rng& rng) {
  rounds.set(i, 1 + most * rng.uniform(0.5, 1));
}

/// The long ones come together, somewhere in the sequence, as prompts of one user or rows of one table do:
/// one in 32 requests, and two thirds of the work.
inline void draw_clustered(const DrawContext&, Rng& rng, const TensorView& rounds) {
  const std::int64_t n = rounds.size, width = (n + 31) / 32;
  const auto first = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(n - width + 1)));
  for (std::int64_t i = 0; i < n; ++i)
    set_about(rounds, i, i >= first && i < first + width ? kLong : kShort, rng);
}

/// The longest first, and as much work in all.
inline void draw_decreasing(const DrawContext&, Rng& rng, const TensorView& rounds) {
  const double fall = 21.5 / static_cast<double>(rounds.size);
  for (std::int64_t i = 0; i < rounds.size; ++i)
    set_about(rounds, i, double{kLong} * std::exp(-fall * static_cast<double>(i)), rng);
}

inline Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::uint32_t>("value", {n}, {integers(0, 0xffffffff)}),
                      input<std::uint32_t>(
                          "rounds", {n},
                          {drawn_by("clustered", draw_clustered), drawn_by("decreasing", draw_decreasing)}),
                      output<std::uint32_t>("result", {n}, exact())},
          .work = {.bytes = 12 * static_cast<double>(n), .items = static_cast<double>(n)}};
}

constexpr std::uint32_t addend(std::int64_t i) { return static_cast<std::uint32_t>(2 * i + 1); }

inline void reference(const ReferenceCall& call) {
  const auto value = call.input<std::uint32_t>(kValue), rounds = call.input<std::uint32_t>(kRounds);
  for (std::int64_t i = 0; i < value.size; ++i)
    call.outputs[kResult].value[static_cast<std::size_t>(i)] = mixed(value[i], addend(i), rounds[i]);
}

}  // namespace aisp::atomic_work_queue

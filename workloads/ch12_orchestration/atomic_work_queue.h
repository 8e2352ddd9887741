// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch12/atomic_work_queue: requests of very different length. Shared by the
/// variants of every device; the lesson is in atomic_work_queue_cpu.cpp.
#pragma once

#include "aisp/aisp.h"
#include "workloads/mix.h"

namespace aisp::atomic_work_queue {

enum { kValue, kRounds };
enum { kResult };
constexpr std::int64_t kShort = 96, kLong = 1536;  ///< rounds

/// The long ones come together, in one eighth of the sequence, as prompts of one user or rows of one table
/// do.
inline void draw_clustered(const DrawContext&, Rng& rng, const TensorView& rounds) {
  const std::int64_t n = rounds.size, width = (n + 7) / 8;
  const auto first = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(n - width + 1)));
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t most = i >= first && i < first + width ? kLong : kShort;
    rounds.set(
        i, static_cast<double>(1 + most / 2 +
                               static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(most / 2)))));
  }
}

/// One in eight is long, wherever it is.
inline void draw_scattered(const DrawContext&, Rng& rng, const TensorView& rounds) {
  for (std::int64_t i = 0; i < rounds.size; ++i) {
    const std::int64_t most = rng.below(8) == 0 ? kLong : kShort;
    rounds.set(
        i, static_cast<double>(1 + most / 2 +
                               static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(most / 2)))));
  }
}

inline Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::uint32_t>("value", {n}, {integers(0, 0xffffffff)}),
                      input<std::uint32_t>(
                          "rounds", {n},
                          {drawn_by("clustered", draw_clustered), drawn_by("scattered", draw_scattered)}),
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

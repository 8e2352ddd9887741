// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem and the reference of ch08/histogram: how often each byte value occurs. Shared by the variants
/// of every device; the lesson is in histogram_cpu.cpp.
///
/// `hot` sixteenths of the input hold one value, as padding tokens, a popular expert or a dark image do; 0 is
/// an even input.
#pragma once

#include "aisp/aisp.h"

namespace aisp::histogram {

enum { kX };
enum { kCounts };
constexpr int kBins = 256;

/// The hot value is random and scattered through the input; the rest is uniform, or (bell) leans to the
/// middle.
inline DrawFunction draw_hot(bool bell) {
  return [bell](const DrawContext& context, Rng& rng, const TensorView& x) {
    const auto hot = static_cast<std::uint64_t>(context.params["hot"]);
    const auto value = static_cast<std::byte>(rng.below(kBins));
    for (std::int64_t i = 0; i < x.size; ++i) {
      const std::uint64_t word = rng.word();
      const std::uint64_t first = word >> 56, second = (word >> 48) & 0xffu;
      const std::uint64_t cold = bell && word % 2 == 0 ? (first + second) / 2 : first;
      x.data[i] = (word >> 8) % 16 < hot ? value : static_cast<std::byte>(cold);
    }
  };
}

inline Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::uint8_t>(
                          "x", {n}, {drawn_by("even", draw_hot(false)), drawn_by("bell", draw_hot(true))}),
                      output<std::uint32_t>("counts", {kBins}, exact())},
          .work = {.bytes = static_cast<double>(n) + 4 * kBins,
                   .items = static_cast<double>(n),
                   .traffic = Traffic::read},
          .workspace_bytes = 4 * kBins * sizeof(std::uint32_t)};
}

inline void reference(const ReferenceCall& call) {
  const auto x = call.input<std::uint8_t>(kX);
  for (const std::uint8_t value : x) call.outputs[kCounts].value[value] += 1;
}

}  // namespace aisp::histogram

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/mutants.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "aisp/core/rng.h"

namespace aisp::harness {
namespace {

using Context = MutationContext;
using Applied = std::optional<std::string>;

Applied fill(const Context& c, double value) {
  for (std::int64_t i = 0; i < c.answer.size; ++i) c.answer.set(i, value);
  return std::nullopt;
}

double mean_of(const TensorView& tensor) {
  double sum = 0;
  for (std::int64_t i = 0; i < tensor.size; ++i) sum += tensor.value(i);
  return sum / static_cast<double>(tensor.size);
}

/// A tile: a sixteenth of the answer, at least one element, from the middle.
std::pair<std::int64_t, std::int64_t> tile_of(const TensorView& tensor) {
  const std::int64_t length = std::max<std::int64_t>(1, tensor.size / 16);
  const std::int64_t first = (tensor.size - length) / 2;
  return {first, first + length};
}

/// Moves an element away from the reference by twice what is allowed (at least one step for integers).
Applied push_away(const Context& c, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    double want = 0;
    double allowed = 0;
    if (!c.checker.element(c.output, i, want, allowed)) return "the checker judges projections, not elements";
    const double got = c.answer.value(i);
    const double direction = got >= want ? 1 : -1;
    double step = 2 * allowed;
    if (!is_floating(c.spec.dtype)) {
      step = std::max(1.0, std::ceil(step));
    } else if (step == 0) {
      step = std::max(std::fabs(want), 1.0) * 4 * unit_roundoff(c.spec.dtype);
    }
    c.answer.set(i, got + direction * step);
    // The largest value of the type cannot be pushed up: push it the other way instead.
    if (c.answer.value(i) == got)
      c.answer.set(i, got - direction * std::max(step, 2 * allowed + std::fabs(got - want)));
  }
  return std::nullopt;
}

Applied copied_input(const Context& c) {
  for (const TensorView& input : c.inputs) {
    if (input.size == 0) continue;
    for (std::int64_t i = 0; i < c.answer.size; ++i) c.answer.set(i, input.value(i % input.size));
    return std::nullopt;
  }
  return "no input to copy";
}

Applied shuffled(const Context& c) {
  if (c.answer.size < 2) return "one element cannot be shuffled";
  const std::size_t width = size_of(c.spec.dtype);
  const auto shift = static_cast<std::size_t>(c.answer.size / 2) * width;
  std::rotate(c.answer.data, c.answer.data + shift, c.answer.data + c.answer.bytes());
  return std::nullopt;
}

Applied stale(const Context& c) {
  std::memcpy(c.answer.data, c.stale.data(), c.answer.bytes());
  return std::nullopt;
}

/// A tile holds its neighbours' values: the classic off-by-one in a tiled loop.
Applied off_by_one_tile(const Context& c) {
  if (c.answer.size < 4) return "fewer than four elements";
  const std::size_t width = size_of(c.spec.dtype);
  const auto [first, last] = tile_of(c.answer);
  const std::int64_t length = std::min(last - first + 1, c.answer.size - first - 1);
  std::memmove(c.answer.data + static_cast<std::size_t>(first) * width,
               c.answer.data + static_cast<std::size_t>(first + 1) * width,
               static_cast<std::size_t>(length) * width);
  return std::nullopt;
}

Applied truncated_tail(const Context& c) {
  const std::int64_t tail = std::max<std::int64_t>(1, c.answer.size / 8);
  for (std::int64_t i = c.answer.size - tail; i < c.answer.size; ++i) c.answer.set(i, 0);
  return std::nullopt;
}

Applied lower_precision(const Context& c) {
  if (!is_floating(c.spec.dtype)) return "not a floating-point output";
  if (c.spec.dtype == DType::bf16 || c.spec.dtype == DType::f16) {
    for (std::int64_t i = 0; i < c.answer.size; ++i) {  // drop three more bits
      auto* words = reinterpret_cast<std::uint16_t*>(c.answer.data);
      words[i] = static_cast<std::uint16_t>(words[i] & ~7u);
    }
    return std::nullopt;
  }
  if (c.spec.dtype == DType::f8e4m3) {  // one bit of three is left
    for (std::int64_t i = 0; i < c.answer.size; ++i) c.answer.data[i] &= std::byte{0xfc};
    return std::nullopt;
  }
  for (std::int64_t i = 0; i < c.answer.size; ++i) {
    c.answer.set(i, to_float(to_bfloat16(static_cast<float>(c.answer.value(i)))));
  }
  return std::nullopt;
}

Applied sign_flip(const Context& c) {
  if (!is_floating(c.spec.dtype) && c.spec.dtype >= DType::u64) return "an unsigned output";
  for (std::int64_t i = 0; i < c.answer.size; ++i) c.answer.set(i, -c.answer.value(i));
  return std::nullopt;
}

Applied one_nan(const Context& c) {
  if (!is_floating(c.spec.dtype)) return "not a floating-point output";
  c.answer.set(c.answer.size / 3, std::numeric_limits<double>::quiet_NaN());
  return std::nullopt;
}

Applied one_infinity(const Context& c) {
  if (!is_floating(c.spec.dtype)) return "not a floating-point output";
  c.answer.set(c.answer.size / 2, std::numeric_limits<double>::infinity());
  return std::nullopt;
}

}  // namespace

const std::vector<Mutant>& mutants() {
  static const std::vector<Mutant> list{
      {"zeros", [](const Context& c) { return fill(c, 0); }},
      {"constant", [](const Context& c) { return fill(c, 1); }},
      {"copied input", copied_input},
      {"mean", [](const Context& c) { return fill(c, mean_of(c.answer)); }},
      {"shuffled", shuffled},
      {"stale", stale},
      {"off-by-one tile", off_by_one_tile},
      {"truncated tail", truncated_tail},
      {"lower precision", lower_precision},
      {"sign flip", sign_flip},
      {"one NaN", one_nan},
      {"one infinity", one_infinity},
      {"one element off",
       [](const Context& c) { return push_away(c, c.answer.size / 2, c.answer.size / 2 + 1); }},
      {"one tile off",
       [](const Context& c) {
         const auto [first, last] = tile_of(c.answer);
         return push_away(c, first, last);
       }},
  };
  return list;
}

}  // namespace aisp::harness

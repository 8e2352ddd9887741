// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the harness draws a tensor's contents. Each input names at least one distribution per *family*: the
/// first is well-behaved, the others are hard (cancellation, wide range, ties), and rounds cycle through the
/// families.
///
///   input<float>("x", {n}, {uniform(-1, 1), wide_range(-20, 20)})
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "aisp/core/params.h"
#include "aisp/core/rng.h"
#include "aisp/core/tensor.h"

namespace aisp {

/// What a custom distribution may look at: the tensors drawn before this one in the same round.
struct DrawContext {
  const Params& params;
  std::span<const TensorView> drawn;
  int family = 0;
};
using DrawFunction = std::function<void(const DrawContext&, Rng&, const TensorView&)>;

/// A distribution as numbers, so that a device can draw it too: element i follows from the stream and i
/// alone. The host's draw() says what it means.
struct DrawForm {
  enum class Kind : std::uint8_t {
    by_host,  ///< only draw() can
    uniform,
    normal,
    integers,
    wide_range,
    cancelling,
    ties,
    skewed,
  };
  Kind kind = Kind::by_host;
  double first = 0;   ///< the function's first argument: low, mean, magnitude, n
  double second = 0;  ///< its second: high, deviation
  int levels = 0;     ///< ties
};

struct Distribution {
  std::string name;
  DrawFunction draw;
  DrawForm form = {};
};

Distribution uniform(double low, double high);
Distribution normal(double mean, double deviation);
/// Whole numbers in [low, high].
Distribution integers(std::int64_t low, std::int64_t high);
/// Random sign times 2^e, e uniform in [low, high]: separates algorithms that lose small terms.
Distribution wide_range(double low_exponent, double high_exponent);
/// Neighbours nearly cancel: x, -x(1 + small), ...: separates precisions in sums.
Distribution cancelling(double magnitude);
/// Only `levels` distinct values in [low, high]: ties, plateaus, equal maxima.
Distribution ties(double low, double high, int levels);
/// Zipf-like whole numbers in [0, n): a few values hold most of the mass.
Distribution skewed(std::int64_t n);
/// A permutation of 0 .. size-1.
Distribution permutation();
/// Drawn by the workload's own function; `name` is shown in reports.
Distribution drawn_by(std::string name, DrawFunction draw);

}  // namespace aisp

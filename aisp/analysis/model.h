// SPDX-License-Identifier: Apache-2.0
/// \file
/// A curve through a sweep, for sizes between those measured: a power of the size, or an overhead plus a part
/// that grows with it. It says how far it was off when each measured size in turn was kept from it, and
/// refuses where that is too far.
///
///   const Model model = fit(points);
///   Forecast f = model.at(6000);   // f.value, or f.needs: "a measured size of at least 6000"
///
/// Never beyond the sizes measured: caches and launch overheads make the next size another story.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/record.h"

namespace aisp::analysis {

struct ModelPoint {
  double x = 0;
  double y = 0;
};

/// A value with the error the model showed, or what it would take to give one.
struct Forecast {
  std::optional<Estimate> value;
  std::string needs;  ///< where there is none
  AISP_FIELDS(value, needs)
};

/// Three sizes leave one to check the other two by.
inline constexpr std::size_t kFewestSizes = 3;
/// Beyond half as much again a forecast ranks nothing.
inline constexpr double kWorstFactor = 1.5;

struct Model {
  std::string form;          ///< "a x^b" or "a + b x"; empty: none fits
  double a = 0, b = 0;       ///< its two numbers
  double factor = 0;         ///< the worst left-out size was off by this much, above 1
  double low = 0, high = 0;  ///< smallest and largest size
  int sizes = 0;
  std::string needs;  ///< why there is none
  AISP_FIELDS(form, a, b, factor, low, high, sizes, needs)

  Forecast at(double x) const;
};

/// The better of the two forms by its worst left-out size. Positive sizes and values.
Model fit(std::span<const ModelPoint> points);

}  // namespace aisp::analysis

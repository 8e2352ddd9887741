// SPDX-License-Identifier: Apache-2.0
/// \file
/// Worst errors as far as they tell variants apart. One is a maximum over the inputs that were drawn: another
/// draw moves its third digit, so that 0.9905 and 0.9906 of the tolerance are one error.
///
///   told_apart(0.9906) == told_apart(0.9905)   // both are 0.99
///
/// Rounded to a grid, and not equal within a share: equality within a share makes circles.
#pragma once

#include <array>
#include <charconv>
#include <cmath>

namespace aisp::analysis {

/// Of an error, or of a limit that one is held to: two significant digits. Equal texts give equal numbers.
inline double told_apart(double error) {
  if (!std::isfinite(error)) return error;
  std::array<char, 32> text{};
  const auto written =
      std::to_chars(text.data(), text.data() + text.size(), error, std::chars_format::scientific, 1);
  double rounded = error;
  std::from_chars(text.data(), written.ptr, rounded);
  return rounded;
}

}  // namespace aisp::analysis

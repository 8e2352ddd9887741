// SPDX-License-Identifier: Apache-2.0
/// \file
/// An interval drawn with characters on a logarithmic axis, on which twice as fast and half as fast lie
/// equally far from 1.
///
///   Axis axis = axis_of(ratios, 40);
///   axis.bar({1.5, 1.4, 1.6})   // "........│......├●┤......"
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::tui {

struct Axis {
  double low = 0.5, high = 2;  ///< ratios at its ends
  int width = 40;

  /// `width` columns. Ends beyond the axis are arrows; without a usable ratio only the 1 is drawn.
  std::string bar(const Estimate& ratio) const;
  std::string empty() const;
  /// The labels above it: its ends, and 1.
  std::string labels() const;

 private:
  int place(double ratio) const;
};

/// Wide enough for every ratio and for 1. An interval that says nothing yet does not squeeze the others: its
/// ends count up to four times its ratio.
Axis axis_of(const std::vector<Estimate>& ratios, int width);

}  // namespace aisp::tui

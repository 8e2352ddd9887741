// SPDX-License-Identifier: Apache-2.0
/// \file
/// How far an answer may be from the reference. Derived from the element type and the length of the
/// reduction, never chosen by taste: allowed(ref, scale) = relative * |ref| + scaled * scale + absolute,
/// where `scale` is the magnitude of the terms that were summed (the reference reports it; |ref| if it does
/// not).
#pragma once

#include <cmath>
#include <string>

#include "aisp/core/dtype.h"

namespace aisp {

struct Tolerance {
  double relative = 0;
  double scaled = 0;
  double absolute = 0;
  bool bitwise = false;  ///< the answer must equal the reference exactly (sign of zero ignored)
  std::string reason;    ///< where it comes from, shown in reports

  double allowed(double reference, double scale) const {
    return relative * std::fabs(reference) + scaled * scale + absolute;
  }
};

/// Moves, copies, integers: no rounding happens.
Tolerance exact();
/// A fixed number of roundings of type `type` on the value itself, e.g. exp() then a division.
Tolerance roundings(DType type, double count);
/// A sum of `length` terms accumulated in `accumulator` in any order and stored as `stored`. Rounding errors
/// of a reordered sum grow like the square root of the length; the factor 6 leaves less than one in 1e9
/// beyond it.
Tolerance reduction(DType stored, DType accumulator, double length);
/// A real value rounded to a whole number; `slack` is how far the real value itself may be off.
Tolerance quantised(double slack);

}  // namespace aisp

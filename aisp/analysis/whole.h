// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole numbers that know when they stopped fitting: a product beyond 2^63 is an error, never a smaller
/// number.
///
///   const Whole bytes = Whole(layers) * heads * size;
///   if (!bytes.fits()) return too_large();
#pragma once

#include <cstdint>

namespace aisp::analysis {

class Whole {
 public:
  Whole(std::int64_t value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  bool fits() const { return fits_; }
  /// Only what fits has a value.
  std::int64_t value() const { return value_; }

  friend Whole operator*(Whole a, Whole b) {
    Whole product(0);
    product.fits_ = !__builtin_mul_overflow(a.value_, b.value_, &product.value_) && a.fits_ && b.fits_;
    return product;
  }
  friend Whole operator+(Whole a, Whole b) {
    Whole sum(0);
    sum.fits_ = !__builtin_add_overflow(a.value_, b.value_, &sum.value_) && a.fits_ && b.fits_;
    return sum;
  }
  /// a / b, rounded up; both at least 1.
  friend Whole divided_up(Whole a, Whole b) {
    Whole quotient(a.value_ / b.value_ + (a.value_ % b.value_ != 0));
    quotient.fits_ = a.fits_ && b.fits_;
    return quotient;
  }

 private:
  std::int64_t value_;
  bool fits_ = true;
};

}  // namespace aisp::analysis

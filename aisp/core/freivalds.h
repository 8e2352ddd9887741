// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checks a matrix product without computing it. For a random vector x of +1 and -1, C x must equal A (B x):
/// three products with a vector instead of one with a matrix. The signs come from the harness's secret
/// stream, so that an answer cannot be fitted to them.
///
///   .check = [](const CheckSetup& setup) {
///     const auto n = setup.params["n"];
///     return make_freivalds_checker({.m = n, .n = n, .k = n}, setup);
///   }
///
/// What is missed: an answer with an element off by more than the row's allowance (element() reports it)
/// passes one vector with probability at most 1/2, since flipping that element's sign moves the projection by
/// more than the allowed interval is wide. 32 vectors: at most 2^-32 = 2.4e-10.
///
/// Not for inputs that hold NaN or Inf, nor for products with a wide epilogue (softmax, quantisation).
#pragma once

#include <cstdint>
#include <memory>

#include "aisp/core/checker.h"

namespace aisp {

/// C[m x n] = A[m x k] B[k x n], all row-major; the first extent of each may be multiplied by `batch`.
struct ProductShape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  std::int64_t batch = 1;
  std::size_t a = 0;  ///< which input
  std::size_t b = 1;  ///< which input
  std::size_t c = 0;  ///< which output
  DType accumulator = DType::f32;
};

std::unique_ptr<AnswerChecker> make_freivalds_checker(const ProductShape& shape, const CheckSetup& setup);

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Views of memory that the harness owns. A View is typed and passed to workload code; a TensorView is the
/// untyped form the harness handles. Neither owns anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "aisp/core/check.h"
#include "aisp/core/dtype.h"

namespace aisp {

using Extents = std::vector<std::int64_t>;

/// Number of elements; 1 for an empty shape (a scalar). Throws nothing; overflow is checked by `Problem`.
std::int64_t element_count(const Extents& shape);

/// What a workload's code sees of a tensor: contiguous, row-major, 64-byte aligned at least.
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t size = 0;  ///< elements
  std::span<const std::int64_t> shape;

  T& operator[](std::int64_t i) const { return data[i]; }
  T* begin() const { return data; }
  T* end() const { return data + size; }
};

/// The same, untyped.
struct TensorView {
  std::byte* data = nullptr;
  DType dtype = DType::f32;
  std::span<const std::int64_t> shape;
  std::int64_t size = 0;  ///< elements

  std::size_t bytes() const { return static_cast<std::size_t>(size) * size_of(dtype); }

  template <class T>
  View<T> as() const {
    AISP_CHECK(DTypeOf<std::remove_const_t<T>>::value == dtype,
               "a tensor was viewed with a type other than the declared one");
    return {reinterpret_cast<T*>(data), size, shape};
  }
  /// Element i widened to double; exact for every type but 64-bit integers beyond 2^53.
  double value(std::int64_t i) const;
  /// Stores value rounded to nearest (saturated for integers).
  void set(std::int64_t i, double value) const;
};

}  // namespace aisp

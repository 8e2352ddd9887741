// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/tensor.h"

#include <cmath>
#include <limits>

namespace aisp {
namespace {

template <class T>
void store_integer(std::byte* data, std::int64_t i, double value) {
  using Limits = std::numeric_limits<T>;
  const double rounded = std::nearbyint(value);
  T stored = 0;
  if (rounded >= static_cast<double>(Limits::max())) {
    stored = Limits::max();
  } else if (rounded <= static_cast<double>(Limits::lowest())) {
    stored = Limits::lowest();
  } else if (rounded == rounded) {
    stored = static_cast<T>(rounded);
  }
  reinterpret_cast<T*>(data)[i] = stored;
}

}  // namespace

std::int64_t element_count(const Extents& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

double TensorView::value(std::int64_t i) const {
  switch (dtype) {
    case DType::f64:
      return reinterpret_cast<const double*>(data)[i];
    case DType::f32:
      return reinterpret_cast<const float*>(data)[i];
    case DType::f16:
      return to_float(reinterpret_cast<const Half*>(data)[i]);
    case DType::bf16:
      return to_float(reinterpret_cast<const BFloat16*>(data)[i]);
    case DType::f8e4m3:
      return to_float(reinterpret_cast<const Float8*>(data)[i]);
    case DType::i64:
      return static_cast<double>(reinterpret_cast<const std::int64_t*>(data)[i]);
    case DType::i32:
      return reinterpret_cast<const std::int32_t*>(data)[i];
    case DType::i16:
      return reinterpret_cast<const std::int16_t*>(data)[i];
    case DType::i8:
      return reinterpret_cast<const std::int8_t*>(data)[i];
    case DType::u64:
      return static_cast<double>(reinterpret_cast<const std::uint64_t*>(data)[i]);
    case DType::u32:
      return reinterpret_cast<const std::uint32_t*>(data)[i];
    case DType::u16:
      return reinterpret_cast<const std::uint16_t*>(data)[i];
    case DType::u8:
      return reinterpret_cast<const std::uint8_t*>(data)[i];
  }
  return 0;
}

void TensorView::set(std::int64_t i, double value) const {
  switch (dtype) {
    case DType::f64:
      reinterpret_cast<double*>(data)[i] = value;
      break;
    case DType::f32:
      reinterpret_cast<float*>(data)[i] = static_cast<float>(value);
      break;
    case DType::f16:
      reinterpret_cast<Half*>(data)[i] = to_half(static_cast<float>(value));
      break;
    case DType::bf16:
      reinterpret_cast<BFloat16*>(data)[i] = to_bfloat16(static_cast<float>(value));
      break;
    case DType::f8e4m3:
      reinterpret_cast<Float8*>(data)[i] = to_float8(static_cast<float>(value));
      break;
    case DType::i64:
      store_integer<std::int64_t>(data, i, value);
      break;
    case DType::i32:
      store_integer<std::int32_t>(data, i, value);
      break;
    case DType::i16:
      store_integer<std::int16_t>(data, i, value);
      break;
    case DType::i8:
      store_integer<std::int8_t>(data, i, value);
      break;
    case DType::u64:
      store_integer<std::uint64_t>(data, i, value);
      break;
    case DType::u32:
      store_integer<std::uint32_t>(data, i, value);
      break;
    case DType::u16:
      store_integer<std::uint16_t>(data, i, value);
      break;
    case DType::u8:
      store_integer<std::uint8_t>(data, i, value);
      break;
  }
}

}  // namespace aisp

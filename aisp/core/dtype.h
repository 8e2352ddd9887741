// SPDX-License-Identifier: Apache-2.0
/// \file
/// Element types of tensors, and the C++ type behind each.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace aisp {

enum class DType : std::uint8_t { f64, f32, f16, bf16, f8e4m3, i64, i32, i16, i8, u64, u32, u16, u8 };

std::size_t size_of(DType type);
std::string_view name_of(DType type);
bool is_floating(DType type);
/// Unit round-off (half the distance from 1 to the next value); 0 for integers.
double unit_roundoff(DType type);

/// Storage-only small floats, so that host code can hold what a device computes with.
struct Half {
  std::uint16_t bits = 0;
};
struct BFloat16 {
  std::uint16_t bits = 0;
};
/// 4 bits of exponent and 3 of fraction: up to 448, steps of 2^-9 near zero, a NaN of either sign and no
/// infinities.
struct Float8 {
  std::uint8_t bits = 0;
};
float to_float(Half value);
Half to_half(float value);  ///< round to nearest even
inline float to_float(BFloat16 value) { return std::bit_cast<float>(std::uint32_t(value.bits) << 16); }
BFloat16 to_bfloat16(float value);  ///< round to nearest even
float to_float(Float8 value);
Float8 to_float8(float value);  ///< round to nearest even; what is beyond 448 becomes 448

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<double> {
  static constexpr DType value = DType::f64;
};
template <>
struct DTypeOf<float> {
  static constexpr DType value = DType::f32;
};
template <>
struct DTypeOf<Half> {
  static constexpr DType value = DType::f16;
};
template <>
struct DTypeOf<BFloat16> {
  static constexpr DType value = DType::bf16;
};
template <>
struct DTypeOf<Float8> {
  static constexpr DType value = DType::f8e4m3;
};
template <>
struct DTypeOf<std::int64_t> {
  static constexpr DType value = DType::i64;
};
template <>
struct DTypeOf<std::int32_t> {
  static constexpr DType value = DType::i32;
};
template <>
struct DTypeOf<std::int16_t> {
  static constexpr DType value = DType::i16;
};
template <>
struct DTypeOf<std::int8_t> {
  static constexpr DType value = DType::i8;
};
template <>
struct DTypeOf<std::uint64_t> {
  static constexpr DType value = DType::u64;
};
template <>
struct DTypeOf<std::uint32_t> {
  static constexpr DType value = DType::u32;
};
template <>
struct DTypeOf<std::uint16_t> {
  static constexpr DType value = DType::u16;
};
template <>
struct DTypeOf<std::uint8_t> {
  static constexpr DType value = DType::u8;
};

}  // namespace aisp

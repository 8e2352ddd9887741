// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/dtype.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace aisp {
namespace {

struct Facts {
  std::string_view name;
  std::size_t size;
  double roundoff;
};

// Indexed by DType; the order is the order of the enumeration.
constexpr std::array<Facts, 13> kFacts{{{"f64", 8, 0x1p-53},
                                        {"f32", 4, 0x1p-24},
                                        {"f16", 2, 0x1p-11},
                                        {"bf16", 2, 0x1p-8},
                                        {"f8e4m3", 1, 0x1p-4},
                                        {"i64", 8, 0},
                                        {"i32", 4, 0},
                                        {"i16", 2, 0},
                                        {"i8", 1, 0},
                                        {"u64", 8, 0},
                                        {"u32", 4, 0},
                                        {"u16", 2, 0},
                                        {"u8", 1, 0}}};

const Facts& facts(DType type) { return kFacts[static_cast<std::size_t>(type)]; }

}  // namespace

std::size_t size_of(DType type) { return facts(type).size; }
std::string_view name_of(DType type) { return facts(type).name; }
bool is_floating(DType type) { return facts(type).roundoff > 0; }
double unit_roundoff(DType type) { return facts(type).roundoff; }

float to_float(Half value) {
  const std::uint32_t sign = std::uint32_t(value.bits & 0x8000u) << 16;
  const std::uint32_t exponent = (value.bits >> 10) & 0x1fu;
  const std::uint32_t mantissa = value.bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = std::ldexp(static_cast<float>(mantissa), -24);
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

Half to_half(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const float magnitude = std::fabs(value);
  if (!(magnitude <= 3.4e38f)) {
    const bool nan = magnitude != magnitude;
    return {static_cast<std::uint16_t>(sign | 0x7c00u | (nan ? 0x200u : 0u))};
  }
  if (magnitude >= 65520.0f) return {static_cast<std::uint16_t>(sign | 0x7c00u)};
  if (magnitude < 0x1p-14f) {  // subnormal: a multiple of 2^-24; nearbyint rounds to even
    return {
        static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(magnitude * 0x1p24f)))};
  }
  const std::uint32_t rounded = (bits & 0x7fffffffu) + 0xfffu + ((bits >> 13) & 1u);
  return {static_cast<std::uint16_t>(sign | ((rounded >> 13) - (112u << 10)))};
}

float to_float(Float8 value) {
  const int exponent = value.bits >> 3 & 0xf, fraction = value.bits & 7;
  float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -9)
                                  : std::ldexp(static_cast<float>(8 + fraction), exponent - 10);
  if (exponent == 0xf && fraction == 7) magnitude = std::numeric_limits<float>::quiet_NaN();
  return value.bits & 0x80 ? -magnitude : magnitude;
}

Float8 to_float8(float value) {
  const auto sign = static_cast<std::uint8_t>(std::signbit(value) ? 0x80 : 0);
  const float magnitude = std::fabs(value);
  if (magnitude != magnitude) return {static_cast<std::uint8_t>(sign | 0x7f)};
  if (magnitude >= 448) return {static_cast<std::uint8_t>(sign | 0x7e)};
  const int exponent = std::max(std::ilogb(magnitude), -6);  // below 2^-6 steps stay at 2^-9
  const auto steps =
      magnitude == 0 ? 0 : static_cast<int>(std::nearbyint(std::ldexp(magnitude, 3 - exponent)));
  // The steps of the next exponent follow on: eight of the smallest are the first with an exponent.
  return {static_cast<std::uint8_t>(sign | ((exponent + 6) * 8 + steps))};
}

BFloat16 to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace aisp

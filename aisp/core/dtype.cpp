// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/dtype.h"

#include <array>
#include <cmath>

namespace aisp {
namespace {

struct Facts {
  std::string_view name;
  std::size_t size;
  double roundoff;
};

// Indexed by DType; the order is the order of the enumeration.
constexpr std::array<Facts, 12> kFacts{{{"f64", 8, 0x1p-53},
                                        {"f32", 4, 0x1p-24},
                                        {"f16", 2, 0x1p-11},
                                        {"bf16", 2, 0x1p-8},
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

BFloat16 to_bfloat16(float value) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return {static_cast<std::uint16_t>((bits >> 16) | 0x40u)};
  return {static_cast<std::uint16_t>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16)};
}

}  // namespace aisp

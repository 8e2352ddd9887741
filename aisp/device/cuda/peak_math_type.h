// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a multiplication is done in. As DType, and one that no tensor has: f32 rounded to the tensor cores'
/// 19 bits.
#pragma once

#include <cstddef>

namespace aisp::cuda {

enum class MathType { f64, f32, tf32, f16, bf16, f8e4m3, i8 };

constexpr MathType kMathTypes[] = {MathType::f64,  MathType::f32,    MathType::tf32, MathType::f16,
                                   MathType::bf16, MathType::f8e4m3, MathType::i8};

constexpr const char* name_of(MathType type) {
  constexpr const char* kNames[] = {"f64", "f32", "tf32", "f16", "bf16", "f8e4m3", "i8"};
  return kNames[static_cast<int>(type)];
}

/// Of a stored element.
constexpr std::size_t size_of(MathType type) {
  constexpr std::size_t kSizes[] = {8, 4, 4, 2, 2, 1, 1};
  return kSizes[static_cast<int>(type)];
}

/// Integers have no floating-point operations.
constexpr const char* unit_of(MathType type) { return type == MathType::i8 ? "OP/s" : "FLOP/s"; }

}  // namespace aisp::cuda

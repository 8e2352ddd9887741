// SPDX-License-Identifier: Apache-2.0
/// \file
/// Random data on the device. Zeros would flatter: units that switch fewer transistors draw less power and
/// clock higher (a product of zeros ran 13 % faster than one of random numbers on an H200).
///
///   const auto words = random_memory(bytes, 1);
///   const auto matrix = random_matrix(MathType::bf16, count, 2);
#pragma once

#include <cstddef>
#include <cstdint>

#include "aisp/device/cuda/memory.h"
#include "aisp/device/cuda/peak_math_type.h"

namespace aisp::cuda {

/// Any bits; `bytes` is a multiple of four.
DeviceMemory<std::byte> random_memory(std::size_t bytes, std::uint32_t seed);
/// Uniform in [-1, 1); all values of i8, alike.
DeviceMemory<std::byte> random_matrix(MathType type, std::size_t count, std::uint32_t seed);

}  // namespace aisp::cuda

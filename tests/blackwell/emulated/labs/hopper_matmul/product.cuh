// SPDX-License-Identifier: Apache-2.0
/// \file
/// The product, with bf16 as the host has it: 16 bits.
#pragma once

#include "words.h"

namespace aisp::hopper_matmul {

struct Product {
  const std::uint16_t *a, *b;
  std::uint16_t* d;
  int m, n, k;
};

}  // namespace aisp::hopper_matmul

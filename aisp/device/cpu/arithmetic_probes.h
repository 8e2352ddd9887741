// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loops of independent multiply-adds in registers: what the arithmetic units can do at most, by element
/// type.
///
///   for (const ArithmeticProbe& probe : arithmetic_probes()) {
///     probe.run(100'000);                               // probe.operations_per_turn * 100'000 operations
///   }
///
/// A multiply-add counts as two operations. Types whose fastest instructions are not probed here (matrix
/// tiles) are left out rather than given a ceiling that honest code could pass.
#pragma once

#include <cstddef>
#include <vector>

#include "aisp/core/dtype.h"

namespace aisp::device {

struct ArithmeticProbe {
  const char* name;
  DType type;
  double operations_per_turn;
  void (*run)(std::size_t turns);
};

/// Those this processor can execute.
std::vector<ArithmeticProbe> arithmetic_probes();

}  // namespace aisp::device

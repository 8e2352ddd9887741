// SPDX-License-Identifier: Apache-2.0
/// \file
/// The name of an enumerator that counts from zero.
///
///   return pick<2>({"shared", "split"}, mode);
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace aisp {

template <std::size_t N, class Enum>
std::string_view pick(const std::array<std::string_view, N>& names, Enum value) {
  return names[static_cast<std::size_t>(value)];
}

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an hour of a machine costs: a small table with defaults, over which users lay their own.
///
///   Result<std::vector<Price>> prices = price_table({"H200=4.10", "Xeon=0.12"});
///   const Price* price = price_of("NVIDIA H200", *prices);   // 4.10
///
/// Defaults are list prices of an hour in dollars, to be replaced by what one pays.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/result.h"

namespace aisp::analysis {

struct Price {
  std::string machine;  ///< a word or more of its name, in any case: "H100"
  double dollars_per_hour = 0;
  bool is_default = true;
  AISP_FIELDS(machine, dollars_per_hour, is_default)
};

/// The defaults with "NAME=DOLLARS" laid over them.
Result<std::vector<Price>> price_table(const std::vector<std::string>& own);

/// Of the longest name that the hardware's contains; null where none does.
const Price* price_of(std::string_view hardware, const std::vector<Price>& prices);

/// In any case, and whole: "A100" is in "NVIDIA A100-SXM4-80GB", "A10" is not, nor "H200" in "NVIDIA GH200".
bool contains_word(std::string_view text, std::string_view word);

}  // namespace aisp::analysis

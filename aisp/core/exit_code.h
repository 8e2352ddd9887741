// SPDX-License-Identifier: Apache-2.0
/// \file
/// Exit codes are a contract with scripts. Failures of a command use ErrorCode's values; these are the
/// others.
#pragma once

#include "aisp/core/result.h"

#include <span>

#include "aisp/core/record.h"

namespace aisp {

inline constexpr int kExitValid = 0;
inline constexpr int kExitInvalid = 1;  ///< a guard rejected a row, or a regression was found
inline constexpr int kExitUnproven = 4;
inline constexpr int kExitWorkload = 8;  ///< workload code crashed or was ended
inline constexpr int kExitInconclusive = 9;
inline constexpr int kExitInterrupted = 130;
inline constexpr int kExitTerminated = 143;

/// Over several cells the first of 70, 8, 1, 4, 9, 0 that occurred.
int exit_code_of(std::span<const CellResult> cells);
/// The same for two codes. A command's other failures (a bad input, say) come after 1 and before 4.
int worse_exit(int a, int b);

/// Whether the number is that of an Error; 0 and the codes of verdicts are not.
constexpr bool is_error_code(int code) {
  return (code >= static_cast<int>(ErrorCode::usage) && code <= static_cast<int>(ErrorCode::workload)) ||
         code == static_cast<int>(ErrorCode::internal);
}

}  // namespace aisp

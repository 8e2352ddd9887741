// SPDX-License-Identifier: Apache-2.0
/// \file
/// The words a result is judged with. Validity says whether the number can be believed; Outcome says how two
/// numbers compare. A verdict is not an error: an invalid row is a successful run of the harness.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/fields.h"

namespace aisp {

enum class Validity : std::uint8_t {
  valid,
  unproven,  ///< a fact that the policy requires could not be established here
  invalid,   ///< a guard rejected it
  failed,    ///< workload code crashed, hung or exceeded a limit: there is no number
};

enum class Outcome : std::uint8_t { faster, slower, equivalent, inconclusive };

/// Which facts must be known.
enum class Policy : std::uint8_t {
  portable,  ///< laptops and CI: only what is needed to believe the answer and the clock
  standard,  ///< facts that virtual machines and containers hide may be unknown; they are listed on the row
  strict,    ///< all of them; virtual machines are refused
};

std::string_view name_of(Validity validity);
std::string_view name_of(Outcome outcome);
std::string_view name_of(Policy policy);

enum class Level : std::uint8_t {
  pass,
  note,     ///< worth knowing; changes no verdict
  unknown,  ///< the fact could not be established
  reject,
};
std::string_view name_of(Level level);

/// What one guard said about one row.
struct Finding {
  std::string guard;
  Level level = Level::pass;
  std::string because;  ///< with the numbers
  std::string hint;     ///< what to do
  bool waived = false;  ///< a reject the user chose to accept for this run; shown
  AISP_FIELDS(guard, level, because, hint, waived)
};

}  // namespace aisp

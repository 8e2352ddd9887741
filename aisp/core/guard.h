// SPDX-License-Identifier: Apache-2.0
/// \file
/// A guard judges evidence: a pure function, tested with fabricated evidence, re-run over old results when it
/// improves. It never measures, prints or sees a device.
///
///   constexpr Guard kOutputWritten{.id = "output_written", .question = "Did every call write all of its
///   output?",
///                                  .issues = {14, 17}, .required_from = Policy::portable, .judge = judge};
#pragma once

#include <array>
#include <string_view>

#include "aisp/core/evidence.h"
#include "aisp/core/verdict.h"

namespace aisp {

struct Guard {
  std::string_view id;
  std::string_view question;                ///< in plain words, answered by the finding
  std::array<int, 16> issues{};             ///< numbers of the validity issues it covers; 0 = unused
  Policy required_from = Policy::portable;  ///< an unknown is `unproven` under this policy and stricter ones
  Finding (*judge)(const Evidence&) = nullptr;
};

}  // namespace aisp

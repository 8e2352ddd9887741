// SPDX-License-Identifier: Apache-2.0
/// \file
/// What on this machine would make results invalid, unproven or noisy, before anything is run.
///
///   for (const Advice& advice : examine()) print(advice.subject, advice.status, advice.finding,
///   advice.action);
///
/// Looks and never changes anything. A clean bill is no proof: guards judge each run by its own evidence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aisp::probes {

enum class Health : std::uint8_t {
  ok,
  warn,     ///< results may be noisy, or unproven under a strict policy
  bad,      ///< results would be invalid
  unknown,  ///< could not be established here
};
std::string_view name_of(Health health);

struct Advice {
  std::string subject;  ///< "frequency governor"
  Health status = Health::unknown;
  std::string finding;  ///< what was seen
  std::string action;   ///< what to do; empty when nothing needs doing
};

/// Takes a few milliseconds.
std::vector<Advice> examine();

}  // namespace aisp::probes

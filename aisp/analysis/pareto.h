// SPDX-License-Identifier: Apache-2.0
/// \file
/// Variants that nothing beats in every respect: less time, memory, energy and error are each better.
///
///   Front front = pareto(contest, {Respect::time, Respect::memory});
///
/// One variant dominates another when it is nowhere worse and somewhere surely better: for times the
/// intervals must be apart; energies whose intervals are not apart are one, and so are peaks of memory
/// closer than pages tell (aisp/core/memory_resolution.h) and worst errors of the same two digits
/// (worst_error.h). Only variants of one workload, size and device are compared: by the
/// times of one run, and where the latest results are of several, by their times over the baseline's in the
/// same rounds, if that keeps more of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/analysis/contest.h"

namespace aisp::analysis {

enum class Respect : std::uint8_t { time, memory, energy, error };
inline constexpr std::array kRespects{Respect::time, Respect::memory, Respect::energy, Respect::error};
std::string_view name_of(Respect respect);

/// Energies closer than this share are one where nobody recorded how far their counter, which moves in steps,
/// may be off. What runs call practically equal where nothing else is said.
inline constexpr double kSameEnergy = 0.02;

/// What a variant costs in one respect: ns, bytes, joules, or multiples of the tolerance by two digits. A
/// point where no interval was measured; but half of kSameEnergy to either side of an energy, and what
/// pages tell (memory_resolution.h) of a CPU's memory.
std::optional<Estimate> cost(const Figure& figure, Respect respect);

struct FrontMember {
  std::string variant;
  bool anchor = false, baseline = false;
  std::optional<Estimate> time_ns;
  std::optional<double> peak_bytes;  ///< as recorded
  std::optional<Estimate> joules;  ///< as far as the counter tells them apart; a point where that is unknown
  std::optional<double> worst_error;      ///< as recorded; compared by two digits
  std::vector<std::string> dominated_by;  ///< empty: it is on the front
  std::string run = {};                   ///< where it was measured
  /// Of the baseline's time in the same rounds; only where that is what was compared, see `note`.
  std::optional<Estimate> time_share = {};
  AISP_FIELDS(variant, anchor, baseline, time_ns, peak_bytes, joules, worst_error, dominated_by, run,
              time_share)
  bool on_front() const { return dominated_by.empty(); }
};

struct Front {
  Where where;
  std::vector<std::string> respects;  ///< in which they were compared
  std::vector<FrontMember> members;   ///< the front first, by the first respect
  std::vector<LeftOut> left_out;
  std::string needs;      ///< what is missing where nothing can be compared
  std::string note = {};  ///< where its members are of several runs: how they were compared
  AISP_FIELDS(where, respects, members, left_out, needs, note)
};

/// In the respects asked for; a variant of which one is unknown is left out. Without any: all that are known
/// of every entrant.
Front pareto(const Contest& contest, std::vector<Respect> respects = {});

}  // namespace aisp::analysis

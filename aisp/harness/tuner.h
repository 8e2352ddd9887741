// SPDX-License-Identifier: Apache-2.0
/// \file
/// Searches the configurations of one variant at one size: all of them in a short cell, the better half in
/// one of twice the time, and so on until one is left. Every cell is measured by the harness as any other is,
/// with the variant at its fallbacks as the baseline, so that each configuration has a paired ratio to what
/// it would replace. What answers wrongly, crashes or is rejected by a guard goes at once and says why.
///
///   const auto found = search_configurations({.cell = cell, .variant = "tiled", .measure = ...});
///   found->winner;   // "tiled@tile=32"; empty: nothing was faster than the fallbacks
///
/// Not a proof: the best of many is partly the luckiest. The winner is judged afterwards, in a run of its
/// own, on other inputs and other sizes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/plan.h"

namespace aisp::harness {

/// Configurations that share a round; more are raced in groups, each against the fallbacks.
inline constexpr std::size_t kMostInARound = 16;

enum class Fate : std::uint8_t {
  untried,     ///< the search ended before its turn
  running,     ///< still in the race when it ended
  pruned,      ///< says itself that it cannot be at this size or here; never measured
  thrown_out,  ///< wrong, crashed, hung, or rejected by a guard
  slower,      ///< lost
  winner,
};
std::string_view name_of(Fate fate);

struct Contender {
  std::string name;
  Fate fate = Fate::untried;
  std::string why = {};                     ///< of what is out
  std::optional<RatioEstimate> ratio = {};  ///< over the fallbacks, from the longest cell it was in
  double seconds = 0;                       ///< of that cell
};

/// Measures a cell for so many seconds; the first of its variants is the baseline.
using MeasureCell = std::function<Result<CellResult>(const PlannedCell& cell, double seconds)>;

struct TuningJob {
  const PlannedCell& cell;
  std::string variant;  ///< as declared
  MeasureCell measure;
  double first_seconds = 2.5;  ///< of the first cells; each later rung has twice as much
  std::function<bool()> stop = [] { return false; };  ///< time is up, or Ctrl-C: what is known counts
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

struct TuningSearch {
  std::vector<Contender> contenders;
  std::string winner;      ///< empty: the fallbacks stay
  bool cut_short = false;  ///< `stop` said so before one was left
};

/// An Error: the fallbacks themselves cannot be measured, so that there is nothing to compare with.
Result<TuningSearch> search_configurations(const TuningJob& job);

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run boiled down to what later runs on the same kind of hardware are held to: for each variant its ratio
/// to the baseline of the same run, with the interval. Small enough to be committed beside the code.
///
///   std::string text = render_expectations(run);                    //
///   results/<date>-<machine>/expectations.json Result<Expectations> expected = parse_expectations(text);
///   Standing standing = standing_of(entry, now);
///
/// Ratios are kept and compared, not times: a time of last year says as much about the machine as about the
/// code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/figure.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"

namespace aisp::report {

/// One variant of one cell. Baselines, anchors and informational rungs have none: nothing is expected of
/// them.
struct Expectation {
  std::string workload;
  std::string parameters;
  std::string device;  ///< "cpu", "cuda"
  CacheMode cache = CacheMode::hot;
  Goal goal = Goal::speed;
  std::string variant;
  bool best = false;  ///< of its cell
  Validity validity = Validity::unproven;
  /// Against the baseline; unknown where it was not valid, or measured too seldom for an interval.
  std::optional<Estimate> speedup;
  std::optional<double> time_ns;     ///< of a call, to look at
  std::optional<double> of_anchor;   ///< to look at
  std::optional<double> of_ceiling;  ///< percent, to look at
  AISP_FIELDS(workload, parameters, device, cache, goal, variant, best, validity, speedup, time_ns, of_anchor,
              of_ceiling)
};

struct Expectations {
  std::string hardware;  ///< key
  std::string date;      ///< UTC, of the run's start
  std::string version;   ///< of the program
  int method = 0;        ///< of its verdicts
  std::vector<Expectation> entries;
  AISP_FIELDS(hardware, date, version, method, entries)
};

Expectations expectations_of(const RunRecord& run);
std::string render_expectations(const RunRecord& run);
/// Says what is wrong with the text, naming the member.
Result<Expectations> parse_expectations(std::string_view text);

/// How a variant stands to what was expected of it.
enum class Standing : std::uint8_t {
  as_expected,
  better,
  worse,        ///< by the rule below, or valid then and not now
  not_run,      ///< there is no result of one's own to compare with
  not_valid,    ///< it was not valid when the expectation was made
  unproven,     ///< no result of one's own is valid, and the latest is not worse
  no_interval,  ///< then or now there were too few rounds for one: there is nothing to compare
  not_measured  ///< nobody has committed a result for this size
};
std::string_view name_of(Standing standing);

/// Two runs of the same code differ by more than their intervals say: clocks, heat and neighbours of another
/// day.
/// How much is chosen, not measured.
inline constexpr double kOtherDay = 0.03;

/// Worse: the highest ratio that the present run leaves possible is more than kOtherDay below the lowest that
/// the expectation does. Better is the reverse. `now`: the same variant of the same cell, null if there is
/// none.
Standing standing_of(const Expectation& expected, const Figure* now);

}  // namespace aisp::report

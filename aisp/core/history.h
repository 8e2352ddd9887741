// SPDX-License-Identifier: Apache-2.0
/// \file
/// The words in which results over time are spoken of: a series is what one variant of one cell took on one
/// kind of hardware, run after run; a change is a place in it after which the level is another.
///
/// A change is only suspected until both revisions were measured again side by side: machines change too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/record.h"

namespace aisp {

/// What a point has from its run, and shares with all the other points of it.
struct HistoryRun {
  std::string id, started;
  std::string commit;                 ///< of the program, as its build wrote it down; empty = unknown
  std::vector<std::string> programs;  ///< SHA-256 of the program and its plugins; empty = not recorded
  int method = 0;                     ///< of the program that derived it
  bool of_builds = false;             ///< it measured two builds: no points, but pairs
};

struct HistoryPoint {
  std::shared_ptr<const HistoryRun> run;  ///< never null
  std::string time;                       ///< of its end: UTC, ISO 8601
  Estimate value;                         ///< what the goal compares: ns, items per second, bytes
};

struct HistorySeries {
  std::string hardware, workload, parameters, device, cache, variant;
  Goal goal = Goal::speed;
  std::vector<HistoryPoint> points;  ///< in the order they are looked at: by time, or by commit
};

enum class ChangeStatus : std::uint8_t {
  small,       ///< inside the region of practical equivalence
  same_build,  ///< the same files on both sides: the machine changed, not the program
  suspected,   ///< not measured side by side yet
  refuted,     ///< measured side by side: the revisions do not differ so
  unsettled,   ///< measured side by side: cannot tell, or a guard rejected a side
  confirmed,
};
std::string_view name_of(ChangeStatus status);

/// Two builds measured in alternation (`compare --build`), as far as one variant is concerned.
struct PairedRevisions {
  std::string run, finished;
  std::string old_program, new_program;  ///< SHA-256
  std::string workload, parameters, device, cache, variant;
  Validity validity = Validity::unproven;
  std::optional<RatioEstimate> ratio;  ///< above 1: the new build needs less
};

struct HistoryChange {
  std::size_t at = 0;         ///< the first point of the new level
  std::size_t last_old = 0;   ///< the latest point that is surely of the old level
  std::size_t first_new = 0;  ///< the earliest that is surely of the new one
  double p_value = 1;
  double before = 0, after = 0;  ///< medians of the levels
  double ratio = 1;              ///< above 1: less is needed than before (time, bytes), or more is done
  bool recovered = false;        ///< it got worse, and the newest level is as good again as before
  ChangeStatus status = ChangeStatus::suspected;
  std::optional<PairedRevisions> paired;  ///< what settled it

  bool worse() const { return ratio < 1; }
  /// What `aisp history` ends with 1 for.
  bool alerts() const { return worse() && !recovered && status == ChangeStatus::confirmed; }
};

/// A stretch that a straight line explains better than steps do. Never alerts: no two revisions to blame.
struct HistoryDrift {
  std::size_t begin = 0, end = 0;
  double ratio = 1;    ///< of its end to its beginning, in the sense of HistoryChange::ratio
  bool small = false;  ///< inside the region of practical equivalence
};

struct ExaminedSeries {
  HistorySeries series;
  std::vector<HistoryChange> changes;  ///< in order
  std::vector<HistoryDrift> drifts;
};

}  // namespace aisp

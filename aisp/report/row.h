// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a row of any report says, decided once: which variant a cell's row is about, its figures as text, its
/// verdict, and why it was not accepted. The renderers (table, markdown, html) only lay it out.
///
///   const CellRow row = cell_row(cell);
///   row.variant.speedup;   // "1.52x [1.49, 1.55]"
///   row.reasons;           // "tiled invalid: output_written: 96 of 96 calls left poison; ..."
///
/// Every text has passed through visible(); markup still has to be escaped. It judges nothing: verdicts come
/// from the record.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::report {

/// What a table that is too narrow for them says it left out.
inline constexpr const char* kTimeIntervals = "the intervals of the figures";

/// How a verdict is coloured; its words always say the same.
enum class Tone { plain, good, caution, bad };

struct Judgement {
  std::string text;  ///< "faster", "faster (small)", "invalid", "skipped", ...
  Tone tone = Tone::plain;
};

/// One variant of one cell.
struct VariantRow {
  std::string name;
  std::string mark;      ///< "baseline", "anchor", "informational" or empty
  std::string figure;    ///< "4.56 ms": the time, or what a latency or throughput goal compares
  std::string spread;    ///< "4.56 ms ±1.1%", or the interval where it is lopsided
  std::string interval;  ///< "4.56 ms [4.52, 4.61]"
  std::string speedup;   ///< "1.52x [1.49, 1.55]", never for a rejected row
  std::string ceiling;   ///< "87%"
  std::string anchor;    ///< "0.98x"
  std::string memory;    ///< "12.0 MiB", with the change where memory is the goal
  std::string note;      ///< what this rung changes
  std::string skipped;   ///< why it did not run here; empty = it ran
  std::string details;   ///< an anchor's setting, how often it was sampled, its extra metrics
  Judgement verdict;
};

/// Why something is not accepted, or accepted only by a waiver.
struct Reason {
  std::string subject;  ///< "tiled", or "attempts 1, 2"
  Judgement verdict;    ///< "invalid", "crashed", "waived", ...
  std::string text;     ///< guard, its reason with the numbers, hint
};

struct CellRow {
  std::string workload, parameters;
  std::string goal;        ///< goal_text() of the cell
  std::string ratio_name;  ///< of the cell's goal
  std::string baseline;    ///< the baseline's figure
  const VariantResult* shown =
      nullptr;         ///< the best variant, else the first that was rejected, else the baseline
  VariantRow variant;  ///< of `shown`; of a rejected one only the verdict, since a row is about what is best
  Validity validity = Validity::unproven;  ///< the worse of the cell's and the shown variant's
  Judgement verdict;                       ///< of the cell
  std::vector<Reason> reasons;
};

/// Of such a variant no number is shown as a result.
inline bool rejected(Validity validity) {
  return validity == Validity::invalid || validity == Validity::failed;
}
Judgement judgement_of(Validity validity);
VariantRow variant_row(const CellResult& cell, const VariantResult& variant);
CellRow cell_row(const CellResult& cell);
std::vector<Reason> reasons_of(const CellResult& cell);

/// What is compared where it is not the time of a call: "p99 latency", "throughput", "memory"; else empty.
std::string goal_text(const CellResult& cell);

/// What the ratio to the baseline is called: "saving" where memory is compared, else "speed-up". Of rows with
/// different goals it is a "ratio".
std::string ratio_name(Goal goal);
std::string ratio_name(const std::vector<CellRow>& rows);
/// What the figure of a cell's variants is called: the goal where it has a figure of its own, else "time".
std::string figure_name(const CellResult& cell);

/// The first finding that rejects and is not waived, else the first unknown; nothing if all is well.
const Finding* decisive_finding(const VariantResult& variant);

}  // namespace aisp::report

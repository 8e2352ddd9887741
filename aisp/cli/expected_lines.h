// SPDX-License-Identifier: Apache-2.0
/// \file
/// Committed expectations laid beside results of one's own and beside what there is to measure: the lines of
/// `aisp expectations`.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"
#include "aisp/report/expectations.h"
#include "aisp/store/store.h"

namespace aisp::cli {

/// The nearest results/ with committed results, here or in a folder above this one. An Error says where it
/// looked.
Result<std::string> committed_results();

/// Every expectations.json under the folder, the oldest first.
Result<std::vector<report::Expectations>> read_expectations(const std::string& folder);

/// The one hardware key that is, or contains, what was asked for.
Result<std::string> hardware_named(const std::vector<report::Expectations>& all, const std::string& asked);

struct ExpectedLine {
  report::Expectation expected;
  std::string date = {};             ///< of the expectation
  std::optional<Estimate> now = {};  ///< the gain of one's own latest valid result, or the latest if none is
  std::string run = {};              ///< that it is of
  report::Standing standing = report::Standing::not_measured;
  bool below = false;  ///< the best of its cell is not surely above the least speed-up asked for
};

/// What is expected of this hardware, and where one's own results stand. A later expectation takes the place
/// of an earlier one. `own` may be null.
Result<std::vector<ExpectedLine>> expected_lines(const std::vector<report::Expectations>& all,
                                                 const std::string& hardware, store::Store* own,
                                                 double min_speedup);

/// "n=512" before "n=4096": runs of digits are compared as numbers.
bool size_before(std::string_view a, std::string_view b);

/// Cells of the catalogue, on the devices that the lines are about, that have no line.
std::vector<ExpectedLine> unmeasured_lines(const std::vector<harness::WorkloadInfo>& catalogue,
                                           const std::vector<ExpectedLine>& lines);

}  // namespace aisp::cli

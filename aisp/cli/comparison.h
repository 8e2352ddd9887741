// SPDX-License-Identifier: Apache-2.0
/// \file
/// The answer of `aisp compare`, whatever was compared: one line per pair, the text and JSON made of them,
/// and the exit code. A pair of which one side was rejected has no ratio: it can be neither faster nor
/// equivalent.
///
///   lines.push_back(line_of("ch09/softmax n=1024", a, b, ratio));
///   return answer(arguments, {.first = "scalar", .second = "avx2", .lines = lines});
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/cli/command.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"

namespace aisp::cli {

struct ComparisonLine {
  std::string what;
  std::optional<RatioEstimate> ratio;   ///< of the second over the first; nothing where one side is rejected
  std::optional<double> claimed;        ///< the ratio that a rejected side would have had
  Validity validity = Validity::valid;  ///< the worse of the two sides
  std::string reason;                   ///< "avx2: output_written: ...", where a side is not valid
  std::string note;
};

struct ComparisonAnswer {
  std::string first, second;
  std::vector<ComparisonLine> lines;
  std::string run = {};                    ///< that was measured for it; empty for stored runs
  std::vector<std::string> left_out = {};  ///< what only one side has; listed, decides nothing
};

/// The only way to a line: it takes the ratio away from a pair that guards rejected.
ComparisonLine line_of(std::string what, const VariantResult& first, const VariantResult& second,
                       std::optional<RatioEstimate> ratio, std::string note = {});

/// What stands in the column of verdicts.
std::string verdict_of(const ComparisonLine& line);

/// For an answer without lines.
Error nothing_in_common();

/// The first of 8, 1, 4, 9 and 0 that a line asks for.
int exit_code_of(const std::vector<ComparisonLine>& lines);

/// Prints it and returns the exit code; an answer without lines is an error.
int print_answer(const Arguments& arguments, const ComparisonAnswer& answer);

}  // namespace aisp::cli

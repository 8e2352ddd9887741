// SPDX-License-Identifier: Apache-2.0
/// \file
/// Histories whose truth is known, because it was put into them: where the level changes, by how much, or
/// that it does not. tests/stats/corpus/histories.csv holds those that precision and recall are counted on.
///
/// Noise is scaled so that the middle 68 % of it lie within one sigma of its middle, which for normal noise
/// is the usual sigma and exists for every other kind too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aisp::stats {

struct KnownStep {
  std::size_t at = 0;
  double sigmas = 0;  ///< signed
};

struct KnownHistory {
  std::string noise;  ///< "normal", "skewed", "heavy tails", "spikes", "two modes", "neighbours alike"
  double sigma = 0;   ///< of the log value
  double slope = 0;   ///< rise from the first value to the last, in sigmas
  std::vector<KnownStep> steps;
  std::vector<double> log_values;
};

/// The corpus: 240 histories of 30 to 120 values; 3 in 4 have one to three steps of 1.5 to 10 sigma, the
/// others none, half of those a slope. Drawn from seeds that are part of the code.
std::vector<KnownHistory> draw_corpus();

/// A history of 20 to 120 values without step or slope, the kinds of noise in turn.
KnownHistory draw_steady(std::uint64_t index);

/// The same with normal noise whose neighbours are correlated this much.
KnownHistory draw_alike(std::uint64_t index, double lag1);

/// As in the file: a heading and one line each. Six digits of every value.
std::string to_csv(const std::vector<KnownHistory>& histories);
std::vector<KnownHistory> from_csv(const std::string& text);

}  // namespace aisp::stats

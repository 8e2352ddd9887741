// SPDX-License-Identifier: Apache-2.0
#include "tests/stats/optimal_segments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aisp::stats {
namespace {

constexpr double kImpossible = std::numeric_limits<double>::infinity();

double distance_from_median(const std::vector<double>& sorted) {
  double sum = 0;
  for (std::size_t low = 0, high = sorted.size(); low + 1 < high; ++low) sum += sorted[--high] - sorted[low];
  return sum;
}

/// [begin][end]: of values[begin, end) from their median.
std::vector<std::vector<double>> level_distances(std::span<const double> values, std::size_t least) {
  std::vector<std::vector<double>> distances(values.size(),
                                             std::vector<double>(values.size() + 1, kImpossible));
  std::vector<double> sorted;
  for (std::size_t begin = 0; begin < values.size(); ++begin) {
    sorted.clear();
    for (std::size_t end = begin + 1; end <= values.size(); ++end) {
      sorted.insert(std::ranges::upper_bound(sorted, values[end - 1]), values[end - 1]);
      if (sorted.size() >= least) distances[begin][end] = distance_from_median(sorted);
    }
  }
  return distances;
}

}  // namespace

OptimalSegments::OptimalSegments(std::span<const double> values, std::size_t least) : size_(values.size()) {
  if (size_ < least) return;
  const auto level = level_distances(values, least);
  std::vector<Cut>& uncut = best_.emplace_back(size_ + 1, Cut{kImpossible});
  for (std::size_t end = least; end <= size_; ++end) uncut[end] = {level[0][end]};
  for (std::size_t changes = 1; (changes + 1) * least <= size_; ++changes) {
    std::vector<Cut> cuts(size_ + 1, Cut{kImpossible});
    for (std::size_t end = (changes + 1) * least; end <= size_; ++end) {
      for (std::size_t begin = changes * least; begin + least <= end; ++begin) {
        const double distance = best_.back()[begin].distance + level[begin][end];
        if (distance < cuts[end].distance) cuts[end] = {distance, begin};
      }
    }
    best_.push_back(std::move(cuts));
  }
}

std::vector<ChangePoint> OptimalSegments::changes(double price) const {
  const double n = static_cast<double>(size_);
  std::size_t chosen = 0;
  double least = kImpossible;
  for (std::size_t changes = 0; changes < best_.size(); ++changes) {
    const double paid = price * std::log(n) * static_cast<double>(changes);
    const double cost = n * std::log(best_[changes][size_].distance) + paid;
    if (!(cost < least)) continue;
    least = cost;
    chosen = changes;
  }
  std::vector<ChangePoint> found(chosen);
  for (std::size_t end = size_; chosen > 0; --chosen) {
    end = best_[chosen][end].begin;
    found[chosen - 1] = {.at = end, .p_value = std::numeric_limits<double>::quiet_NaN()};
  }
  return found;
}

}  // namespace aisp::stats

// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/shuffled_splits.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "aisp/core/rng.h"
#include "aisp/stats/energy_split.h"
#include "aisp/stats/ranks.h"

namespace aisp::stats {
namespace {

constexpr double kMostAutocorrelation = 0.9;
constexpr double kStep = 0.05;
constexpr std::size_t kMostKept = 256;  // 16 KiB each with 1999 copies

// Without sorting them: most series have none, and there are thousands of series.
bool has_ties(std::span<const std::int32_t> ranks) {
  std::vector<bool> seen(2 * ranks.size() + 1);
  for (const std::int32_t rank : ranks) {
    const auto place = static_cast<std::size_t>(rank);
    if (place >= seen.size() || seen[place]) return true;
    seen[place] = true;
  }
  return false;
}

std::vector<std::int32_t> ranks_without_ties(std::size_t count) {
  std::vector<std::int32_t> ranks;
  for (std::size_t i = 1; i <= count; ++i) ranks.push_back(static_cast<std::int32_t>(2 * i));
  return ranks;
}

}  // namespace

double shared_lag1(double lag1) {
  if (!(lag1 > 0)) return 0;
  // What is a multiple already, but for its last digits, stays.
  return std::min(kStep * std::ceil(lag1 / kStep - 1e-9), kMostAutocorrelation);
}

class ShuffledSplits::Copies {
 public:
  Copies(std::vector<std::int32_t> sorted_ranks, const ChangePointOptions& options)
      : rng_(options.seed),
        lag1_(shared_lag1(options.lag1)),
        least_(options.least),
        shuffled_(std::move(sorted_ranks)) {}

  double statistic(std::size_t i) {
    while (statistics_.size() <= i) statistics_.push_back(best_split(draw(), least_).statistic);
    return statistics_[i];
  }

 private:
  const std::vector<std::int32_t>& draw() {
    for (std::size_t i = shuffled_.size(); i > 1; --i) std::swap(shuffled_[i - 1], shuffled_[rng_.below(i)]);
    if (!(lag1_ > 0)) return shuffled_;
    double value = centred(rng_.below(shuffled_.size())) / std::sqrt(1 - lag1_ * lag1_);
    alike_.clear();
    for (std::size_t i = 0; i < shuffled_.size(); ++i) alike_.push_back(value = lag1_ * value + centred(i));
    return ranks_of_alike_ = whole_ranks(alike_);
  }
  double centred(std::size_t i) const { return shuffled_[i] - static_cast<double>(shuffled_.size() + 1); }

  Rng rng_;
  double lag1_;
  std::size_t least_;
  std::vector<std::int32_t> shuffled_, ranks_of_alike_;
  std::vector<double> alike_;
  std::vector<double> statistics_;
};

ShuffledSplits::ShuffledSplits(std::span<const std::int32_t> ranks, const ChangePointOptions& options) {
  if (has_ties(ranks)) {
    std::vector<std::int32_t> sorted(ranks.begin(), ranks.end());
    std::ranges::sort(sorted);
    copies_ = std::make_shared<Copies>(std::move(sorted), options);
    return;
  }
  using Kind = std::tuple<std::size_t, std::size_t, double, std::uint64_t>;
  thread_local std::map<Kind, std::shared_ptr<Copies>> kept;
  const Kind kind{ranks.size(), options.least, shared_lag1(options.lag1), options.seed};
  if (kept.size() >= kMostKept && !kept.contains(kind)) kept.clear();
  std::shared_ptr<Copies>& copies = kept[kind];
  if (copies == nullptr) copies = std::make_shared<Copies>(ranks_without_ties(ranks.size()), options);
  copies_ = copies;
}

double ShuffledSplits::statistic(int i) { return copies_->statistic(static_cast<std::size_t>(i)); }

}  // namespace aisp::stats

// SPDX-License-Identifier: Apache-2.0
#include "aisp/stats/fair_walk.h"

#include <algorithm>
#include <cstddef>

#include "aisp/core/check.h"

namespace aisp::stats {

void FairWalk::advance(int n) {
  AISP_CHECK(n >= tosses_, "a walk cannot take tosses back");
  // States below this are dropped and their mass booked as absorbed: at most 1e-15 in all for 20,000 tosses,
  // and it keeps the width of the followed band at about 20 sqrt(n) / 2 states.
  constexpr double negligible = 1e-22;
  for (; tosses_ < n && !alive_.empty(); ++tosses_) {
    const std::size_t size = alive_.size();
    next_.resize(size + 1);
    next_[0] = 0.5 * alive_[0];
    for (std::size_t i = 1; i < size; ++i) next_[i] = 0.5 * (alive_[i] + alive_[i - 1]);
    next_[size] = 0.5 * alive_[size - 1];
    alive_.swap(next_);
    while (!alive_.empty() && alive_.back() < negligible) {
      trimmed_ += alive_.back();
      alive_.pop_back();
    }
    std::size_t dead = 0;
    while (dead < alive_.size() && alive_[dead] < negligible) trimmed_ += alive_[dead++];
    if (dead > 0) {
      alive_.erase(alive_.begin(), alive_.begin() + static_cast<std::ptrdiff_t>(dead));
      first_ += static_cast<int>(dead);
    }
  }
  tosses_ = n;
}

double FairWalk::outside(int c) const {
  double mass = trimmed_;
  if (c < 0) return mass;
  for (std::size_t i = 0; i < alive_.size(); ++i) {
    const int s = first_ + static_cast<int>(i);
    if (s <= c || s >= tosses_ - c) mass += alive_[i];
  }
  return mass;
}

double FairWalk::absorb(int c) {
  const double mass = outside(c);
  trimmed_ = 0;
  if (c < 0) return mass;
  const int last = first_ + static_cast<int>(alive_.size()) - 1;
  const int from = std::max(first_, c + 1), to = std::min(last, tosses_ - c - 1);
  if (from > to) {
    alive_.clear();
    return mass;
  }
  alive_.resize(static_cast<std::size_t>(to - first_) + 1);
  alive_.erase(alive_.begin(), alive_.begin() + (from - first_));
  first_ = from;
  return mass;
}

}  // namespace aisp::stats

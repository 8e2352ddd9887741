// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/trace_feed.h"

#include <algorithm>
#include <cstring>

namespace aisp::harness {

TimedTraceFeed::TimedTraceFeed(View<const std::int64_t> arrivals, const TensorView& answers)
    : arrivals_(arrivals),
      answers_(answers),
      row_bytes_(answers.bytes() / static_cast<std::size_t>(arrivals.size)),
      answered_ns_(static_cast<std::size_t>(arrivals.size), -1) {}

void TimedTraceFeed::start() { start_ns_ = clock_.now_ns(); }

std::optional<Request> TimedTraceFeed::try_next() {
  if (!open()) return std::nullopt;
  if (clock_.now_ns() - start_ns_ < static_cast<double>(arrivals_[next_])) return std::nullopt;
  return Request{next_++};
}

void TimedTraceFeed::answer(std::int64_t id, std::span<const std::byte> row) {
  // Only requests already handed out can be answered, once, with a whole row.
  if (id < 0 || id >= next_ || answered_ns_[static_cast<std::size_t>(id)] >= 0 || row.size() != row_bytes_) {
    ++improper_;
    return;
  }
  std::memcpy(answers_.data + static_cast<std::size_t>(id) * row_bytes_, row.data(), row_bytes_);
  last_answer_ns_ = clock_.now_ns() - start_ns_;
  answered_ns_[static_cast<std::size_t>(id)] = last_answer_ns_;
}

std::vector<double> TimedTraceFeed::latencies() const {
  std::vector<double> latencies;
  for (std::size_t i = 0; i < answered_ns_.size(); ++i) {
    if (answered_ns_[i] >= 0)
      latencies.push_back(answered_ns_[i] - static_cast<double>(arrivals_[static_cast<std::int64_t>(i)]));
  }
  return latencies;
}

std::uint64_t TimedTraceFeed::unanswered() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(answered_ns_, [](double t) { return t < 0; }));
}

}  // namespace aisp::harness

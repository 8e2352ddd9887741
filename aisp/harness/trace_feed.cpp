// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/trace_feed.h"

#include <algorithm>
#include <cstring>

#include "aisp/core/check.h"

namespace aisp::harness {

void TimedTraceFeed::Hidden::reveal(std::int64_t first, std::int64_t last) const {
  const std::size_t from = static_cast<std::size_t>(first) * row_bytes;
  const std::size_t bytes = static_cast<std::size_t>(last - first) * row_bytes;
  if (bytes > 0) std::memcpy(visible.data + from, content.data() + from, bytes);
}

TimedTraceFeed::TimedTraceFeed(std::span<const TensorView> requests, const TensorView& answers)
    : requests_(requests[0].size),
      output_(answers),
      row_bytes_(answers.bytes() / static_cast<std::size_t>(requests[0].size)),
      // What is never answered stays as it was: poison.
      answers_(answers.data, answers.data + answers.bytes()),
      answered_ns_(static_cast<std::size_t>(requests[0].size), -1) {
  const auto arrivals = requests[0].as<const std::int64_t>();
  arrivals_.assign(arrivals.begin(), arrivals.end());
  for (const TensorView& input : requests) {
    AISP_CHECK(!input.shape.empty() && input.shape[0] == requests_,
               "an input of a trace has no row for each request: declare it with shared_input()");
    hidden_.push_back({.visible = input,
                       .row_bytes = input.bytes() / static_cast<std::size_t>(requests_),
                       .content = {input.data, input.data + input.bytes()}});
  }
}

void TimedTraceFeed::start() {
  for (const Hidden& input : hidden_) std::memset(input.visible.data, 0, input.visible.bytes());
  start_ns_ = clock_.now_ns();
}

std::optional<Request> TimedTraceFeed::try_next() {
  if (!open()) return std::nullopt;
  if (clock_.now_ns() - start_ns_ < static_cast<double>(arrivals_[static_cast<std::size_t>(next_)]))
    return std::nullopt;
  for (const Hidden& input : hidden_) input.reveal(next_, next_ + 1);
  return Request{next_++};
}

void TimedTraceFeed::answer(std::int64_t id, std::span<const std::byte> row) {
  // Only requests already handed out can be answered, once, with a whole row.
  if (id < 0 || id >= next_ || answered_ns_[static_cast<std::size_t>(id)] >= 0 || row.size() != row_bytes_) {
    ++improper_;
    return;
  }
  std::memcpy(answers_.data() + static_cast<std::size_t>(id) * row_bytes_, row.data(), row_bytes_);
  last_answer_ns_ = clock_.now_ns() - start_ns_;
  answered_ns_[static_cast<std::size_t>(id)] = last_answer_ns_;
}

void TimedTraceFeed::finish() {
  // Rows handed out are left alone: had the variant changed one, the inspection must see it.
  for (const Hidden& input : hidden_) input.reveal(next_, requests_);
  std::memcpy(output_.data, answers_.data(), answers_.size());
}

std::vector<double> TimedTraceFeed::latencies() const {
  std::vector<double> latencies;
  for (std::size_t i = 0; i < answered_ns_.size(); ++i) {
    if (answered_ns_[i] >= 0) latencies.push_back(answered_ns_[i] - static_cast<double>(arrivals_[i]));
  }
  return latencies;
}

double TimedTraceFeed::goodput(double objective_ns) const {
  const auto in_time = std::ranges::count_if(latencies(), [&](double ns) { return ns <= objective_ns; });
  return static_cast<double>(in_time) / static_cast<double>(std::max<std::size_t>(1, answered_ns_.size()));
}

std::uint64_t TimedTraceFeed::unanswered() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(answered_ns_, [](double t) { return t < 0; }));
}

}  // namespace aisp::harness

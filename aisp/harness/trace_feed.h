// SPDX-License-Identifier: Apache-2.0
/// \file
/// The harness's side of a trace: releases requests when they are due and stamps every answer with its own
/// clock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aisp/core/trace.h"
#include "aisp/device/clock.h"

namespace aisp::harness {

class TimedTraceFeed : public TraceFeed {
 public:
  /// `arrivals` are nanoseconds from the start; `answers` is output 0, one row per request.
  TimedTraceFeed(View<const std::int64_t> arrivals, const TensorView& answers);

  void start();
  bool open() override { return next_ < arrivals_.size; }
  std::optional<Request> try_next() override;
  void answer(std::int64_t id, std::span<const std::byte> row) override;

  /// Time of the last answer after the start.
  double makespan_ns() const { return last_answer_ns_; }
  /// Arrival to answer of every answered request.
  std::vector<double> latencies() const;
  std::uint64_t unanswered() const;
  /// Answers to requests that were never handed out, were answered before, or have the wrong length.
  std::uint64_t improper() const { return improper_; }

 private:
  View<const std::int64_t> arrivals_;
  TensorView answers_;
  std::size_t row_bytes_;
  const device::Clock& clock_ = device::Clock::instance();
  double start_ns_ = 0;
  double last_answer_ns_ = 0;
  std::int64_t next_ = 0;
  std::vector<double> answered_ns_;  ///< negative: not yet
  std::uint64_t improper_ = 0;
};

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The harness's side of a trace: releases requests when they are due and stamps every answer with its own
/// clock. Requests that are not due yet cannot be read, and answers cannot be changed once they are given.
///
///   TimedTraceFeed feed(requests, set.outputs()[0]);
///   feed.start();
///   function(call);       // try_next() and answer()
///   feed.finish();        // the tensors are whole again, with the answers in the output
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aisp/core/trace.h"
#include "aisp/device/clock.h"

namespace aisp::harness {

class TimedTraceFeed : public TraceFeed {
 public:
  /// `requests` are the inputs with a row for each request: first the arrivals, nanoseconds from the start.
  /// `answers` is output 0, one row per request.
  TimedTraceFeed(std::span<const TensorView> requests, const TensorView& answers);

  /// Hides the requests and starts the clock.
  void start();
  bool open() override { return next_ < requests_; }
  std::optional<Request> try_next() override;
  void answer(std::int64_t id, std::span<const std::byte> row) override;
  /// Puts the requests that were never handed out back, and the answers into the output.
  void finish();

  /// Time of the last answer after the start.
  double makespan_ns() const { return last_answer_ns_; }
  /// Arrival to answer of every answered request.
  std::vector<double> latencies() const;
  /// Share of all requests that were answered within this time of their arrival.
  double goodput(double objective_ns) const;
  std::uint64_t unanswered() const;
  /// Answers to requests that were never handed out, were answered before, or have the wrong length.
  std::uint64_t improper() const { return improper_; }

 private:
  /// One input with a row for each request, out of the variant's sight until the request is due.
  struct Hidden {
    TensorView visible;
    std::size_t row_bytes;
    std::vector<std::byte> content;
    void reveal(std::int64_t first, std::int64_t last) const;
  };

  std::vector<std::int64_t> arrivals_;
  std::int64_t requests_;
  std::vector<Hidden> hidden_;
  TensorView output_;
  std::size_t row_bytes_;
  std::vector<std::byte> answers_;
  const device::Clock& clock_ = device::Clock::instance();
  double start_ns_ = 0;
  double last_answer_ns_ = 0;
  std::int64_t next_ = 0;
  std::vector<double> answered_ns_;  ///< negative: not yet
  std::uint64_t improper_ = 0;
};

}  // namespace aisp::harness

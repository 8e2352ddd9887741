// SPDX-License-Identifier: Apache-2.0
/// \file
/// Trace work: schedulers and servers. The harness owns the arrivals and stamps every answer; the variant
/// serves.
///
///   void continuous_batching(TraceCall& call) {
///     Batch batch;
///     while (call.open() || !batch.empty()) {
///       while (auto request = call.try_next()) batch.admit(*request);          // arrivals that are due now
///       for (auto& done : batch.step()) call.answer<std::int32_t>(done.id, done.tokens);
///     }
///   }
///
/// Input 0 is the arrival time of each request in nanoseconds from the start (i64, ascending); row `id` of
/// the other inputs is the request, readable once try_next() has handed it out; what all requests share (a
/// model's weights) is declared with shared_input(). Answers go to row `id` of output 0, copied and stamped
/// by the harness; the outputs themselves are out of the variant's reach.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "aisp/core/call.h"

namespace aisp {

struct Request {
  std::int64_t id = 0;
};

/// The harness's side of a trace; one virtual call per request or answer.
class TraceFeed {
 public:
  virtual ~TraceFeed() = default;
  virtual bool open() = 0;                        ///< requests are still to come
  virtual std::optional<Request> try_next() = 0;  ///< the next request if it is due
  virtual void answer(std::int64_t id, std::span<const std::byte> row) = 0;
};

class TraceCall : public Call {
 public:
  TraceCall(const Parts& parts, TraceFeed& feed) : Call(parts), feed_(feed) {}
  bool open() { return feed_.open(); }
  std::optional<Request> try_next() { return feed_.try_next(); }
  template <class T>
  void answer(std::int64_t id, std::span<const T> row) {
    feed_.answer(id, std::as_bytes(row));
  }

 private:
  TraceFeed& feed_;
};

using TraceFunction = std::function<void(TraceCall&)>;

}  // namespace aisp

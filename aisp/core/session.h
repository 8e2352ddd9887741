// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stateful work: allocators, caches, file formats. The harness draws an initial state and then, once the
/// variant has loaded it, a sequence of operations (input tensors) whose results (output tensors) are all
/// checked.
///
///   class Arena : public Session {
///     void apply(const Call& call, std::int64_t first, std::int64_t count) override;   // timed
///     void finish(const Call& call) override;                                          // final state, not
///     timed
///   };
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "aisp/core/call.h"

namespace aisp {

/// What prepare() and session factories see: shapes and a place for files, never contents.
struct Setup {
  const Params& params;
  int threads = 1;
  std::string
      scratch_directory;  ///< empty, private to this sample, removed by the harness; stateful work only
};

class Session {
 public:
  virtual ~Session() = default;
  /// Takes over the initial state (Call::state); Call::team is there too. Not timed. Operations and outputs
  /// are not visible yet.
  virtual void load(const Call& /*call*/) {}
  /// Performs operations [first, first + count). Timed: once over the whole sequence, or one by one when the
  /// workload asks for per-operation latency.
  virtual void apply(const Call& call, std::int64_t first, std::int64_t count) = 0;
  /// Writes the outputs that the problem declares as final_state(), for checking. Not timed: operations are
  /// out of sight again, all other outputs count as they are now, and a finish() that takes long beside the
  /// operations is rejected.
  virtual void finish(const Call& /*call*/) {}
};

using SessionFactory = std::function<std::unique_ptr<Session>(const Setup&)>;

}  // namespace aisp

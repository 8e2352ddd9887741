// SPDX-License-Identifier: Apache-2.0
/// \file
/// The coordinator's hold on one worker: starts it, speaks the line protocol with it, holds its deadline,
/// drains and limits its output, and ends it. Whatever workload code does, this side survives and can say
/// what happened.
///
///   Result<WorkerProcess> worker = WorkerProcess::start(options);
///   Answer answer = worker->ask({.op = "open", .cell = cell}, "opened", [&](WorkerReply& reply) { ... });
///   if (answer.end) record(answer.end->status, answer.end->detail);
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/harness/protocol.h"

namespace aisp::harness {

struct WorkerLimits {
  double silence_seconds = 60;     ///< no sign of life for this long: it hangs
  double memory_bytes = 0;         ///< that it may hold; 0 = no limit
  double address_space_bytes = 0;  ///< that it may reserve, more than it holds; 0 = no limit
  int threads = 1024;
  std::uint64_t output_bytes = std::uint64_t{64} << 20;
};

struct WorkerSetup {
  std::string program = "/proc/self/exe";
  std::vector<std::string> plugins;
  std::vector<std::pair<std::string, std::string>> environment;  ///< added to the coordinator's
  WorkerLimits limits;
};

/// How a worker ended when it should not have.
struct WorkerEnd {
  std::string status;   ///< "crashed", "timed out", "exited", "threw", "out of memory", "forked", "too many
                        ///< threads", "too much output", "broke the protocol", "killed", "interrupted"
  std::string detail;   ///< one or two sentences, with the signal and the last output
  std::string variant;  ///< whose code was running; empty = the problem or the reference
};

struct Answer {
  std::optional<Error> error;    ///< the worker is fine and says no
  std::optional<WorkerEnd> end;  ///< the worker is gone
  bool ok() const { return !error && !end; }
};

class WorkerProcess {
 public:
  static Result<WorkerProcess> start(const WorkerSetup& setup);
  WorkerProcess(WorkerProcess&&) noexcept;
  WorkerProcess& operator=(WorkerProcess&&) noexcept;
  ~WorkerProcess();  ///< ends the worker if it still runs

  /// Sends the request and hands every reply to `on_reply` until the one named `until`.
  Answer ask(const WorkerRequest& request, std::string_view until,
             const std::function<void(WorkerReply&)>& on_reply);
  /// Ends it for what it said, and names the variant that was running.
  WorkerEnd end(const std::string& status, const std::string& detail);
  int pid() const;

 private:
  struct State;
  explicit WorkerProcess(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the measurement of the server's own run converges, as server-sent events: reads what `aisp run
/// --events` writes, tells it at a pace that a page can follow, and keeps what who comes later must know to
/// show the same. Thread-safe.
///
///   JobProgress progress([&](const server::Event& event) { server.broadcast(event); });
///   progress.take(line);    // false: no progress
///   progress.so_far();      // for a new listener
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aisp/server/event_text.h"
#include "aisp/server/job.h"

namespace aisp::cli {

class JobProgress {
 public:
  using Clock = std::chrono::steady_clock;

  explicit JobProgress(std::function<void(const server::Event&)> tell) : tell_(std::move(tell)) {}

  /// A line that a run wrote. Of rounds about five a second are told, and the last before anything else.
  bool take(const std::string& line, Clock::time_point now = Clock::now());
  /// One that begins has no progress yet; of one that ended nothing is held back.
  void follow(const server::Job& job);
  /// The run, its finished cells, every look at the current one, and the newest of all.
  std::vector<server::Event> so_far() const;

 private:
  struct Kept {
    std::string event;  ///< "run", "cell", "rounds", "look", "cell_finished", "run_finished"
    std::string data;
  };
  void keep(Kept next);
  void tell_held();

  std::function<void(const server::Event&)> tell_;
  mutable std::mutex mutex_;
  std::vector<Kept> kept_;
  std::optional<std::string> held_;  ///< rounds that came too soon after others
  Clock::time_point next_ = {};      ///< when rounds are told again
  int job_ = 0;
};

/// Of what is kept, beyond which the oldest cells go: a client takes it all at once.
inline constexpr std::size_t kKeptProgressBytes = std::size_t{256} << 10;

}  // namespace aisp::cli

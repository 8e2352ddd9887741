// SPDX-License-Identifier: Apache-2.0
/// \file
/// The harness's threads: created once, each bound to a core of its own, spinning while a timed call may need
/// them and asleep otherwise.
///
///   PinnedTeam team(2, {.pin_caller = true});
///   team.arm();                                    // before the timed window: helpers spin
///   team.run([&](int thread, int threads) {...});  // a few hundred nanoseconds of handshake
///   team.park();                                   // after it: helpers use no CPU time
///
/// Owned and driven by one thread, which is thread 0 of every run. Not a task queue, not re-entrant.
#pragma once

#include <memory>
#include <vector>

#include "aisp/core/team.h"

namespace aisp::device {

struct PinnedTeamOptions {
  bool pin_caller = true;  ///< bind the owning thread too, until the team is destroyed
};

class PinnedTeam final : public Team {
 public:
  using Options = PinnedTeamOptions;

  /// Starts threads - 1 helpers, parked. With more threads than processors nothing is bound and waiting
  /// yields.
  explicit PinnedTeam(int threads, const Options& options = {});
  ~PinnedTeam() override;
  PinnedTeam(const PinnedTeam&) = delete;
  PinnedTeam& operator=(const PinnedTeam&) = delete;

  int size() const override { return threads_; }
  /// Works armed or parked; parked costs a wake-up. An exception of any thread's body is rethrown here once
  /// all have finished; with several, that of the lowest thread number.
  void run(FunctionRef<void(int thread, int threads)> body) override;

  /// Returns when every helper spins.
  void arm();
  /// Returns when every helper has left its spin loop.
  void park();
  bool armed() const { return armed_; }

  /// The processor of each thread; empty when nothing was bound.
  const std::vector<int>& cpus() const { return cpus_; }

 private:
  struct Shared;
  struct Helper;
  void issue_and_wait(int command);
  void stop();

  int threads_ = 1;
  bool armed_ = false;
  bool oversubscribed_ = false;
  bool running_ = false;
  std::vector<int> cpus_;
  std::vector<int> callers_cpus_;  ///< what to give back to the caller at the end
  std::unique_ptr<Shared> shared_;
  std::vector<std::unique_ptr<Helper>> helpers_;
};

/// Threads spin only while a timed call may need them.
class ArmedTeam {
 public:
  explicit ArmedTeam(PinnedTeam& team) : team_(team) {
    if (team_.size() > 1) team_.arm();
  }
  ~ArmedTeam() {
    if (team_.size() > 1) team_.park();
  }
  ArmedTeam(const ArmedTeam&) = delete;
  ArmedTeam& operator=(const ArmedTeam&) = delete;

 private:
  PinnedTeam& team_;
};

}  // namespace aisp::device

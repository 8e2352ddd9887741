// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/start_up.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "aisp/harness/locked_inputs.h"
#include "aisp/probes/process_probe.h"

namespace aisp::harness {
namespace {

// A sleeping thread pool and 512-bit units take some 60 us to wake.
constexpr double kEnoughStartNs = 200e3;
// Numbered far from measured rounds, so that these inputs are never seen again.
constexpr int kRound = 1 << 24;

}  // namespace

StartUp::StartUp(const Problem& problem, const Params& params, bool huge_pages, const Seed& seed)
    : seed_(seed) {
  own_.push_back(std::make_unique<TensorSet>(problem, params, huge_pages));
  own_.front()->draw(seed_, kRound, 0);
}

int StartUp::before(Sets round, const std::function<double(Sets)>& call) {
  const LockedInputs locked(round);
  const int threads_before = probes::thread_count();
  for (double spent = 0; spent < kEnoughStartNs;) {
    own_.front()->arm(seed_.stream("start-up", calls_++));
    spent += std::max(call(own_), kEnoughStartNs / 64);
  }
  // A thread that was joined is counted for a moment longer.
  int left = probes::thread_count() - threads_before;
  for (int look = 0; left > 0 && look < 20; ++look) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
    left = probes::thread_count() - threads_before;
  }
  return std::max(0, left);
}

}  // namespace aisp::harness

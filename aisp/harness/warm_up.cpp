// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/warm_up.h"

#include <algorithm>
#include <cmath>

#include "aisp/probes/process_probe.h"

namespace aisp::harness {
namespace {

// Enough repeats that a short call's estimate is not one interrupted call; fresh inputs for the first few.
constexpr int kMostWarmUpCalls = 50;
constexpr int kFewestCalls = 2;
constexpr int kFreshCalls = 3;
constexpr double kEnoughNs = 10e6;
constexpr double kTooLongNs = 2e9;  // one warm call is all a rung of seconds gets

}  // namespace

WarmUp warm_up(VariantRunner& runner, const WarmUpSetup& setup, int& round) {
  TensorSet& set = *setup.sets.front();
  probes::ProcessProbe unrecorded;
  std::unique_ptr<AnswerChecker> checker;
  WarmUp warm{.call_ns = HUGE_VAL};
  double spent = 0;
  for (int call = 0; call < kMostWarmUpCalls && (call < kFewestCalls || spent < kEnoughNs); ++call) {
    if (call < kFreshCalls) {
      set.draw(setup.seed, round++, 0);
      checker.reset();
    }
    set.arm(setup.seed.stream("warm-up", round, call));
    const double ns = runner.run(setup.sets, unrecorded).ns;
    // Only a call faster than all before can change the estimate; one wrong answer is enough to know.
    if (ns < std::min(warm.call_ns, setup.batched_below_ns) && !warm.wrong) {
      // The reference reads the inputs after the call: those that the call changed would prove anything.
      const Damage damage = set.inspect();
      const int threads_before = probes::thread_count();
      if (!checker) checker = setup.checker(round - 1);
      warm.wrong = damage.inputs_changed || damage.out_of_bounds || checker->check(set.outputs()).wrong > 0;
      warm.reference_threads += std::max(0, probes::thread_count() - threads_before);
    }
    warm.call_ns = std::min(warm.call_ns, ns);
    spent += ns;
    if (spent > kTooLongNs) break;
  }
  warm.call_ns = std::max(warm.call_ns, 1.0);
  return warm;
}

}  // namespace aisp::harness

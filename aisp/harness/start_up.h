// SPDX-License-Identifier: Apache-2.0
/// \file
/// The calls before the clock: they bring cores, vector units and thread pools to the state that a hot or
/// steady figure is about, by the very code that is timed next. Anything else may leave the core at another
/// clock. Nobody times these calls, so they get inputs of their own, and the round's cannot be read
/// meanwhile.
///
///   StartUp start_up(problem, params, false, seed);
///   int left = start_up.before(sets, [&](Sets own) { return runner.run(own, probe).ns; });
///   runner.run(sets, probe);   // awake
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "aisp/harness/tensor_set.h"

namespace aisp::harness {

class StartUp {
 public:
  using Sets = std::span<const std::unique_ptr<TensorSet>>;

  /// Draws its inputs once; they are never timed.
  StartUp(const Problem& problem, const Params& params, bool huge_pages, const Seed& seed);

  /// Whether waking is more than about a hundredth of a window this long.
  static bool matters(double window_ns) { return window_ns <= 5e6; }

  /// Makes calls of `call`, which returns how long it took, for 200 us at least. Returns how many threads
  /// they left behind, which could read the round's inputs before the clock starts.
  int before(Sets round, const std::function<double(Sets)>& call);

 private:
  const Seed& seed_;
  std::vector<std::unique_ptr<TensorSet>> own_;
  int calls_ = 0;
};

}  // namespace aisp::harness

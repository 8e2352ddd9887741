// SPDX-License-Identifier: Apache-2.0
// Variants that come back alive with something other than an honest answer. A guard must name each of them.
#include <atomic>
#include <chrono>
#include <limits>
#include <thread>
#include <vector>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

void off_by_a_little(const Call& call) {
  honest(call);
  call.output<float>(0)[17] += 0.5F;
}

void replay_first(const Call& call) {
  static std::vector<float> first;
  const auto y = call.output<float>(0);
  if (first.empty()) {
    honest(call);
    first.assign(y.begin(), y.end());
  }
  for (std::int64_t i = 0; i < y.size; ++i) y[i] = first[static_cast<std::size_t>(i)];
}

void constant(const Call& call) {
  for (float& value : call.output<float>(0)) value = 1;
}

void double_in_place(const Call& call) {
  honest(call);
  const auto x = call.input<float>(0);
  const_cast<float*>(x.data)[3] *= 2;
}

void write_beyond(const Call& call, std::int64_t distance) {
  honest(call);
  const auto y = call.output<float>(0);
  y.data[distance < 0 ? distance : y.size + distance] = 1;
}

void one_nan(const Call& call) {
  honest(call);
  call.output<float>(0)[5] = std::numeric_limits<float>::quiet_NaN();
}

/// The answer is complete only after the clock has stopped. One thread at a time, so that none is left when
/// the buffers go.
void finish_later(const Call& call) {
  static std::atomic<bool> busy{false};
  if (busy.exchange(true)) return honest(call);
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  std::thread([=] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
    while (std::chrono::steady_clock::now() < until) {
    }
    // A busy machine may have kept it waiting until after the buffers went.
    if (std::chrono::steady_clock::now() < until + std::chrono::milliseconds(20)) {
      for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
    }
    busy = false;
  }).detach();
}

/// The answer is right, but work for the next call goes on after this one returned.
void work_ahead(const Call& call) {
  honest(call);
  std::thread([] {
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (std::chrono::steady_clock::now() < until) {
    }
  }).detach();
}

/// Tagged with the guard that must reject it, for `aisp explain GUARD --demo`.
Workload attack(const std::string& guard, const std::string& name, CallFunction run) {
  Workload workload = doubling("dishonest/" + name, name, std::move(run));
  workload.tags = {"attack:" + guard};
  return workload;
}

const Registration dishonest[] = {
    attack("answer_right", "wrong", off_by_a_little),
    attack("output_written", "unwritten", [](const Call&) {}),
    attack("answer_fresh", "stale", replay_first),
    attack("answer_varies", "constant", constant),
    attack("inputs_unchanged", "mutated", double_in_place),
    attack("bounds_respected", "before", [](const Call& call) { write_beyond(call, -1); }),
    attack("bounds_respected", "after", [](const Call& call) { write_beyond(call, 0); }),
    attack("answer_finite", "nan", one_nan),
    attack("no_work_after_return", "later", finish_later),
    attack("no_work_after_return", "ahead", work_ahead),
};

/// Without an honest twin there is nothing to show but the claim.
Workload alone() {
  Workload workload = doubling("dishonest/alone", "unwritten", [](const Call&) {});
  workload.variants.pop_back();
  return workload;
}
const Registration nobody_honest{alone()};

/// Says that it moves a thousand times the bytes it moves.
Workload boastful() {
  Workload workload = doubling("dishonest/boastful", "same", honest);
  workload.problem = [](const Params& p) {
    Problem problem = doubling_problem(p);
    problem.work.bytes *= 1000;
    return problem;
  };
  return workload;
}
const Registration says_more_than_it_does{boastful()};

}  // namespace
}  // namespace aisp::plugins

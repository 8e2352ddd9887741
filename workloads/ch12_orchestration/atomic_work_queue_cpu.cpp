// SPDX-License-Identifier: Apache-2.0
// Atomic work queue                                                      chapter 12, orchestration
// The idea:          a counter says what comes next; whoever is free takes it.
// What bounds it:    the most loaded thread. 16,384 requests are 7 M rounds of 4 clocks, some 9 ms, half of
//                    it for each of two threads; split in the middle, the one with the long requests gets
//                    1.7 times its share.
// What to look for:  how long the first thread that has finished waits for the last.
#include <algorithm>
#include <atomic>
#include <memory>

#include "workloads/ch12_orchestration/atomic_work_queue.h"

namespace aisp::atomic_work_queue {
namespace {

// ---- The problem and the reference: atomic_work_queue.h --------------------------------------------------
void answer(const Call& call, std::int64_t first, std::int64_t last) {
  const auto value = call.input<std::uint32_t>(kValue), rounds = call.input<std::uint32_t>(kRounds);
  const auto result = call.output<std::uint32_t>(kResult);
  for (std::int64_t i = first; i < last; ++i) result[i] = mix(value[i], addend(i), rounds[i]);
}

// ---- Baseline: the same number of requests for each thread ------------------------------------------------
void split(const Call& call) {
  const std::int64_t n = call.params()["n"];
  call.team().run(
      [&](int thread, int threads) { answer(call, n * thread / threads, n * (thread + 1) / threads); });
}

// ---- The idea --------------------------------------------------------------------------------------------
// Nobody knows beforehand how long a request takes, and the same number of them is not the same work. Let
// threads fetch instead of being given: one atomic addition says which request is next, and whoever is done
// first comes back first. In the end they differ by no more than one request.
//
// The addition is not free: its line of the cache travels to whoever asks, some 50 ns. So a thread takes
// several at once, enough that the counter is rarely asked for, and few enough that the last ones taken are a
// small part of the whole.

// ---- Optimised: from a counter, one by one, or several at once -------------------------------------------
struct alignas(128) Counter {
  std::atomic<std::int64_t> next;
};

std::shared_ptr<void> prepare(const Setup& /*setup*/) { return std::make_shared<Counter>(); }

template <std::int64_t kAtOnce>
void queue(const Call& call) {
  auto& counter = call.plan<Counter>();
  const std::int64_t n = call.params()["n"];
  counter.next.store(0, std::memory_order_relaxed);  // the team's start makes it visible
  call.team().run([&](int, int) {
    for (;;) {
      // Only the number matters: no other data is handed over by it.
      const std::int64_t first = counter.next.fetch_add(kAtOnce, std::memory_order_relaxed);
      if (first >= n) return;
      answer(call, first, std::min(n, first + kAtOnce));
    }
  });
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch12/atomic_work_queue",
    .title = "Atomic work queue",
    .idea = "A counter says what comes next; whoever is free takes it.",
    .bound = Bound::synchronisation,
    .tags = {"scheduling", "atomics", "threads"},
    .axes = {{.name = "n", .values = {1 << 14}, .small = 1003}, {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "split", .run = split, .note = "as many requests for each thread"},
                 {.name = "queue",
                  .run = CallFunction(queue<1>),
                  .note = "one request at a time from a counter",
                  .prepare = prepare},
                 {.name = "chunks",
                  .run = CallFunction(queue<8>),
                  .note = "8 requests at a time",
                  .prepare = prepare}},
}};

}  // namespace
}  // namespace aisp::atomic_work_queue

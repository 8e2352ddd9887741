// SPDX-License-Identifier: Apache-2.0
// False sharing                                                              chapter 2, hardware
// The idea:          what two threads write must not lie on one cache line.
// What bounds it:    coherence. A line can be written by one core at a time. An atomic add to a line that the
//                    core owns takes about 7 ns; if the other core took the line meanwhile, some 30 ns. At
//                    n=2^20 each thread makes 524,288 adds: 4 ms or 15 ms. The input is 4 MB and no bound.
// What to look for:  `perf c2c`: loads that hit a line modified in another core (HITM). Padding changes
//                    addresses only; what it saves was never needed by anyone.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

#include "aisp/aisp.h"

namespace aisp::false_sharing {
namespace {

enum { kEvent };
enum { kTotal };
constexpr int kClasses = 4;
constexpr std::uint32_t kAmounts = 1u << 20;

// ---- The problem --------------------------------------------------------------------------------
// A stream of events, each a class (low 2 bits) and an amount (20 bits); the total per class is wanted.
// Each thread adds up its part of the stream in totals of its own, which are then combined.
std::uint32_t class_of(std::uint32_t event) { return event % kClasses; }
std::uint32_t amount_of(std::uint32_t event) { return event / kClasses; }

/// Nine events in ten are of one class: every store depends on the one before.
void draw_lopsided(const DrawContext&, Rng& rng, const TensorView& tensor) {
  for (std::int64_t i = 0; i < tensor.size; ++i) {
    const auto amount = rng.below(kAmounts);
    const auto kind = rng.below(10) < 9 ? 2 : rng.below(kClasses);
    tensor.set(i, static_cast<double>(amount * kClasses + kind));
  }
}

Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<std::uint32_t>("event", {n},
                                           {integers(0, std::int64_t{kAmounts} * kClasses - 1),
                                            drawn_by("lopsided", draw_lopsided)}),
                      output<std::int64_t>("total", {kClasses}, exact())},
          .work = {.bytes = 4.0 * static_cast<double>(n), .items = static_cast<double>(n)},
          .workspace_bytes = 4096};
}

// ---- Reference ----------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  for (const std::uint32_t event : call.input<std::uint32_t>(kEvent)) {
    call.outputs[kTotal].value[class_of(event)] += amount_of(event);  // below 2^53: exact in double
  }
}

// ---- What the variants share --------------------------------------------------------------------
// Totals are atomic, as statistics are that another thread may look at while they grow. Atomic adds by
// one thread to its own variables never conflict; what can conflict is where the variables lie.
using Totals = std::array<std::atomic<std::int64_t>, kClasses>;  // 32 bytes: two threads' fit one line

/// Combines the totals of all threads; mine(thread) names those of one.
template <class Mine>
void combine(const Call& call, Mine mine) {
  const auto total = call.output<std::int64_t>(kTotal);
  for (int c = 0; c < kClasses; ++c) {
    total[c] = 0;
    for (int t = 0; t < call.team().size(); ++t) total[c] += mine(t)[c].load(std::memory_order_relaxed);
  }
}
/// Lets every thread add its part of the stream to its totals, event by event.
template <class Mine>
void add_up(const Call& call, Mine mine) {
  const auto event = call.input<std::uint32_t>(kEvent);
  call.team().run([&](int thread, int threads) {
    Totals& totals = mine(thread);
    for (auto& total : totals) total.store(0, std::memory_order_relaxed);
    const std::int64_t last = event.size * (thread + 1) / threads;
    for (std::int64_t i = event.size * thread / threads; i < last; ++i) {
      totals[class_of(event[i])].fetch_add(amount_of(event[i]), std::memory_order_relaxed);
    }
  });
  combine(call, mine);
}

// ---- Baseline: an array of totals, indexed by thread --------------------------------------------
// No data race and no lock, hence the habit: each thread writes only its own element.
struct Adjacent {
  explicit Adjacent(int threads) : lines(std::make_unique<Line[]>((threads + 1) / 2)) {}
  Totals& operator()(int thread) { return lines[thread / 2].half[thread % 2]; }
  struct alignas(128) Line {  // aligned, so that it is the layout and not luck that is measured
    Totals half[2];
  };
  std::unique_ptr<Line[]> lines;
};
void adjacent(const Call& call) {
  auto& plan = call.plan<Adjacent>();
  add_up(call, [&](int thread) -> Totals& { return plan(thread); });
}

// ---- The idea -----------------------------------------------------------------------------------
// Caches keep track of lines of 64 bytes, not of variables. Two threads that write different variables
// on one line fight for it as if they wrote the same one: each store waits until the line has travelled
// back. Give each thread a line of its own; 128 bytes rather than 64, because x86 prefetches lines in
// pairs. Better still, let a thread accumulate in its own registers or stack and write to shared memory
// once, at the end: then no layout can go wrong. It pays whenever writes are frequent; totals that are
// written once a millisecond may lie anywhere.

// ---- Optimised: the same array, one line pair per thread ----------------------------------------
struct Padded {
  explicit Padded(int threads) : lines(std::make_unique<Line[]>(threads)) {}
  Totals& operator()(int thread) { return lines[thread].own; }
  struct alignas(128) Line {
    Totals own;
  };
  std::unique_ptr<Line[]> lines;
};
void padded(const Call& call) {
  auto& plan = call.plan<Padded>();
  add_up(call, [&](int thread) -> Totals& { return plan(thread); });
}

// ---- Further: totals in registers, published once -----------------------------------------------
// Private sums need not be atomic, and they can live in registers once no index selects among them: all
// four are updated, with the amount or with zero. The compiler vectorises this.
void in_registers(const Call& call) {
  auto& plan = call.plan<Adjacent>();  // the crowded layout is harmless now
  const auto event = call.input<std::uint32_t>(kEvent);
  call.team().run([&](int thread, int threads) {
    std::array<std::int64_t, kClasses> sums{};
    const std::int64_t last = event.size * (thread + 1) / threads;
    for (std::int64_t i = event.size * thread / threads; i < last;) {
      // 2^12 amounts below 2^20 fit 32 bits, twice as many lanes as 64.
      const std::int64_t end = std::min<std::int64_t>(last, i + 4096);
      std::uint32_t a = 0, b = 0, c = 0, d = 0;
      for (; i < end; ++i) {
        const std::uint32_t kind = class_of(event[i]), amount = amount_of(event[i]);
        a += kind == 0 ? amount : 0;
        b += kind == 1 ? amount : 0;
        c += kind == 2 ? amount : 0;
        d += kind == 3 ? amount : 0;
      }
      sums[0] += a, sums[1] += b, sums[2] += c, sums[3] += d;
    }
    for (int c = 0; c < kClasses; ++c) plan(thread)[c].store(sums[c], std::memory_order_relaxed);
  });
  combine(call, [&](int thread) -> Totals& { return plan(thread); });
}

/// On one core threads take turns, and a line that nobody else holds is never lost.
std::optional<std::string> without_second_core(const Params& /*size*/) {
  if (::sysconf(_SC_NPROCESSORS_ONLN) > 1) return std::nullopt;
  return "this machine has one core: no line is ever shared";
}

template <class Layout>
std::shared_ptr<void> prepare(const Setup& setup) {
  return std::make_shared<Layout>(setup.threads);
}

// ---- Registration -------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch02/false_sharing",
    .title = "False sharing",
    .idea = "What two threads write must not lie on one cache line.",
    .bound = Bound::synchronisation,
    .tags = {"coherence", "threads"},
    .axes = {{.name = "n", .values = {1 << 18, 1 << 20}, .quick = {1 << 18}, .small = 1003},
             {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,  // exact: whole numbers below 2^53
    .variants = {{.name = "adjacent",
                  .run = adjacent,
                  .note = "totals of two threads on one line",
                  .prepare = prepare<Adjacent>,
                  .unavailable = without_second_core},
                 {.name = "padded",
                  .run = padded,
                  .note = "a line pair per thread",
                  .prepare = prepare<Padded>,
                  .unavailable = without_second_core},
                 {.name = "in_registers",
                  .run = in_registers,
                  .note = "accumulated privately, published once",
                  .prepare = prepare<Adjacent>,
                  .unavailable = without_second_core}},
}};

}  // namespace
}  // namespace aisp::false_sharing

// SPDX-License-Identifier: Apache-2.0
// False sharing                                                              chapter 2, hardware
// The idea:          what two threads write must not lie on one cache line.
// What bounds it:    coherence. A line can be written by one core at a time; passing it to the other costs
//                    50 to 100 ns, a store to a line already owned about 1 ns. At n=2^20 each thread makes
//                    524,288 stores: 0.5 ms when it owns its line, many times that when it does not. The
//                    input is 4 MB and is no bound.
// What to look for:  `perf c2c`: loads that hit a line modified in another core (HITM). Work per thread and
//                    memory touched are the same in all variants; only addresses differ.
#include <algorithm>
#include <array>
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
using Totals = std::array<std::int64_t, kClasses>;  // 32 bytes: the totals of two threads fit one line

/// Lets every thread add its part of the stream to the totals that `mine(thread)` names, then combines them.
template <class Mine>
void add_up(const Call& call, Mine mine) {
  const auto event = call.input<std::uint32_t>(kEvent);
  call.team().run([&](int thread, int threads) {
    Totals& totals = mine(thread);
    totals.fill(0);
    const std::int64_t last = event.size * (thread + 1) / threads;
    for (std::int64_t i = event.size * thread / threads; i < last; ++i) {
      totals[class_of(event[i])] += amount_of(event[i]);
    }
  });
  const auto total = call.output<std::int64_t>(kTotal);
  for (int c = 0; c < kClasses; ++c) {
    total[c] = 0;
    for (int t = 0; t < call.team().size(); ++t) total[c] += mine(t)[c];
  }
}

// ---- Baseline: an array of totals, indexed by thread --------------------------------------------
// No data race and no lock, hence the habit. Each thread writes only its own element.
struct Adjacent {
  explicit Adjacent(int threads) : totals(std::make_unique<Line[]>((threads + 1) / 2)) {}
  Totals& of(int thread) { return totals[thread / 2].half[thread % 2]; }
  struct alignas(128) Line {
    Totals half[2];
  };
  std::unique_ptr<Line[]> totals;
};
void adjacent(const Call& call) {
  auto& plan = call.plan<Adjacent>();
  add_up(call, [&](int thread) -> Totals& { return plan.of(thread); });
}

// ---- The idea -----------------------------------------------------------------------------------
// Caches keep track of lines of 64 bytes, not of variables. Two threads that write different variables
// on one line fight for it as if they wrote the same one: each store waits until the line has travelled
// back. Give each thread a line of its own; 128 bytes rather than 64, because x86 prefetches lines in
// pairs. Better still, let a thread accumulate in its own registers or stack and write to shared memory
// once, at the end: then no layout can go wrong. It pays whenever writes are frequent; totals that are
// written once a millisecond may lie anywhere.

// ---- Optimized: the same array, one line pair per thread ----------------------------------------
struct Padded {
  explicit Padded(int threads) : totals(std::make_unique<Line[]>(threads)) {}
  struct alignas(128) Line {
    Totals own;
  };
  std::unique_ptr<Line[]> totals;
};
void padded(const Call& call) {
  auto& plan = call.plan<Padded>();
  add_up(call, [&](int thread) -> Totals& { return plan.totals[thread].own; });
}

// ---- Further: totals in registers, published once -----------------------------------------------
// Variables on the stack can live in registers once no index selects among them: all four sums are
// updated with the amount or with zero. The compiler vectorises this, and equal classes in a row no
// longer wait for each other.
void in_registers(const Call& call) {
  auto& plan = call.plan<Adjacent>();  // the crowded layout is harmless now
  const auto event = call.input<std::uint32_t>(kEvent);
  call.team().run([&](int thread, int threads) {
    Totals totals{};
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
      totals[0] += a, totals[1] += b, totals[2] += c, totals[3] += d;
    }
    plan.of(thread) = totals;
  });
  const auto total = call.output<std::int64_t>(kTotal);
  for (int c = 0; c < kClasses; ++c) {
    total[c] = 0;
    for (int t = 0; t < call.team().size(); ++t) total[c] += plan.of(t)[c];
  }
}

template <class Layout>
std::shared_ptr<void> prepare(const Setup& setup) {
  return std::make_shared<Layout>(setup.threads);
}

const Registration registered{{
    .id = "ch02/false_sharing",
    .title = "False sharing",
    .idea = "What two threads write must not lie on one cache line.",
    .bound = Bound::synchronisation,
    .tags = {"coherence", "threads"},
    .axes = {{.name = "n", .values = {1 << 20, 1 << 22}, .quick = {1 << 20}, .small = 1003},
             {.name = "threads", .values = {2}}},
    .problem = problem,
    .reference = reference,  // exact: whole numbers below 2^53
    .variants = {{.name = "adjacent",
                  .run = CallFunction(adjacent),
                  .note = "totals of two threads on one line",
                  .prepare = prepare<Adjacent>},
                 {.name = "padded",
                  .run = CallFunction(padded),
                  .note = "a line pair per thread",
                  .prepare = prepare<Padded>},
                 {.name = "in_registers",
                  .run = CallFunction(in_registers),
                  .note = "accumulated privately, published once",
                  .prepare = prepare<Adjacent>}},
}};

}  // namespace
}  // namespace aisp::false_sharing

// SPDX-License-Identifier: Apache-2.0
// Histogram                                                  chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          private tables: neighbouring increments go to different memory, so none waits for
//                    another.
// What bounds it:    one increment a byte: a load, an addition and a store. 1 M bytes at one store a
//                    cycle are 0.35 ms; increments of one and the same counter wait 5 cycles for each
//                    other, 1.8 ms.
// What to look for:  the time of the baseline against `hot`: it grows with the share of the popular
//                    value although the work is the same. Loads blocked by store forwarding show it on
//                    a counter.
#include "workloads/ch08_occupancy_ilp/histogram.h"

#include <algorithm>
#include <array>

namespace aisp::histogram {
namespace {

// ---- The problem and the reference: histogram.h -----------------------------------------------------

// ---- Baseline: one table ----------------------------------------------------------------------------
void one_table(const Call& call) {
  const auto x = call.input<std::uint8_t>(kX);
  const auto counts = call.output<std::uint32_t>(kCounts);
  std::fill(counts.begin(), counts.end(), 0u);
  for (const std::uint8_t value : x) ++counts[value];
}

// ---- The idea ---------------------------------------------------------------------------------------
// ++counts[value] is a chain through memory whenever the value repeats: the load must wait for the
// store before it. Four tables, used in turn, make four chains, and an increment meets its own table
// again only four bytes later. Adding up the tables costs a microsecond. On an even input repeats are
// rare, the loads and stores themselves are the limit, and little is gained; more than four tables gain
// nothing on either.

constexpr int kMostTables = 4;
struct Tables {
  std::array<std::array<std::uint32_t, kBins>, kMostTables> table;
};
std::shared_ptr<void> prepare_tables(const Setup& /*setup*/) { return std::make_shared<Tables>(); }

// ---- Optimised: private tables ----------------------------------------------------------------------
template <int Count>
void private_tables(const Call& call) {
  const auto x = call.input<std::uint8_t>(kX);
  const auto counts = call.output<std::uint32_t>(kCounts);
  auto& tables = call.plan<Tables>().table;
  for (int t = 0; t < Count; ++t) tables[t].fill(0);
  std::int64_t i = 0;
  for (; i + Count <= x.size; i += Count) {
#pragma GCC unroll 8
    for (int t = 0; t < Count; ++t) ++tables[t][x[i + t]];
  }
  for (; i < x.size; ++i) ++tables[0][x[i]];
  for (int bin = 0; bin < kBins; ++bin) {
    std::uint32_t sum = 0;
    for (int t = 0; t < Count; ++t) sum += tables[t][bin];
    counts[bin] = sum;
  }
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerance: none, these are counts.
const Registration registered{{
    .id = "ch08/histogram",
    .title = "Histogram",
    .idea = "Count into private tables in turn, so that repeated values do not queue up behind one counter.",
    .bound = Bound::latency,
    .tags = {"ilp", "privatisation", "skew"},
    .axes = {{.name = "n", .values = {1 << 20, 1 << 22}, .quick = {1 << 20}, .small = 20011},
             {.name = "hot", .values = {0, 15}, .quick = {15}, .small = 9, .least = 0, .most = 15}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "one_table", .run = one_table, .note = "the loop everybody writes"},
                 {.name = "two_tables",
                  .run = CallFunction(private_tables<2>),
                  .note = "two private tables in turn",
                  .prepare = prepare_tables},
                 {.name = "four_tables",
                  .run = CallFunction(private_tables<4>),
                  .note = "four",
                  .prepare = prepare_tables}},
}};

}  // namespace
}  // namespace aisp::histogram

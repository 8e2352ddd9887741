// SPDX-License-Identifier: Apache-2.0
// Instruction-level parallelism                              chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          give the core several independent chains, so that it never waits for its own last
//                    result.
// What bounds it:    a step is one multiplication and one addition, 8 cycles one after the other,
//                    although the units could start two of each every cycle. 64 channels x 1000 steps
//                    of 8 cycles are 150 us at 3.4 GHz; four chains side by side take 40 us.
// What to look for:  instructions per cycle: below 1 with one chain, above 3 with four. More chains add
//                    little: a step also has two loads and a store, and the core does one store a
//                    cycle.
#include "workloads/ch08_occupancy_ilp/ilp.h"

namespace aisp::ilp {
namespace {

// ---- The problem and the reference: ilp.h -----------------------------------------------------------

// ---- Baseline: channel after channel, the way the data lies -----------------------------------------
void one_chain(const Call& call) {
  const auto channels = call.params()["channels"], steps = call.params()["steps"];
  const auto decay = call.input<float>(kDecay), drive = call.input<float>(kDrive);
  const auto state = call.output<float>(kState);
  for (std::int64_t c = 0; c < channels; ++c) {
    float h = 0;
    for (std::int64_t t = 0; t < steps; ++t) {
      const std::int64_t i = c * steps + t;
      h = decay[i] * h + drive[i];
      state[i] = h;
    }
  }
}

// ---- The idea ---------------------------------------------------------------------------------------
// Step t needs step t - 1, so within a channel nothing can be reordered, and the out-of-order core
// cannot look past the thousands of steps to the next channel. The programmer can: run several channels
// in lockstep. Each step of the loop then holds as many independent multiply-adds as there are chains,
// and while one waits the others run. The results are bit for bit those of the baseline, because no
// channel's own order changes.
//
// The time axis is 1000 long and not 1024: rows 4096 bytes apart all fall into one set of L1, and eight
// chains with three rows each would evict one another.

// ---- Optimised: the same loop over several channels -------------------------------------------------
template <int Chains>
void run_chains(const float* decay, const float* drive, float* state, std::int64_t steps) {
  float h[Chains] = {};
  for (std::int64_t t = 0; t < steps; ++t) {
#pragma GCC unroll 16
    for (int k = 0; k < Chains; ++k) {
      const std::int64_t i = k * steps + t;
      h[k] = decay[i] * h[k] + drive[i];
      state[i] = h[k];
    }
  }
}

template <int Chains>
void chains(const Call& call) {
  const auto channels = call.params()["channels"], steps = call.params()["steps"];
  const auto decay = call.input<float>(kDecay), drive = call.input<float>(kDrive);
  const auto state = call.output<float>(kState);
  std::int64_t c = 0;
  for (; c + Chains <= channels; c += Chains) {
    run_chains<Chains>(&decay[c * steps], &drive[c * steps], &state[c * steps], steps);
  }
  for (; c < channels; ++c) run_chains<1>(&decay[c * steps], &drive[c * steps], &state[c * steps], steps);
}

// ---- Registration -----------------------------------------------------------------------------------
// Tolerance: the reference carries the rounding of every step along (ilp.h).
const Registration registered{{
    .id = "ch08/ilp",
    .title = "Instruction-level parallelism",
    .idea = "Advance several independent recurrences together, so that latency is hidden behind the others' "
            "work.",
    .bound = Bound::latency,
    .tags = {"ilp", "latency", "state space"},
    .axes = {{.name = "channels", .values = {64}, .small = 19},
             {.name = "steps", .values = {250, 1000}, .quick = {1000}, .small = 37}},
    .problem = problem,
    .reference = reference,
    .variants = {{.name = "one_chain", .run = one_chain, .note = "channel after channel"},
                 {.name = "two_chains", .run = CallFunction(chains<2>), .note = "two channels in lockstep"},
                 {.name = "four_chains", .run = CallFunction(chains<4>), .note = "four"},
                 {.name = "eight_chains", .run = CallFunction(chains<8>), .note = "eight"}},
}};

}  // namespace
}  // namespace aisp::ilp

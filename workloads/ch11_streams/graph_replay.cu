// SPDX-License-Identifier: Apache-2.0
// Graph replay                                                           chapter 11, streams
//
// The idea:          record a chain of launches once, and hand the device the whole chain with one call.
// What bounds it:    launching. 50 steps over 4096 values take 216 to 259 µs with a launch each, 4 to 5 µs
//                    a step, and 78 to 82 µs when the device goes from step to step by itself (H200).
// What to look for:  time of a call against the length of a step.
// Where it stops:    steps that take the device longer than a launch takes the host: then both are as fast.
#include "aisp/aisp.h"
#include "workloads/ch11_streams/smoothing.cuh"

namespace aisp::graph_replay {
namespace {

using namespace smoothing;

// ---- The problem and the reference: smoothing.cuh --------------------------------------------------
// ---- Baseline: launches() of smoothing.cuh, a launch a step ----------------------------------------

// ---- The idea --------------------------------------------------------------------------------------
// A stream can be asked to write down what it is given instead of doing it. The result is a graph: kernels,
// their arguments, and who waits for whom. Turned into an executable once, it is launched with a single call,
// and the device goes from node to node by itself, without the host.
//
// Arguments are part of the graph, addresses too. So there is a graph for each pair of buffers that the call
// has seen; recording one takes far longer than a call, which is why it pays for what is repeated.

// ---- Optimised: graph() of smoothing.cuh, all steps recorded and replayed with one call ------------

// ---- Registration ----------------------------------------------------------------------------------
// What launching costs is seen by the caller only: on a device that is held until all is queued, a launch
// costs next to nothing. So both are timed from the call until the device is idle.
const Registration registered{{
    .id = "ch11/graph_replay",
    .title = "Graph replay",
    .idea = "Record a chain of launches once and replay it with one call.",
    .bound = Bound::latency,
    .tags = {"launch", "graphs"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n",
              .values = {1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 21, 1 << 22, 1 << 23},
              .quick = {1 << 12},
              .small = 1027},
             {.name = "steps", .values = {50}, .small = 7}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "launches",
                  .run = launches,
                  .note = "a launch a step",
                  .prepare = prepare_launches,
                  .host_sync = true},
                 {.name = "graph",
                  .run = graph,
                  .note = "all steps recorded, one launch",
                  .prepare = prepare_graphs,
                  .host_sync = true}},
}};

}  // namespace
}  // namespace aisp::graph_replay

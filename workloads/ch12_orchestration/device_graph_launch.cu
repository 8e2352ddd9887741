// SPDX-License-Identifier: Apache-2.0
// Device graph launch                                                    chapter 12, orchestration
//
// The idea:          a graph that launches itself again, from the device, when there is more to do.
// What bounds it:    waiting for the host: a sweep over 65,536 values takes the device some 3 µs, and a
//                    graph launch by the host, with a word to ask whether it is needed, several times that.
// What to look for:  the device between sweeps, and how often the host wakes up.
// Where it stops:    a launch from the device takes longer than the next turn of a loop inside a graph
//                    (ch12/conditional_graph); it is for what a loop cannot say: which graph comes next.
#include <memory>

#include "workloads/ch12_orchestration/relaxation.cuh"
#include "workloads/cuda_graph.cuh"

namespace aisp::device_graph_launch {
namespace {

using namespace relaxation;

// ---- The problem, the reference and a sweep: relaxation.cuh ----------------------------------------------
struct Plan {
  Solver solver;
  Question question;
  gpu::Graphs graphs;
};

std::shared_ptr<void> prepare(const Setup& setup) {
  auto plan = std::make_shared<Plan>();
  plan->solver = solver_for(setup);
  return plan;
}

template <class Decide>
const gpu::Graph& graph_of(const Call& call, Decide decide, unsigned long long flags) {
  auto& plan = call.plan<Plan>();
  const auto sweep = [&](cudaStream_t stream) { queue_sweep(call, plan.solver, stream, decide); };
  return plan.graphs.of(
      {call.input<float>(kB).data, call.output<float>(kX).data}, [&] { return gpu::record(sweep); }, flags);
}

// ---- Baseline: the host launches the graph again as long as it is needed ----------------------------------
void host_relaunches(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const cudaStream_t stream = gpu::stream_of(call);
  const gpu::Graph& sweep = graph_of(call, KeepForHost{}, 0);
  queue_guess(call, stream);
  do sweep.launch(stream);
  while (plan.question.again(plan.solver, stream));
}

// ---- The idea --------------------------------------------------------------------------------------------
// A graph of kernels alone can be made for launches from the device. A kernel of a graph that runs may then
// launch it, or another one, to begin when its own graph is over: a tail launch. The block that finds that
// something changed launches the graph it belongs to once more. To the stream all of them together are the
// one launch that the host made: what is queued behind it waits for the last.

// ---- Optimised: the graph launches itself ----------------------------------------------------------------
struct LaunchAgain {
  __device__ void operator()(bool again) const {
    if (again) cudaGraphLaunch(cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch);
  }
};

void tail_launch(const Call& call) {
  const cudaStream_t stream = gpu::stream_of(call);
  // Launched by the host first, it is there when the device asks for it.
  const gpu::Graph& sweep = graph_of(call, LaunchAgain{}, cudaGraphInstantiateFlagDeviceLaunch);
  queue_guess(call, stream);
  sweep.launch(stream);
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch12/device_graph_launch",
    .title = "Device graph launch",
    .idea = "A graph that launches itself again, from the device, when there is more to do.",
    .bound = Bound::synchronisation,
    .tags = {"launch", "graphs"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 16, 1 << 20}, .quick = {1 << 16}, .small = 1027}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "host_relaunches",
                  .run = host_relaunches,
                  .note = "a graph a sweep, launched by the host as long as it is needed",
                  .prepare = prepare,
                  .host_sync = true},
                 {.name = "tail_launch",
                  .run = tail_launch,
                  .note = "the graph launches itself again from the device",
                  .prepare = prepare,
                  .host_sync = true,
                  .launches_from_device = true}},
}};

}  // namespace
}  // namespace aisp::device_graph_launch

// SPDX-License-Identifier: Apache-2.0
// Graph replay                                                           chapter 11, streams
//
// The idea:          record a chain of launches once, and hand the device the whole chain with one call.
// What bounds it:    launching. 50 steps over 4096 values take 216 to 259 µs with a launch each, 4 to 5 µs a
//                    step, and 78 to 82 µs when the device goes from step to step by itself (H200).
// What to look for:  time of a call against the length of a step.
// Where it stops:    steps that take the device longer than a launch takes the host: then both are as fast.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::graph_replay {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256;

// ---- The problem: a ring of values, smoothed again and again ---------------------------------------
/// A step is y[i] = x[i-1] / 4 + x[i] / 2 + x[i+1] / 4. It depends on the step before, so the steps cannot be
/// done at once; each rounds three times, and weights are positive: errors grow by no more than that.
Problem problem(const Params& p) {
  const auto n = p["n"], steps = p["steps"];
  return {.tensors = {input<float>("x", {n}, {uniform(-1, 1), wide_range(-10, 10)}),
                      output<float>("y", {n},
                                    reduction(DType::f32, DType::f32, 3.0 * static_cast<double>(steps)))},
          .work = {.bytes = 8 * static_cast<double>(n),
                   .flops = 4 * static_cast<double>(n) * static_cast<double>(steps),
                   .items = static_cast<double>(n) * static_cast<double>(steps)}};
}

// ---- Reference -------------------------------------------------------------------------------------
/// All steps together are one sum over 2 steps + 1 neighbours, weighted by binomial coefficients.
__host__ __device__ void smoothed(const float* x, std::int64_t n, std::int64_t i, std::int64_t steps,
                                  double& value, double& scale) {
  double weight = exp2(-2.0 * static_cast<double>(steps));
  value = scale = 0;
  for (std::int64_t k = 0; k <= 2 * steps; ++k) {
    const double neighbour = x[((i + k - steps) % n + n) % n];
    value += weight * neighbour;
    scale += weight * fabs(neighbour);
    weight *= static_cast<double>(2 * steps - k) / static_cast<double>(k + 1);
  }
}

void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t i = 0; i < x.size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    smoothed(x.data, x.size, i, call.params["steps"], y.value[at], y.scale[at]);
  }
}

__global__ void smooth_in_double(const float* x, double* value, double* scale, std::int64_t n,
                                 std::int64_t steps) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) smoothed(x, n, i, steps, value[i], scale[i]);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  smooth_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, call.outputs[kY].scale, x.size, call.params["steps"]);
  gpu::check_launch("smoothing by reference");
}

// ---- Baseline: a launch a step ---------------------------------------------------------------------
__global__ void smooth(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const float before = x[i == 0 ? n - 1 : i - 1], after = x[i == n - 1 ? 0 : i + 1];
  y[i] = 0.25f * before + 0.5f * x[i] + 0.25f * after;
}

/// What lies between the first step and the last.
struct Between {
  gpu::Memory<float> one, other;
};

Between between(const Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.params["n"]);
  return {gpu::memory_for<float>(n), gpu::memory_for<float>(n)};
}

void launch_steps(const Call& call, const Between& memory, cudaStream_t stream) {
  const auto x = call.input<float>(kX);
  const auto steps = call.params()["steps"];
  const float* from = x.data;
  for (std::int64_t s = 0; s < steps; ++s) {
    float* to = s == steps - 1 ? call.output<float>(kY).data : (s % 2 == 0 ? memory.one : memory.other).get();
    smooth<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, stream>>>(from, to, x.size);
    from = to;
  }
  gpu::check_launch("smoothing");
}

std::shared_ptr<void> prepare_launches(const Setup& setup) {
  return std::make_shared<Between>(between(setup));
}

void launches(const Call& call) { launch_steps(call, call.plan<Between>(), gpu::stream_of(call)); }

// ---- The idea --------------------------------------------------------------------------------------
// A stream can be asked to write down what it is given instead of doing it. The result is a graph: kernels,
// their arguments, and who waits for whom. Turned into an executable once, it is launched with a single call,
// and the device goes from node to node by itself, without the host.
//
// Arguments are part of the graph, addresses too. So there is a graph for each pair of buffers that the call
// has seen; recording one takes far longer than a call, which is why it pays for what is repeated.

// ---- Optimised: recorded once, replayed ------------------------------------------------------------
class Graph {
 public:
  explicit Graph(cudaGraph_t recorded) {
    gpu::check(cudaGraphInstantiate(&graph_, recorded, 0), "making a graph executable");
    gpu::check(cudaGraphDestroy(recorded), "giving a recording back");
  }
  ~Graph() { static_cast<void>(cudaGraphExecDestroy(graph_)); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(cudaStream_t stream) const { gpu::check(cudaGraphLaunch(graph_, stream), "launching a graph"); }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

struct Recorded {
  Between memory;
  std::map<std::pair<const float*, const float*>, Graph> graphs;  ///< by input and output
};

std::shared_ptr<void> prepare_graphs(const Setup& setup) {
  auto plan = std::make_shared<Recorded>();
  plan->memory = between(setup);
  return plan;
}

/// On a stream of its own: the caller's goes on.
cudaGraph_t record(const Call& call, const Between& memory) {
  cudaStream_t stream = nullptr;
  gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  gpu::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning to record");
  launch_steps(call, memory, stream);
  cudaGraph_t graph = nullptr;
  gpu::check(cudaStreamEndCapture(stream, &graph), "ending a recording");
  gpu::check(cudaStreamDestroy(stream), "giving a stream back");
  return graph;
}

void graph(const Call& call) {
  auto& plan = call.plan<Recorded>();
  const std::pair<const float*, const float*> buffers{call.input<float>(kX).data,
                                                      call.output<float>(kY).data};
  auto found = plan.graphs.find(buffers);
  if (found == plan.graphs.end()) found = plan.graphs.try_emplace(buffers, record(call, plan.memory)).first;
  found->second.launch(gpu::stream_of(call));
}

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
    .axes = {{.name = "n", .values = {1 << 12, 1 << 16, 1 << 20, 1 << 23}, .quick = {1 << 12}, .small = 1027},
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

// SPDX-License-Identifier: Apache-2.0
// Programmatic dependent launch                                          chapter 12, orchestration
//
// The idea:          let the next kernel start while this one ends, and do what does not depend on it:
//                    fetch its weights.
// What bounds it:    24 layers of 1024 x 1024 weights are 101 MB: 23 µs at the 4.3 TB/s of an H200. A layer
//                    is 1 µs of that, as long as it takes the device to end one kernel and begin the next.
// What to look for:  gaps on the device between kernels, in which memory is idle.
// Where it stops:    kernels that fill the device to its last register: the next one finds no place beside
//                    them. A kernel that waits late, or never, races with the one before the last.
#include <cstdint>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_graph.cuh"
#include "workloads/cuda_reduce.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::pdl_chain {
namespace {

enum { kX, kWeights };
enum { kY };
constexpr int kThreads = 256, kRows = kThreads / gpu::kLanes;  ///< a warp a row

// ---- The problem: a token through a stack of layers, v = W v / d, one matrix after the other -------------
/// All positive, so that nothing cancels: a layer's sum is of d terms, and errors add up over layers.
Problem problem(const Params& p) {
  const auto d = p["d"], layers = p["layers"];
  const auto values = static_cast<double>(d * d * layers);
  return {.tensors = {input<float>("x", {d}, {uniform(0.5, 1.5), uniform(1, 100)}),
                      input<float>("weights", {layers, d, d}, {uniform(0, 2), uniform(0.5, 1.5)}),
                      output<float>("y", {d},
                                    reduction(DType::f32, DType::f32, static_cast<double>(d * layers)))},
          .work = {.bytes = 4 * (values + 2 * static_cast<double>(d)),
                   .flops = 2 * values,
                   .items = static_cast<double>(layers),
                   .traffic = Traffic::read},
          .workspace_bytes = static_cast<std::size_t>(2 * d) * sizeof(double)};
}

// ---- Reference -------------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX), weights = call.input<float>(kWeights);
  const auto d = x.size;
  std::vector<double> v(x.begin(), x.end()), next(static_cast<std::size_t>(d));
  for (std::int64_t layer = 0; layer < call.params["layers"]; ++layer) {
    for (std::int64_t i = 0; i < d; ++i) {
      double sum = 0;
      for (std::int64_t j = 0; j < d; ++j)
        sum += double{weights[(layer * d + i) * d + j]} * v[static_cast<std::size_t>(j)];
      next[static_cast<std::size_t>(i)] = sum / static_cast<double>(d);
    }
    v.swap(next);
  }
  call.outputs[kY].value = v;
}

/// One block, layer after layer; sums in double, in the order of the lanes.
template <class From>
__global__ void layer_in_double(const From* v, const float* weights, double* out, std::int64_t d) {
  for (std::int64_t i = blockIdx.x * kRows + gpu::warp_index(); i < d; i += std::int64_t{gridDim.x} * kRows) {
    double sum = 0;
    for (std::int64_t j = gpu::lane_index(); j < d; j += gpu::kLanes)
      sum += double{weights[i * d + j]} * v[j];
    sum = gpu::warp_sum(sum);
    if (gpu::lane_index() == 0) out[i] = sum / static_cast<double>(d);
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const float* weights = call.input<float>(kWeights).data;
  const auto d = x.size, layers = call.params["layers"];
  const unsigned blocks = gpu::blocks_for(d, kRows);
  // The last layer writes `value`, so that the one before writes `scale`, which is all zeros in the end.
  double* of[2] = {call.outputs[kY].value, call.outputs[kY].scale};
  for (std::int64_t k = 0; k < layers; ++k) {
    double* to = of[(layers - 1 - k) % 2];
    if (k == 0)
      layer_in_double<<<blocks, kThreads, 0, gpu::stream_of(call)>>>(x.data, weights, to, d);
    else
      layer_in_double<<<blocks, kThreads, 0, gpu::stream_of(call)>>>(of[(layers - k) % 2],
                                                                     weights + k * d * d, to, d);
  }
  gpu::check_launch("layers by reference");
  gpu::check(cudaMemsetAsync(of[1], 0, static_cast<std::size_t>(d) * sizeof(double), gpu::stream_of(call)),
             "clearing what was between");
}

// ---- What all rungs do: a layer by a kernel, a row by a warp ---------------------------------------------
/// How a layer's kernel treats the kernel before it.
enum class Start : std::uint8_t {
  after,     ///< begins when that has ended
  beside,    ///< begins while that ends, and waits for it
  fetching,  ///< begins while that ends, fetches its weights, and waits then
};
constexpr int kHeld = 32;  ///< weights of a lane that fit its registers: rows of up to 1024

// Code for devices before sm_90 has neither, and is not launched early (gpu::needs_sm_90).
__device__ __forceinline__ void let_next_begin() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}
__device__ __forceinline__ void wait_for_last() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}

template <Start kStart>
__global__ void __launch_bounds__(kThreads)
    layer(const float* v, const float* weights, float* out, std::int64_t d) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kRows + gpu::warp_index();
  const float* of_row = weights + (row < d ? row : 0) * d;
  if constexpr (kStart == Start::fetching) let_next_begin();
  if constexpr (kStart == Start::beside) wait_for_last();
  float held[kHeld];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const std::int64_t j = gpu::lane_index() + k * gpu::kLanes;
    held[k] = j < d ? __ldcs(of_row + j) : 0;
  }
  // From here on all that the kernel before has written is there, and what it has read is free.
  if constexpr (kStart == Start::fetching) wait_for_last();
  // Said before the wait, blocks of many layers would come at once, and take places for nothing: 196 µs
  // instead of 138 on an H200. Those that fetch use the time: 111 µs instead of 119.
  if constexpr (kStart == Start::beside) let_next_begin();
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kHeld; ++k) {
    const std::int64_t j = gpu::lane_index() + k * gpu::kLanes;
    if (j < d) sum += held[k] * __ldcg(v + j);
  }
  for (std::int64_t j = gpu::lane_index() + kHeld * gpu::kLanes; j < d; j += gpu::kLanes)
    sum += __ldcs(of_row + j) * __ldcg(v + j);
  sum = gpu::warp_sum(sum);
  if (gpu::lane_index() == 0 && row < d) out[row] = sum / static_cast<float>(d);
}

struct Plan {
  gpu::Memory<float> even, odd;  ///< between layers
  gpu::Graphs graphs;
};

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto d = static_cast<std::size_t>(setup.params["d"]);
  auto plan = std::make_shared<Plan>();
  plan->even = gpu::memory_for<float>(d);
  plan->odd = gpu::memory_for<float>(d);
  return plan;
}

template <Start kStart>
void queue(const Call& call, cudaStream_t stream) {
  const auto& plan = call.plan<Plan>();
  const auto d = call.params()["d"], layers = call.params()["layers"];
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(gpu::blocks_for(d, kRows));
  config.blockDim = dim3(kThreads);
  config.stream = stream;
  config.attrs = &early;
  const float* from = call.input<float>(kX).data;
  for (std::int64_t k = 0; k < layers; ++k) {
    float* to = k == layers - 1 ? call.output<float>(kY).data : (k % 2 == 0 ? plan.even : plan.odd).get();
    // The first has nothing of this call to run beside.
    config.numAttrs = kStart != Start::after && k > 0 ? 1 : 0;
    gpu::check(
        cudaLaunchKernelEx(&config, layer<kStart>, from, call.input<float>(kWeights).data + k * d * d, to, d),
        "launching a layer");
    from = to;
  }
}

// ---- Baseline: a launch a layer --------------------------------------------------------------------------
void launches(const Call& call) { queue<Start::after>(call, gpu::stream_of(call)); }

// ---- The idea --------------------------------------------------------------------------------------------
// Between two kernels of a stream, or two nodes of a graph, the device waits until the last block of the
// first has ended and its writes are visible, and only then begins to start blocks of the second. A launch
// can say that its kernel may begin earlier: as soon as every block of the one before has said so, or ended.
// What that one writes must not be read yet; cudaGridDependencySynchronize() waits for it. In a graph it is
// the edge that says so.
//
// What does not depend on the kernel before is done in front of that wait. Here it is nearly everything: the
// weights are fetched into registers while the last layer still adds up, and memory never rests. Each kernel
// waits for the one before it, so that what lies two layers back is over, too.

// ---- Optimised: recorded, then begun early, then fetching before they wait -------------------------------
template <Start kStart>
void replayed(const Call& call) {
  const auto layers = [&](cudaStream_t stream) { queue<kStart>(call, stream); };
  call.plan<Plan>()
      .graphs
      .of({call.input<float>(kX).data, call.input<float>(kWeights).data, call.output<float>(kY).data},
          [&] { return gpu::record(layers); })
      .launch(gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
// What launching costs is seen by the caller only, so all are timed from the call until the device is idle.
const Registration registered{{
    .id = "ch12/pdl_chain",
    .title = "Programmatic dependent launch",
    .idea = "Let the next kernel start early and fetch what does not depend on this one.",
    .bound = Bound::latency,
    .tags = {"launch", "graphs", "decode"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "d", .values = {1024, 2048}, .quick = {1024}, .small = 77},
             {.name = "layers", .values = {24}, .small = 5}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "launches",
                  .run = launches,
                  .note = "a launch a layer",
                  .prepare = prepare,
                  .host_sync = true},
                 {.name = "graph",
                  .run = CallFunction(replayed<Start::after>),
                  .note = "all layers recorded, one launch",
                  .prepare = prepare,
                  .host_sync = true},
                 {.name = "programmatic",
                  .run = CallFunction(replayed<Start::beside>),
                  .note = "programmatic edges: a layer starts while the last one ends",
                  .prepare = prepare,
                  .host_sync = true,
                  .unavailable = gpu::needs_sm_90},
                 {.name = "prefetching",
                  .run = CallFunction(replayed<Start::fetching>),
                  .note = "and fetches its weights before it waits",
                  .prepare = prepare,
                  .host_sync = true,
                  .unavailable = gpu::needs_sm_90}},
}};

}  // namespace
}  // namespace aisp::pdl_chain

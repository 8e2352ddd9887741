// SPDX-License-Identifier: Apache-2.0
// Asynchronous prefetch                                                 chapter 7, memory access
//
// The idea:          ask for the next tiles before working on this one, so that nobody waits for memory
//                    between tiles.
// What bounds it:    12 bytes a value: two read, one written. 64 M values are 805 MB: 186 µs at the 4.32 TB/s
//                    an H200 copies.
// What to look for:  bytes in flight. Time is sequential, so 16,384 channels are all the threads there are:
//                    128 for a multiprocessor. With eight steps of two floats each they ask for 8 KB, wait
//                    for some 0.8 µs, and ask again: 128 blocks get 1.3 TB/s of input that way, where memory
//                    has 2.9 to give beside the output.
// Where it stops:    where there are threads enough. With ten times as many channels, other warps run while
//                    one waits, and the plain loop is as good.
#include <cmath>
#include <cstdint>

#include <cuda_pipeline.h>
#include <cuda/ptx>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::async_prefetch {
namespace {

enum { kGates, kInputs };
enum { kStates };
constexpr int kChannels = 128;  ///< of a block, a thread each
constexpr int kSteps = 8;       ///< of a tile

// ---- The problem: h[t][c] = gate[t][c] * h[t-1][c] + input[t][c], h before the first step is 0 ------
// The recurrence of gated and state-space models: channels are independent, steps are not.
/// A gate is below 1 in size, in the geometric mean e^-1, so after 64 steps a term has shrunk by some 2^-92:
/// no more of them are felt in one sum.
constexpr double kFelt = 64;

Problem problem(const Params& p) {
  const auto steps = p["steps"], channels = p["channels"];
  const auto count = static_cast<double>(steps * channels);
  return {.tensors = {input<float>("gates", {steps, channels}, {uniform(0, 1), uniform(-1, 1)}),
                      input<float>("inputs", {steps, channels}, {uniform(-1, 1), wide_range(-10, 10)}),
                      output<float>("states", {steps, channels}, reduction(DType::f32, DType::f32, kFelt))},
          .work = {.bytes = 12 * count, .flops = 2 * count, .items = count}};
}

// ---- Reference: in double, and the magnitude of what was added -------------------------------------
void reference(const ReferenceCall& call) {
  const auto gates = call.input<float>(kGates), inputs = call.input<float>(kInputs);
  const auto channels = call.params["channels"];
  std::vector<double>&value = call.outputs[kStates].value, &scale = call.outputs[kStates].scale;
  scale.resize(value.size());
  for (std::int64_t i = 0; i < gates.size; ++i) {
    const auto at = static_cast<std::size_t>(i), before = static_cast<std::size_t>(i - channels);
    value[at] = inputs[i] + (i < channels ? 0 : gates[i] * value[before]);
    scale[at] = std::fabs(inputs[i]) + (i < channels ? 0 : std::fabs(gates[i]) * scale[before]);
  }
}

__global__ void scan_in_double(const float* gates, const float* inputs, double* value, double* scale,
                               std::int64_t steps, std::int64_t channels) {
  const std::int64_t c = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  double state = 0, magnitude = 0;
  for (std::int64_t i = c; i < steps * channels; i += channels) {
    value[i] = state = inputs[i] + gates[i] * state;
    scale[i] = magnitude = fabs(double{inputs[i]}) + fabs(double{gates[i]}) * magnitude;
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto channels = call.params["channels"];
  const DeviceWide& states = call.outputs[kStates];
  scan_in_double<<<gpu::blocks_for(channels, 64), 64, 0, gpu::stream_of(call)>>>(
      call.input<float>(kGates).data, call.input<float>(kInputs).data, states.value, states.scale,
      call.params["steps"], channels);
  gpu::check_launch("scanning by reference");
}

using Scan = void (*)(const float*, const float*, float*, int, std::int64_t);
/// A block for every kChannels channels.
template <Scan kernel>
void scan(const Call& call) {
  const auto channels = call.params()["channels"];
  kernel<<<gpu::blocks_for(channels, kChannels), kChannels, 0, gpu::stream_of(call)>>>(
      call.input<float>(kGates).data, call.input<float>(kInputs).data, call.output<float>(kStates).data,
      static_cast<int>(call.params()["steps"]), channels);
  gpu::check_launch("scanning");
}

// ---- Baseline: load a tile, work through it, load the next -----------------------------------------
/// A thread a channel; a tile is eight of its steps, all asked for before the first is needed.
__global__ void __launch_bounds__(kChannels)
    scan_tiles(const float* gates, const float* inputs, float* states, int steps, std::int64_t channels) {
  const std::int64_t c = std::int64_t{blockIdx.x} * kChannels + threadIdx.x;
  if (c >= channels) return;
  float state = 0;
#pragma unroll 1
  for (int first = 0; first < steps; first += kSteps) {
    float gate[kSteps], input[kSteps];
#pragma unroll
    for (int t = 0; t < kSteps; ++t) {
      if (first + t >= steps) continue;
      gate[t] = gates[(first + t) * channels + c];
      input[t] = inputs[(first + t) * channels + c];
    }
#pragma unroll
    for (int t = 0; t < kSteps; ++t) {
      if (first + t >= steps) continue;
      state = gate[t] * state + input[t];
      states[(first + t) * channels + c] = state;
    }
  }
}

// ---- The idea --------------------------------------------------------------------------------------
// What a tile needs from the one before is a single number, the state; its gates and inputs are known all
// along. So they can be on their way while older tiles are worked through. Registers would have to hold them
// for so long; copies that go straight into shared memory (cp.async) need none, and a thread waits only when
// it comes to the tile: a ring of stages, one being used, the others on their way. Each thread copies what it
// uses itself, so no barrier is needed.
//
// Hopper's copy engine takes whole rows. A lane of the first warp describes a row, 512 bytes, and nobody
// issues loads at all; arrivals are counted, in bytes, by a barrier in shared memory for each stage. Before a
// stage is filled again all threads must have left it: that is the one barrier among them for each tile.
// Worth knowing, and not faster here: 512 bytes are too few for one description, and on an H200 the engine
// brings them at half the pace of cp.async. It shines with pieces of kilobytes (ch02/copy_width).

// ---- Optimised 1: a ring of stages, filled by cp.async ---------------------------------------------
constexpr int kStages = 5;  ///< of 8 KB: four on their way are more than memory sends a block in 0.8 µs

struct Stage {
  float gates[kSteps][kChannels], inputs[kSteps][kChannels];
};

/// The first `count` steps of a stage; `state` goes in and out. Rows beyond `count` hold anything.
__device__ void work_through(const Stage& stage, float* states, std::int64_t channels, int count,
                             float& state) {
  float gate[kSteps], input[kSteps];
#pragma unroll
  for (int t = 0; t < kSteps; ++t) {
    gate[t] = stage.gates[t][threadIdx.x];
    input[t] = stage.inputs[t][threadIdx.x];
  }
#pragma unroll
  for (int t = 0; t < kSteps; ++t) {
    if (t >= count) continue;
    state = gate[t] * state + input[t];
    states[t * channels] = state;
  }
}

__global__ void __launch_bounds__(kChannels)
    scan_ring(const float* gates, const float* inputs, float* states, int steps, std::int64_t channels) {
  __shared__ Stage stages[kStages];
  const std::int64_t c = std::int64_t{blockIdx.x} * kChannels + threadIdx.x;
  if (c >= channels) return;
  const int tiles = (steps + kSteps - 1) / kSteps;
  // Every tile is one group of copies, empty ones beyond the end too: so their number tells which arrived.
  const auto fetch = [&](int tile) {
    Stage& stage = stages[tile % kStages];
    for (int t = 0; t < kSteps; ++t) {
      const std::int64_t step = std::int64_t{tile} * kSteps + t;
      if (step >= steps) break;
      __pipeline_memcpy_async(&stage.gates[t][threadIdx.x], gates + step * channels + c, sizeof(float));
      __pipeline_memcpy_async(&stage.inputs[t][threadIdx.x], inputs + step * channels + c, sizeof(float));
    }
    __pipeline_commit();
  };

  for (int tile = 0; tile < kStages - 1; ++tile) fetch(tile);
  float state = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    fetch(tile + kStages - 1);           // into the stage that was used last
    __pipeline_wait_prior(kStages - 1);  // all groups but the latest four: this tile is there
    work_through(stages[tile % kStages], states + std::int64_t{tile} * kSteps * channels + c, channels,
                 steps - tile * kSteps, state);
  }
}

// ---- Optimised 2: the same ring, filled by the copy engine -----------------------------------------
/// `channels` is a multiple of four: rows begin at multiples of 16 bytes.
__global__ void __launch_bounds__(kChannels)
    scan_bulk(const float* gates, const float* inputs, float* states, int steps, std::int64_t channels) {
#if __CUDA_ARCH__ >= 900
  namespace ptx = ::cuda::ptx;
  __shared__ alignas(128) Stage stages[kStages];
  __shared__ std::uint64_t arrived[kStages];
  const std::int64_t first = std::int64_t{blockIdx.x} * kChannels;
  const auto row_bytes = static_cast<unsigned>(min(std::int64_t{kChannels}, channels - first) * 4);
  const int tiles = (steps + kSteps - 1) / kSteps;
  // By the first warp, a row a lane: one thread alone would describe rows more slowly than memory sends them.
  const auto fetch = [&](int tile) {
    std::uint64_t* barrier = &arrived[tile % kStages];
    const int rows = min(kSteps, steps - tile * kSteps);
    if (threadIdx.x == 0)
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier,
                                     2 * rows * row_bytes);
    __syncwarp();
    const int t = static_cast<int>(threadIdx.x) / 2;
    if (t >= rows) return;
    const bool of_gates = threadIdx.x % 2 == 0;
    Stage& stage = stages[tile % kStages];
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, of_gates ? stage.gates[t] : stage.inputs[t],
                       (of_gates ? gates : inputs) + (std::int64_t{tile} * kSteps + t) * channels + first,
                       row_bytes, barrier);
  };

  if (threadIdx.x == 0) {
    for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
    ptx::fence_proxy_async(ptx::space_shared);  // the copy engine sees the barriers
  }
  __syncthreads();  // so do the threads
  const bool fetches = threadIdx.x < gpu::kLanes;
  for (int tile = 0; fetches && tile < kStages && tile < tiles; ++tile) fetch(tile);
  const std::int64_t c = first + threadIdx.x;
  float state = 0;
  for (int tile = 0; tile < tiles; ++tile) {
    // Each use of a stage flips the parity to wait for.
    while (!ptx::mbarrier_try_wait_parity(&arrived[tile % kStages], tile / kStages & 1)) {
    }
    if (c < channels)
      work_through(stages[tile % kStages], states + std::int64_t{tile} * kSteps * channels + c, channels,
                   steps - tile * kSteps, state);
    __syncthreads();  // all have left the stage
    if (fetches && tile + kStages < tiles) fetch(tile + kStages);
  }
#endif
}

void bulk(const Call& call) {
  if (call.params()["channels"] % 4 != 0) return scan<scan_ring>(call);
  scan<scan_bulk>(call);
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: the last block and the last tile are not full, and the copy engine can still take the rows.
const Registration registered{{
    .id = "ch07/async_prefetch",
    .title = "Asynchronous prefetch",
    .idea = "Ask for the next tiles before working on this one.",
    .bound = Bound::memory,
    .tags = {"latency", "pipelining", "recurrence"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "steps", .values = {4096}, .small = 67},
             {.name = "channels", .values = {16384}, .small = 204}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "tiles",
                  .run = CallFunction(scan<scan_tiles>),
                  .note = "eight steps loaded, then worked through"},
                 {.name = "ring",
                  .run = CallFunction(scan<scan_ring>),
                  .note = "five stages in shared memory, filled by cp.async"},
                 {.name = "bulk",
                  .run = bulk,
                  .note = "filled by bulk copies of rows (channels a multiple of 4, else ring)",
                  .rung = Rung::informational,
                  .unavailable = gpu::needs_sm_90}},
}};

}  // namespace
}  // namespace aisp::async_prefetch

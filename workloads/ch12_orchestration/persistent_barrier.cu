// SPDX-License-Identifier: Apache-2.0
// Persistent barrier                                                     chapter 12, orchestration
//
// The idea:          blocks that stay: one launch, and between the steps a barrier of all blocks in memory.
// What bounds it:    latency. 100 steps over 65,536 values move 52 MB within the L2 cache, 5 µs together;
//                    what takes time is that each step waits for all of the one before: a launch, or a
//                    barrier.
// What to look for:  time of a step, from rung to rung: launch, node of a graph, barrier, message.
// Where it stops:    all blocks must be resident at once, or the barrier never opens: a grid has no more of
//                    them than the device holds. Steps that take tens of microseconds hide a launch as
//                    well.
#include <cooperative_groups.h>
#include <algorithm>
#include <cuda/atomic>

#include <cstdint>
#include <memory>
#include <string>

#include "aisp/aisp.h"
#include "workloads/ch11_streams/smoothing.cuh"

namespace aisp::persistent_barrier {
namespace {

using namespace smoothing;

// ---- The problem and the reference: ch11_streams/smoothing.cuh -------------------------------------------
// ---- Baseline: launches() and, the same recorded, graph(): smoothing.cuh too -----------------------------

// ---- The idea --------------------------------------------------------------------------------------------
// Between two kernels of a stream the device empties itself, makes all writes visible, and starts anew. A
// kernel whose blocks are all resident needs only the middle of that: each block says that it has arrived and
// waits until all have. One word does both. Every block adds 1, but the first adds so much that all of them
// together add half of the word's range: its top bit turns over when the last has arrived, and stays for the
// next round to turn back. Nothing has to be cleared, between rounds or between launches.
//
// A barrier still waits for the slowest of all. A step needs its neighbours only: with its values in shared
// memory, a block hands the outermost two to those beside it, and waits for theirs. A value and the number of
// its step fit one 8-byte word, which is written at once: no fence, nothing to count.

// ---- Optimised 1: one launch, a barrier of all blocks between the steps ----------------------------------
class GridBarrier {
 public:
  /// Before this block's first arrival: until then the top bit cannot turn over.
  __device__ explicit GridBarrier(unsigned* arrived) : arrived_(arrived), turn_(*arrived & kTurn) {}

  __device__ void wait() {
    __syncthreads();
    turn_ ^= kTurn;
    if (threadIdx.x == 0) {
      // Added without an answer: whoever waits for the answer waits for memory once more.
      const unsigned add = blockIdx.x == 0 ? kTurn - (gridDim.x - 1) : 1;
      asm volatile("red.release.gpu.global.add.u32 [%0], %1;" : : "l"(arrived_), "r"(add) : "memory");
      ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device> word(*arrived_);
      while ((word.load(::cuda::memory_order_acquire) & kTurn) != turn_) {
      }
    }
    __syncthreads();
  }

 private:
  static constexpr unsigned kTurn = 0x80000000u;
  unsigned* arrived_;
  unsigned turn_;
};

constexpr int kMostThreads = 1024;  ///< of a block of these

/// `next_round()` returns when all blocks have called it.
template <class NextRound>
__device__ void smooth_in_rounds(const float* x, float* y, float* one, float* other, std::int64_t n,
                                 std::int64_t steps, NextRound next_round) {
  const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
  const float* from = x;
  for (std::int64_t s = 0; s < steps; ++s) {
    float* to = s == steps - 1 ? y : s % 2 == 0 ? one : other;
#pragma unroll 4
    for (std::int64_t i = first; i < n; i += stride) {
      // Past the L1 cache, which does not hear of what other multiprocessors write.
      const float before = __ldcg(from + (i == 0 ? n - 1 : i - 1)),
                  after = __ldcg(from + (i == n - 1 ? 0 : i + 1));
      to[i] = 0.25f * before + 0.5f * __ldcg(from + i) + 0.25f * after;
    }
    if (s < steps - 1) next_round();
    from = to;
  }
}

__global__ void __launch_bounds__(kMostThreads)
    smooth_with_barrier(const float* x, float* y, float* one, float* other, std::int64_t n,
                        std::int64_t steps, unsigned* arrived) {
  GridBarrier barrier(arrived);
  smooth_in_rounds(x, y, one, other, n, steps, [&] { barrier.wait(); });
}

__global__ void __launch_bounds__(kMostThreads)
    smooth_with_grid_sync(const float* x, float* y, float* one, float* other, std::int64_t n,
                          std::int64_t steps, unsigned*) {
  smooth_in_rounds(x, y, one, other, n, steps, [] { cooperative_groups::this_grid().sync(); });
}

struct Rounds {
  Between memory;
  gpu::Memory<unsigned> arrived;
  unsigned blocks;
  int threads;
};

std::shared_ptr<void> prepare_rounds(const Setup& setup) {
  const std::int64_t n = setup.params["n"];
  const unsigned processors = gpu::processors();
  // Small blocks meet sooner; large ones keep more loads on their way.
  const int threads = gpu::blocks_for(n, kMostThreads / 2) <= processors ? kMostThreads / 2 : kMostThreads;
  // One block on each multiprocessor is always resident.
  const unsigned blocks = std::min(gpu::blocks_for(n, threads), processors);
  return std::make_shared<Rounds>(Rounds{between(setup), gpu::memory_for<unsigned>(1), blocks, threads});
}

using RoundsKernel = void (*)(const float*, float*, float*, float*, std::int64_t, std::int64_t, unsigned*);

template <RoundsKernel kernel>
void rounds(const Call& call) {
  const auto& plan = call.plan<Rounds>();
  const auto x = call.input<float>(kX);
  gpu::launch_together(plan.blocks, plan.threads, 0, gpu::stream_of(call), kernel, x.data,
                       call.output<float>(kY).data, plan.memory.one.get(), plan.memory.other.get(), x.size,
                       call.params()["steps"], plan.arrived.get());
}

// ---- Optimised 2: values stay too, and only edges travel -------------------------------------------------
constexpr int kPartThreads = 512;
constexpr std::size_t kMostPart = 24 * 1024;  ///< values of a block: two copies in shared memory

/// What a block tells its neighbours: its first value and its last, with the number of the step before which
/// they hold. Two steps' worth: a neighbour is at most one step behind.
struct Edges {
  std::uint64_t first[2], last[2];
};

__device__ void tell(std::uint64_t* word, unsigned step, float value) {
  ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device>(*word).store(
      std::uint64_t{step} << 32 | __float_as_uint(value), ::cuda::memory_order_relaxed);
}

__device__ float hear(std::uint64_t* word, unsigned step) {
  ::cuda::atomic_ref<std::uint64_t, ::cuda::thread_scope_device> said(*word);
  std::uint64_t heard;
  do heard = said.load(::cuda::memory_order_relaxed);
  while (static_cast<unsigned>(heard >> 32) != step);
  return __uint_as_float(static_cast<unsigned>(heard));
}

/// Steps are numbered from `number` on, other numbers in every launch: what the last one said is not taken
/// for news.
__global__ void __launch_bounds__(kPartThreads)
    smooth_with_neighbours(const float* x, float* y, std::int64_t n, std::int64_t steps, int part,
                           Edges* edges, unsigned number) {
  extern __shared__ float values[];
  const std::int64_t begin = std::int64_t{blockIdx.x} * part;
  const int count = static_cast<int>(std::min<std::int64_t>(part, n - begin));
  // Two copies, each with a place for the neighbours' values before it and behind it.
  float *from = values + 1, *to = values + part + 3;
  for (int i = threadIdx.x; i < count; i += kPartThreads) from[i] = x[begin + i];
  __syncthreads();
  Edges* mine = edges + blockIdx.x;
  Edges* before = edges + (blockIdx.x == 0 ? gridDim.x : blockIdx.x) - 1;
  Edges* after = edges + (blockIdx.x == gridDim.x - 1 ? 0 : blockIdx.x + 1);
  for (std::int64_t s = 0; s < steps; ++s, ++number) {
    const int turn = static_cast<int>(s % 2);
    if (threadIdx.x == 0) {
      tell(&mine->first[turn], number, from[0]);
      from[-1] = hear(&before->last[turn], number);
    } else if (threadIdx.x == kPartThreads - 1) {
      tell(&mine->last[turn], number, from[count - 1]);
      from[count] = hear(&after->first[turn], number);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < count; i += kPartThreads)
      to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
    __syncthreads();
    float* last = from;
    from = to;
    to = last;
  }
  for (int i = threadIdx.x; i < count; i += kPartThreads) y[begin + i] = from[i];
}

struct Parts {
  gpu::Memory<Edges> edges;
  int part;
  unsigned blocks, number = 1;
};

std::int64_t part_of(std::int64_t n) {
  const std::int64_t blocks = gpu::processors();
  return std::max<std::int64_t>((n + blocks - 1) / blocks, kPartThreads);
}

std::shared_ptr<void> prepare_parts(const Setup& setup) {
  const std::int64_t n = setup.params["n"], part = part_of(n);
  const unsigned blocks = gpu::blocks_for(n, part);
  gpu::check(cudaFuncSetAttribute(smooth_with_neighbours, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>((2 * kMostPart + 4) * sizeof(float))),
             "allowing a block its part of the values");
  return std::make_shared<Parts>(Parts{gpu::memory_for<Edges>(blocks), static_cast<int>(part), blocks});
}

void neighbours(const Call& call) {
  auto& plan = call.plan<Parts>();
  const auto x = call.input<float>(kX);
  const auto steps = call.params()["steps"];
  const std::size_t shared_bytes = (2 * static_cast<std::size_t>(plan.part) + 4) * sizeof(float);
  gpu::launch_together(plan.blocks, kPartThreads, shared_bytes, gpu::stream_of(call), smooth_with_neighbours,
                       x.data, call.output<float>(kY).data, x.size, steps, plan.part, plan.edges.get(),
                       plan.number);
  plan.number += static_cast<unsigned>(steps);
}

std::optional<std::string> too_many(const Params& size) {
  if (static_cast<std::size_t>(part_of(size["n"])) <= kMostPart) return std::nullopt;
  return "the values do not fit the shared memory of all multiprocessors";
}

// ---- Registration ----------------------------------------------------------------------------------------
// What launching costs is seen by the caller only, so all are timed from the call until the device is idle.
const Registration registered{{
    .id = "ch12/persistent_barrier",
    .title = "Persistent barrier",
    .idea = "One launch whose blocks stay, with a barrier in memory between the steps.",
    .bound = Bound::synchronisation,
    .tags = {"launch", "graphs", "persistent kernel"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 12, 1 << 16, 1 << 20}, .quick = {1 << 16}, .small = 5127},
             {.name = "steps", .values = {100}, .small = 7, .most = 500}},
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
                  .note = "all steps recorded, one launch of a graph",
                  .prepare = prepare_graphs,
                  .host_sync = true},
                 {.name = "barrier",
                  .run = CallFunction(rounds<smooth_with_barrier>),
                  .note = "one kernel, a barrier of all its blocks between steps",
                  .prepare = prepare_rounds,
                  .host_sync = true,
                  .cooperative = true},
                 {.name = "neighbours",
                  .run = neighbours,
                  .note = "values in shared memory, edges told to the blocks beside",
                  .prepare = prepare_parts,
                  .host_sync = true,
                  .cooperative = true,
                  .unavailable = too_many},
                 {.name = "grid_sync",
                  .run = CallFunction(rounds<smooth_with_grid_sync>),
                  .note = "the barrier of cooperative_groups",
                  .prepare = prepare_rounds,
                  .rung = Rung::anchor,
                  .host_sync = true,
                  .cooperative = true}},
}};

}  // namespace
}  // namespace aisp::persistent_barrier

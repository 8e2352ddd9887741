// SPDX-License-Identifier: Apache-2.0
// Reduction on a GPU                                                    chapter 7, memory access
//
// The idea:          a sum is as fast as its loads, once enough of them are on their way and nobody waits
//                    for anybody else to add up.
// What bounds it:    4 bytes and one addition a value. 64 M floats are 268 MB: 58 µs at the 4.63 TB/s an
//                    H200 reads; its adders would need 2 µs.
// What to look for:  bytes in flight, and what happens beside reading: barriers inside a block, the second
//                    launch that adds up what the blocks found.
// Where it stops:    where the plain loop keeps memory busy by itself. At 64 M values it has 0.89 of what an
//                    H200 reads, and 1.05x is gained; at 1 M values, 2 of 9 µs and 1.30x.
#include "workloads/ch07_memory_access/reduction.h"

#include "aisp/core/ladder.h"
#include "workloads/ch07_memory_access/reduction_cub.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::reduction_rows {
namespace {

// ---- The problem and the reference: reduction.h; the reference and inputs on the device ------------
constexpr int kReferenceThreads = 1024;

/// A block a row, in double; one thread adds up what the others found.
__global__ void sum_in_double(const float* x, std::int64_t cols, double* sum, double* scale) {
  __shared__ double sums[kReferenceThreads], scales[kReferenceThreads];
  const float* row = x + blockIdx.x * cols;
  double my_sum = 0, my_scale = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kReferenceThreads) {
    my_sum += row[c];
    my_scale += fabs(double{row[c]});
  }
  sums[threadIdx.x] = my_sum;
  scales[threadIdx.x] = my_scale;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int t = 1; t < kReferenceThreads; ++t) {
    my_sum += sums[t];
    my_scale += scales[t];
  }
  sum[blockIdx.x] = my_sum;
  scale[blockIdx.x] = my_scale;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto rows = static_cast<unsigned>(rows_of(call.params));
  const DeviceWide& y = call.outputs[kY];
  sum_in_double<<<rows, kReferenceThreads, 0, gpu::stream_of(call)>>>(call.input<float>(kX).data,
                                                                      call.params["cols"], y.value, y.scale);
  gpu::check_launch("adding up by reference");
}

__global__ void fill_wide(float* x, std::int64_t count, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) x[i] = wide_value(random_word(seed, static_cast<std::uint64_t>(i)));
}

void draw_wide_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<float>();
  fill_wide<<<gpu::blocks_for(x.size, 256), 256, 0, gpu::stream_of(call)>>>(x.data, x.size, call.seed);
  gpu::check_launch("drawing wide values");
}

// ---- What all rungs share: rows in parts, a block a part -------------------------------------------
constexpr int kThreads = 512, kBlocks = 4;  ///< in a block, and blocks that fill a multiprocessor
constexpr int kAtOnce = 4, kTimes = 8;      ///< float4 a thread asks for together, and how often
constexpr std::int64_t kPart = kThreads * 4 * kAtOnce * kTimes;  ///< values a block adds up: 128 a thread

struct Plan {
  std::int64_t parts;              ///< of a row
  gpu::Memory<double> sums;        ///< of every part
  gpu::Memory<unsigned> finished;  ///< blocks of each row that have stored theirs
};

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto rows = static_cast<std::size_t>(rows_of(setup.params));
  const std::int64_t parts = (setup.params["cols"] + kPart - 1) / kPart;
  return std::make_shared<Plan>(Plan{.parts = parts,
                                     .sums = gpu::memory_for<double>(rows * static_cast<std::size_t>(parts)),
                                     .finished = gpu::memory_for<unsigned>(rows)});
}

/// What a block is given: part blockIdx.x % parts of row blockIdx.x / parts.
struct Part {
  const float* begin;
  int size;
};
__device__ Part part_of(const float* x, std::int64_t cols, unsigned parts) {
  const std::int64_t first = std::int64_t{blockIdx.x % parts} * kPart;
  return {x + blockIdx.x / parts * cols + first, static_cast<int>(min(kPart, cols - first))};
}

// ---- Baseline: a tree in shared memory, and a second launch ----------------------------------------
__device__ double tree_sum(double value) {
  __shared__ double sums[kThreads];
  sums[threadIdx.x] = value;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (static_cast<int>(threadIdx.x) < half) sums[threadIdx.x] += sums[threadIdx.x + half];
    __syncthreads();
  }
  return sums[0];
}

__global__ void __launch_bounds__(kThreads)
    sum_parts_by_tree(const float* x, std::int64_t cols, unsigned parts, double* sums) {
  const Part part = part_of(x, cols, parts);
  float mine = 0;
  for (int i = threadIdx.x; i < part.size; i += kThreads) mine += part.begin[i];
  const double sum = tree_sum(mine);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// A block a row.
__global__ void __launch_bounds__(kThreads) sum_rows(const double* sums, unsigned parts, float* y) {
  double mine = 0;
  for (unsigned p = threadIdx.x; p < parts; p += kThreads) mine += sums[blockIdx.x * parts + p];
  const double sum = tree_sum(mine);
  if (threadIdx.x == 0) y[blockIdx.x] = static_cast<float>(sum);
}

using SumParts = void (*)(const float*, std::int64_t, unsigned, double*);
template <SumParts sum_parts>
void two_launches(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const auto y = call.output<float>(kY);
  const auto rows = static_cast<unsigned>(y.size), parts = static_cast<unsigned>(plan.parts);
  const cudaStream_t stream = gpu::stream_of(call);
  sum_parts<<<rows * parts, kThreads, 0, stream>>>(call.input<float>(kX).data, call.params()["cols"], parts,
                                                   plan.sums.get());
  gpu::check_launch("adding up parts");
  sum_rows<<<rows, kThreads, 0, stream>>>(plan.sums.get(), parts, y.data);
  gpu::check_launch("adding up rows");
}

// ---- The idea --------------------------------------------------------------------------------------
// 1. Ask first, add later: four loads of 16 bytes leave before the first addition needs one. What the
//    threads of a multiprocessor have asked for is then 128 KB, more than memory can have on its way.
// 2. Threads of a warp need no barrier to see each other's values: five shuffles add up 32 of them, and
//    the tree of nine levels and ten barriers becomes one barrier.
// 3. A second launch starts when the last block of the first has ended. Instead every block counts itself off
//    for its row, and the one that is last adds up what the others left. It must see it: hence the fence
//    between storing and counting. A block waits for its number, so there must be few of them: with parts of
//    half this size that cost 3 to 4 % more than the second launch.

// ---- Optimised 1: wide loads and shuffles ----------------------------------------------------------
__device__ float sum_of(float4 v) { return (v.x + v.y) + (v.z + v.w); }

/// This thread's share of a whole part. Nothing to check, so the loads of two rounds can be on their way at
/// once.
__device__ float sum_whole_part(const float4* vectors) {
  float sums[kAtOnce] = {};
#pragma unroll 2
  for (int i = 0; i < kTimes; ++i, vectors += kThreads * kAtOnce) {
    float4 values[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) values[k] = __ldcs(vectors + k * kThreads + threadIdx.x);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) sums[k] += sum_of(values[k]);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// The last part of a row, and rows that do not begin at a multiple of 16 bytes.
__device__ float sum_ragged_part(Part part) {
  const int head = min(part.size, static_cast<int>(-(reinterpret_cast<std::uintptr_t>(part.begin) / 4) & 3));
  const int count = (part.size - head) / 4, tail = part.size - head - 4 * count;
  const auto* vectors = reinterpret_cast<const float4*>(part.begin + head);
  const int thread = static_cast<int>(threadIdx.x);
  float sum = 0;
  if (thread < head) sum += part.begin[thread];
  if (thread < tail) sum += part.begin[part.size - 1 - thread];
#pragma unroll 4
  for (int i = thread; i < count; i += kThreads) sum += sum_of(__ldcs(vectors + i));
  return sum;
}

/// In float, over at most 131 values.
__device__ float sum_part(Part part) {
  const bool whole = part.size == kPart && reinterpret_cast<std::uintptr_t>(part.begin) % sizeof(float4) == 0;
  return whole ? sum_whole_part(reinterpret_cast<const float4*>(part.begin)) : sum_ragged_part(part);
}

__global__ void __launch_bounds__(kThreads, kBlocks)
    sum_parts_by_shuffles(const float* x, std::int64_t cols, unsigned parts, double* sums) {
  const double sum = gpu::block_sum<kThreads, double>(sum_part(part_of(x, cols, parts)));
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

// ---- Optimised 2: the last block of a row finishes it ----------------------------------------------
__global__ void __launch_bounds__(kThreads, kBlocks)
    sum_at_once(const float* x, std::int64_t cols, unsigned parts, double* sums, unsigned* finished,
                float* y) {
  const unsigned row = blockIdx.x / parts;
  const double sum = gpu::block_sum<kThreads, double>(sum_part(part_of(x, cols, parts)));
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicInc(&finished[row], parts - 1) == parts - 1;  // and begins at 0 again for the next call
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  double mine = 0;
  for (unsigned p = threadIdx.x; p < parts; p += kThreads) mine += __ldcg(&sums[row * parts + p]);
  const double all = gpu::block_sum<kThreads, double>(mine);
  if (threadIdx.x == 0) y[row] = static_cast<float>(all);
}

void one_launch(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const auto y = call.output<float>(kY);
  const auto parts = static_cast<unsigned>(plan.parts);
  sum_at_once<<<static_cast<unsigned>(y.size) * parts, kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.params()["cols"], parts, plan.sums.get(), plan.finished.get(), y.data);
  gpu::check_launch("adding up rows");
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch07/reduction",
    .device = DeviceKind::cuda,
    .axes = {{.name = "values", .values = {1 << 26, 1 << 28}, .quick = {1 << 26}, .small = 5 * 34571},
             {.name = "cols", .values = {1 << 22, 1 << 26}, .quick = {1 << 22}, .small = 34571}},
    .reference = reference_on_device,
    .draws = {{"wide", draw_wide_on_device}},
    .variants = {{.name = "tree",
                  .run = CallFunction(two_launches<sum_parts_by_tree>),
                  .note = "a tree in shared memory, partial sums in a second launch",
                  .prepare = prepare},
                 {.name = "shuffles",
                  .run = CallFunction(two_launches<sum_parts_by_shuffles>),
                  .note = "four 16-byte loads at once, shuffles instead of the tree",
                  .prepare = prepare},
                 {.name = "one_launch",
                  .run = one_launch,
                  .note = "the last block of a row adds up its partial sums",
                  .prepare = prepare},
                 {.name = "cub_each",
                  .run = cub_each,
                  .note = "cub::DeviceReduce, row after row",
                  .prepare = prepare_each,
                  .rung = Rung::anchor},
                 {.name = "cub_segmented",
                  .run = cub_segmented,
                  .note = "cub::DeviceSegmentedReduce, all rows at once",
                  .prepare = prepare_segmented,
                  .rung = Rung::anchor,
                  .unavailable = too_long_for_segments}},
}};

}  // namespace
}  // namespace aisp::reduction_rows

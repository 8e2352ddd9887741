// SPDX-License-Identifier: Apache-2.0
// Histogram on a GPU                                         chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          private tables, so that increments meet neither in a counter nor in a bank of shared
//                    memory.
// What bounds it:    one byte read a value: 1 G of them take 232 µs at the 4.63 TB/s an H200 reads. Shared
//                    memory does 32 increments a clock and multiprocessor if they are in 32 banks: 130 µs.
// What to look for:  wavefronts of shared memory for each increment, and time against `hot`.
// Where it stops:    a counter for each bin and bank is 32 KB for 256 bins. More bins need tables that lanes
//                    share.
#include "workloads/ch08_occupancy_ilp/histogram.h"

#include "aisp/core/ladder.h"
#include "workloads/ch08_occupancy_ilp/histogram_cub.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::histogram {
namespace {

constexpr int kThreads = 256, kWarps = kThreads / gpu::kLanes;
constexpr std::int64_t kPart = std::int64_t{kThreads} * 256;  ///< bytes of a block of the reference

// ---- The problem and the reference: histogram.h; reference and inputs on the device ----------------
/// Whole numbers in double are exact, in any order.
__global__ void count_in_double(const std::uint8_t* x, std::int64_t n, double* counts) {
  __shared__ unsigned table[kBins];
  table[threadIdx.x] = 0;
  __syncthreads();
  const std::int64_t first = blockIdx.x * kPart, last = min(first + kPart, n);
  for (std::int64_t i = first + threadIdx.x; i < last; i += kThreads) atomicAdd(&table[x[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], static_cast<double>(table[threadIdx.x]));
}
static_assert(kThreads == kBins);

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<std::uint8_t>(kX);
  double* counts = call.outputs[kCounts].value;
  gpu::check(cudaMemsetAsync(counts, 0, kBins * sizeof(double), gpu::stream_of(call)), "clearing counts");
  count_in_double<<<gpu::blocks_for(x.size, kPart), kThreads, 0, gpu::stream_of(call)>>>(x.data, x.size,
                                                                                         counts);
  gpu::check_launch("counting by reference");
}

/// The first word says which value is the hot one; then one for each value.
template <bool kBell>
__global__ void fill_hot(std::uint8_t* x, std::int64_t n, unsigned hot, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t value = __umul64hi(random_word(seed, 0), kBins);
  const std::uint64_t word = random_word(seed, static_cast<std::uint64_t>(i + 1));
  const std::uint64_t first = word >> 56, second = (word >> 48) & 0xffu;
  const std::uint64_t cold = kBell && word % 2 == 0 ? (first + second) / 2 : first;
  x[i] = static_cast<std::uint8_t>((word >> 8) % 16 < hot ? value : cold);
}

template <bool kBell>
void draw_hot_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<std::uint8_t>();
  fill_hot<kBell><<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, x.size, static_cast<unsigned>(call.params["hot"]), call.seed);
  gpu::check_launch("drawing bytes");
}

// ---- What all rungs share: blocks that stay, sixteen bytes a load ----------------------------------
template <class Function>
__device__ void each_byte(uint4 values, Function f) {
  for (std::uint32_t word : {values.x, values.y, values.z, values.w}) {
#pragma unroll
    for (int k = 0; k < 4; ++k, word >>= 8) f(word & 255);
  }
}

constexpr int kAtOnce = 4;  ///< loads of a thread on their way

/// Calls f for every byte of this block's share. `x` begins at a multiple of 16 bytes.
template <int kBlockThreads, class Function>
__device__ void each_of_share(const std::uint8_t* x, std::int64_t n, Function f) {
  const auto* vectors = reinterpret_cast<const uint4*>(x);
  const std::int64_t count = n / 16, stride = std::int64_t{gridDim.x} * kBlockThreads;
  std::int64_t at = std::int64_t{blockIdx.x} * kBlockThreads + threadIdx.x;
  for (; at + (kAtOnce - 1) * stride < count; at += kAtOnce * stride) {
    uint4 values[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) values[k] = __ldcs(vectors + at + k * stride);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) each_byte(values[k], f);
  }
  for (; at < count; at += stride) each_byte(__ldcs(vectors + at), f);
  if (blockIdx.x == 0 && count * 16 + threadIdx.x < n) f(x[count * 16 + threadIdx.x]);
}

// ---- Baseline: a table a block, in shared memory ---------------------------------------------------
// Nobody counts in global memory: the L2 adds one after the other to each counter, and 268 M even bytes took
// 69 ms there, 191 ms with a hot one.
template <int kTables>
__global__ void __launch_bounds__(kThreads)
    count_in_tables(const std::uint8_t* x, std::int64_t n, std::uint32_t* counts) {
  __shared__ unsigned tables[kTables][kBins];
  for (int t = 0; t < kTables; ++t) tables[t][threadIdx.x] = 0;
  __syncthreads();
  unsigned* mine = tables[gpu::warp_index() % kTables];
  each_of_share<kThreads>(x, n, [&](unsigned value) { atomicAdd(&mine[value], 1u); });
  __syncthreads();
  unsigned sum = 0;
  for (int t = 0; t < kTables; ++t) sum += tables[t][threadIdx.x];
  if (sum > 0) atomicAdd(&counts[threadIdx.x], sum);
}

// ---- The idea --------------------------------------------------------------------------------------
// Lanes that want one counter are the hardware's business: it adds their number at once. Lanes that want
// different counters in one bank wait for each other, and 32 random counters put three or four into the
// fullest bank. Warps that share a table meet there too. A table for each warp removes the second.
//
// The first goes away if every lane counts where only it can: 32 copies of each counter side by side, one in
// each bank. A warp's increments then take one clock whatever the data, even or all the same. 32 KB a block:
// its warps share the copies, and few meet, since a word is busy only while its bank is.

// ---- Optimised 1: a table a warp -------------------------------------------------------------------
// count_in_tables<kWarps>.

// ---- Optimised 2: a counter for each bin and bank --------------------------------------------------
constexpr int kBankThreads = 1024;  ///< share 32 KB; smaller blocks took 2 to 7 % longer

template <int kBlockThreads>
__global__ void __launch_bounds__(kBlockThreads)
    count_in_banks(const std::uint8_t* x, std::int64_t n, std::uint32_t* counts) {
  __shared__ unsigned table[kBins * gpu::kLanes];
  for (int i = threadIdx.x; i < kBins * gpu::kLanes; i += kBlockThreads) table[i] = 0;
  __syncthreads();
  unsigned* mine = table + gpu::lane_index();
  each_of_share<kBlockThreads>(x, n, [&](unsigned value) { atomicAdd(&mine[value * gpu::kLanes], 1u); });
  __syncthreads();
  for (int bin = threadIdx.x; bin < kBins; bin += kBlockThreads) {
    unsigned sum = 0;
    for (int i = 0; i < gpu::kLanes; ++i)  // each thread begins in another bank
      sum += table[bin * gpu::kLanes + (i + gpu::lane_index()) % gpu::kLanes];
    if (sum > 0) atomicAdd(&counts[bin], sum);
  }
}

/// As many blocks as run at once.
struct Grid {
  unsigned blocks;
};
using Kernel = void (*)(const std::uint8_t*, std::int64_t, std::uint32_t*);
template <Kernel kernel, int kBlockThreads>
std::shared_ptr<void> prepare_grid(const Setup& /*setup*/) {
  int blocks = 0;
  gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, kBlockThreads, 0),
             "asking how many blocks run at once");
  return std::make_shared<Grid>(Grid{gpu::processors() * static_cast<unsigned>(blocks)});
}

template <Kernel kernel, int kBlockThreads>
void count(const Call& call) {
  const auto x = call.input<std::uint8_t>(kX);
  std::uint32_t* counts = call.output<std::uint32_t>(kCounts).data;
  const cudaStream_t stream = gpu::stream_of(call);
  gpu::check(cudaMemsetAsync(counts, 0, kBins * sizeof(std::uint32_t), stream), "clearing counts");
  kernel<<<call.plan<Grid>().blocks, kBlockThreads, 0, stream>>>(x.data, x.size, counts);
  gpu::check_launch("counting");
}

/// A rung of the ladder.
template <Kernel kernel, int kBlockThreads>
Variant rung(std::string name, std::string note) {
  return {.name = std::move(name),
          .run = CallFunction(count<kernel, kBlockThreads>),
          .note = std::move(note),
          .prepare = prepare_grid<kernel, kBlockThreads>};
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch08/histogram",
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 28, 1 << 30}, .quick = {1 << 28}, .small = 20011},
             {.name = "hot", .values = {0, 15}, .quick = {15}, .small = 9, .least = 0, .most = 15}},
    .reference = reference_on_device,
    .draws = {{"even", DeviceDraw(draw_hot_on_device<false>)},
              {"bell", DeviceDraw(draw_hot_on_device<true>)}},
    .variants = {rung<count_in_tables<1>, kThreads>("per_block", "a table a block, in shared memory"),
                 rung<count_in_tables<kWarps>, kThreads>("per_warp", "a table a warp"),
                 rung<count_in_banks<kBankThreads>, kBankThreads>("per_bank",
                                                                  "a counter for each bin and bank"),
                 {.name = "cub",
                  .run = cub_histogram,
                  .note = "cub::DeviceHistogram",
                  .prepare = prepare_cub,
                  .rung = Rung::anchor}},
}};

}  // namespace
}  // namespace aisp::histogram

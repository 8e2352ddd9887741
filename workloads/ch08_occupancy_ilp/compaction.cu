// SPDX-License-Identifier: Apache-2.0
// Compaction on a GPU                                        chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          a value's place is the number of wanted ones before it: let the warp count with one
//                    instruction, and let blocks tell each other instead of reading everything twice.
// What bounds it:    4 bytes read and 4 written a value. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an
//                    H200 copies; counting first and writing later reads 268 MB more.
// What to look for:  bytes from memory, barriers, and sectors for each store: kept values are written side
//                    by side.
// Where it stops:    at 0.91 of the speed of a copy on an H200 where a row is one part. In one row of 64 M
//                    values blocks wait for each other: 0.51 of a copy, 0.91 of the speed of CUB.
#include "workloads/ch08_occupancy_ilp/compaction.h"

#include "aisp/core/ladder.h"
#include "workloads/ch08_occupancy_ilp/compaction_cub.cuh"
#include "workloads/ch08_occupancy_ilp/compaction_look_back.cuh"
#include "workloads/ch08_occupancy_ilp/compaction_parts.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::compaction {
namespace {

/// Of a block, and of one of the rung that looks back in rows of several parts: the fewer there are, the less
/// there is to look at.
constexpr int kThreads = 256, kLongThreads = 1024;

// ---- The problem and the reference: compaction.h; reference and inputs on the device ---------------
constexpr int kReferenceThreads = 1024;

/// A block a row: every thread counts its stretch of it, then moves that.
__global__ void compact_in_double(const float* x, std::int64_t cols, double* kept, double* counts) {
  __shared__ std::int64_t before[kReferenceThreads + 1];
  const std::int64_t row = blockIdx.x * cols, stretch = (cols + kReferenceThreads - 1) / kReferenceThreads;
  const std::int64_t first = min(cols, threadIdx.x * stretch), last = min(cols, first + stretch);
  std::int64_t count = 0;
  for (std::int64_t c = first; c < last; ++c) count += x[row + c] > 0 ? 1 : 0;
  before[threadIdx.x + 1] = count;
  __syncthreads();
  if (threadIdx.x == 0) {
    before[0] = 0;
    for (int t = 0; t < kReferenceThreads; ++t) before[t + 1] += before[t];
    counts[blockIdx.x] = static_cast<double>(before[kReferenceThreads]);
  }
  __syncthreads();
  std::int64_t at = before[threadIdx.x];
  for (std::int64_t c = first; c < last; ++c) {
    if (x[row + c] > 0) kept[row + at++] = x[row + c];
  }
  for (std::int64_t c = before[kReferenceThreads] + threadIdx.x; c < cols; c += kReferenceThreads)
    kept[row + c] = kFiller;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto rows = static_cast<unsigned>(rows_of(call.params));
  compact_in_double<<<rows, kReferenceThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.params["cols"], call.outputs[kKept].value,
      call.outputs[kCounts].value);
  gpu::check_launch("compacting by reference");
}

__global__ void fill_with_zeros(float* x, std::int64_t count, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) x[i] = static_cast<float>(value_or_zero(random_word(seed, static_cast<std::uint64_t>(i))));
}

void draw_with_zeros_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<float>();
  fill_with_zeros<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(x.data, x.size,
                                                                                            call.seed);
  gpu::check_launch("drawing values and zeros");
}

// ---- Baseline: count, add up, write ----------------------------------------------------------------
/// Sum of what the threads before this one have; `total` gets that of all. A tree in shared memory.
__device__ int sum_before(int mine, int& total) {
  __shared__ int sums[kThreads];
  const int thread = static_cast<int>(threadIdx.x);
  sums[thread] = mine;
  for (int distance = 1; distance < kThreads; distance *= 2) {
    __syncthreads();
    const int other = thread >= distance ? sums[thread - distance] : 0;
    __syncthreads();
    sums[thread] += other;
  }
  __syncthreads();
  total = sums[kThreads - 1];
  const int result = sums[thread] - mine;
  __syncthreads();  // before the next call
  return result;
}

__global__ void __launch_bounds__(kThreads)
    count_parts(const float* x, std::int64_t cols, unsigned parts, int* kept_of) {
  const Part part = part_of<kThreads>(cols, parts);
  int mine = 0, total = 0;
  for (int i = threadIdx.x; i < part.size; i += kThreads) mine += x[part.row + part.first + i] > 0 ? 1 : 0;
  sum_before(mine, total);
  if (threadIdx.x == 0) kept_of[blockIdx.x] = total;
}

/// A block a row: counts of parts become sums of those before.
__global__ void __launch_bounds__(kThreads) add_up_parts(int* kept_of, unsigned parts, std::int32_t* counts) {
  int before = 0;
  for (unsigned first = 0; first < parts; first += kThreads) {
    const unsigned p = first + threadIdx.x;
    int* mine = kept_of + blockIdx.x * parts + p;
    int total = 0;
    const int sum = sum_before(p < parts ? *mine : 0, total);
    if (p < parts) *mine = before + sum;
    before += total;
  }
  if (threadIdx.x == 0) counts[blockIdx.x] = before;
}

/// A thread has sixteen neighbours and writes those that stay one after the other.
__global__ void __launch_bounds__(kThreads)
    write_parts(const float* x, std::int64_t cols, unsigned parts, const int* before_of, float* kept) {
  const Part part = part_of<kThreads>(cols, parts);
  const float* in = x + part.row + part.first;
  const int first = static_cast<int>(threadIdx.x) * kEach, last = min(part.size, first + kEach);
  int mine = 0, total = 0;
  for (int i = first; i < last; ++i) mine += in[i] > 0 ? 1 : 0;
  int place = sum_before(mine, total);
  const Target target = target_of(part, cols, total, before_of[blockIdx.x]);
  for (int i = first; i < last; ++i) {
    if (in[i] > 0) kept[target.kept + place++] = in[i];
  }
  for (int i = threadIdx.x; i < part.size - total; i += kThreads) kept[target.filler + i] = kFiller;
}

// ---- The idea --------------------------------------------------------------------------------------
// A ballot tells every lane which lanes have a wanted value: the bits below its own are those before it. So
// neighbouring lanes can read neighbouring values, and the only sums left are those of eight warps. Kept
// values are put side by side in shared memory and leave in whole lines.
//
// And a block can know what was kept before it without a launch in between: each part leaves its own count
// where all can see it, then looks back over its predecessors, 256 at a time, until one says what it and all
// before it have kept. It adds up what it saw and leaves that for those who come after. Blocks start in the
// order of their numbers, so whoever is waited for is at work.

// ---- Optimised 1: ballots --------------------------------------------------------------------------
__global__ void __launch_bounds__(kThreads)
    write_by_ballots(const float* x, std::int64_t cols, unsigned parts, const int* before_of, float* kept) {
  __shared__ float side_by_side[kPart<kThreads>];
  const Part part = part_of<kThreads>(cols, parts);
  Sorted<kThreads> sorted;
  sorted.load(x + part.row + part.first, part.size);
  sorted.put(side_by_side);
  __syncthreads();
  write_part<kThreads>(part, cols, side_by_side, sorted.total, before_of[blockIdx.x], kept);
}

// ---- Optimised 2: one pass -------------------------------------------------------------------------
template <int kBlockThreads>
__global__ void __launch_bounds__(kBlockThreads)
    compact_at_once(const float* x, std::int64_t cols, unsigned parts, std::uint32_t* states,
                    unsigned* finished, float* kept, std::int32_t* counts) {
  extern __shared__ float side_by_side[];  // a part
  __shared__ int before;
  const Part part = part_of<kBlockThreads>(cols, parts);
  const unsigned row = blockIdx.x / parts;
  const auto number = static_cast<int>(blockIdx.x % parts);
  const bool looks = gpu::warp_index() == 0 && parts > 1;
  Sorted<kBlockThreads> sorted;
  sorted.load(x + part.row + part.first, part.size);
  if (looks) say_own(states + row * parts, number, sorted.total);  // the others wait for this
  sorted.put(side_by_side);
  const int found = looks ? look_back(states + row * parts, number, sorted.total) : 0;
  if (threadIdx.x == 0) {
    before = found;
    if (number == static_cast<int>(parts) - 1) counts[row] = found + sorted.total;
  }
  __syncthreads();
  write_part<kBlockThreads>(part, cols, side_by_side, sorted.total, before, kept);
  if (looks) forget_when_last(states, finished);
}

struct Plan {
  unsigned parts;                     ///< of a row
  gpu::Memory<std::uint32_t> states;  ///< or counts, of every part
  gpu::Memory<unsigned> finished;
};

template <int kBlockThreads>
std::shared_ptr<void> prepare_parts(const Setup& setup) {
  const unsigned parts = gpu::blocks_for(setup.params["cols"], kPart<kBlockThreads>);
  const auto all = static_cast<std::size_t>(rows_of(setup.params)) * parts;
  return std::make_shared<Plan>(Plan{.parts = parts,
                                     .states = gpu::memory_for<std::uint32_t>(all),
                                     .finished = gpu::memory_for<unsigned>(1)});
}

using WriteParts = void (*)(const float*, std::int64_t, unsigned, const int*, float*);
template <WriteParts write>
void three_launches(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const auto cols = call.params()["cols"];
  const auto counts = call.output<std::int32_t>(kCounts);
  const auto rows = static_cast<unsigned>(counts.size);
  const float* x = call.input<float>(kX).data;
  int* kept_of = reinterpret_cast<int*>(plan.states.get());
  const cudaStream_t stream = gpu::stream_of(call);
  count_parts<<<rows * plan.parts, kThreads, 0, stream>>>(x, cols, plan.parts, kept_of);
  gpu::check_launch("counting");
  add_up_parts<<<rows, kThreads, 0, stream>>>(kept_of, plan.parts, counts.data);
  gpu::check_launch("adding up counts");
  write<<<rows * plan.parts, kThreads, 0, stream>>>(x, cols, plan.parts, kept_of,
                                                    call.output<float>(kKept).data);
  gpu::check_launch("writing kept values");
}

bool in_one_part(const Params& size) { return size["cols"] <= kPart<kThreads>; }

template <int kBlockThreads>
constexpr int kPartBytes = kPart<kBlockThreads> * sizeof(float);

std::shared_ptr<void> prepare_one_pass(const Setup& setup) {
  if (in_one_part(setup.params)) return prepare_parts<kThreads>(setup);
  gpu::check(cudaFuncSetAttribute(compact_at_once<kLongThreads>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  kPartBytes<kLongThreads>),
             "allowing a long part its shared memory");
  return prepare_parts<kLongThreads>(setup);
}

template <int kBlockThreads>
void compact(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const auto counts = call.output<std::int32_t>(kCounts);
  compact_at_once<kBlockThreads><<<static_cast<unsigned>(counts.size) * plan.parts, kBlockThreads,
                                   kPartBytes<kBlockThreads>, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.params()["cols"], plan.parts, plan.states.get(), plan.finished.get(),
      call.output<float>(kKept).data, counts.data);
  gpu::check_launch("compacting");
}

void one_pass(const Call& call) {
  in_one_part(call.params()) ? compact<kThreads>(call) : compact<kLongThreads>(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch08/compaction",
    .device = DeviceKind::cuda,
    .axes = {{.name = "values", .values = {1 << 26}, .small = 3 * 9001},
             {.name = "cols", .values = {4096, 1 << 26}, .quick = {1 << 26}, .small = 9001}},
    .reference = reference_on_device,
    .draws = {{"with zeros", draw_with_zeros_on_device}},
    .variants = {{.name = "three_launches",
                  .run = CallFunction(three_launches<write_parts>),
                  .note = "count, add up, write; sixteen neighbours a thread",
                  .prepare = prepare_parts<kThreads>},
                 {.name = "ballots",
                  .run = CallFunction(three_launches<write_by_ballots>),
                  .note = "places by ballots, kept values side by side in shared memory",
                  .prepare = prepare_parts<kThreads>},
                 {.name = "one_pass",
                  .run = one_pass,
                  .note = "blocks look back for what was kept before them",
                  .prepare = prepare_one_pass},
                 {.name = "cub",
                  .run = cub_select,
                  .note = "cub::DeviceSelect, row after row, and fillers",
                  .prepare = prepare_cub,
                  .rung = Rung::anchor,
                  .unavailable = too_many_rows}},
}};

}  // namespace
}  // namespace aisp::compaction

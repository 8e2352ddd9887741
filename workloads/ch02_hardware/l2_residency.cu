// SPDX-License-Identifier: Apache-2.0
// L2 residency                                                                         chapter 2, hardware
//
// The idea:          make all passes over a piece that fits the L2 cache before going on to the next piece.
// What bounds it:    4 bytes a value, read ten times. 64 rows of 4 MB are 268 MB: 58 µs a pass at the 4.63
//                    TB/s an H200 reads from memory, 580 µs in all. From its L2 it reads about twice as fast:
//                    one pass from memory and nine from there are some 320 µs.
// What to look for:  bytes from memory, and the hit rate of the L2. Then the time between launches: a pass
//                    over 32 MB takes 3.5 µs, and starting the next one is not free beside that.
// Where it stops:    a piece of more than 40 MB begins to fall out of the L2 (60 MB on an H200, and not all
//                    of it near every multiprocessor). Rows short enough for the shared memory of one need
//                    not go through the L2 at all (ch09/softmax).
#include <algorithm>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::l2_residency {
namespace {

enum { kX, kKeep };
enum { kThreshold, kKept };
constexpr int kPasses = 10;
constexpr float kLowest = -4, kHighest = 4;

// ---- The problem: for each row a threshold that at most `keep` values exceed, by bisection ---------
// How gradients are thinned out and tokens are chosen without sorting. Each pass counts the values above the
// middle of what is left, and only then is known where the next middle is.
struct Interval {
  float low = kLowest, high = kHighest;
  int kept = 0;  ///< values above `high`

  __host__ __device__ float middle() const { return (low + high) / 2; }  // exact: ten halvings of 8
  __host__ __device__ void narrow(int above, int keep) {
    if (above > keep) {
      low = middle();
    } else {
      high = middle();
      kept = above;
    }
  }
};

Problem problem(const Params& p) {
  const auto rows = p["rows"], cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {
      .tensors = {input<float>("x", {rows, cols}, {uniform(-1, 1), normal(0, 1)}),
                  input<std::int32_t>("keep", {rows}, {integers(1, cols)}),
                  output<float>("threshold", {rows}, exact()), output<std::int32_t>("kept", {rows}, exact())},
      .work = {.bytes = 4 * count + 12 * static_cast<double>(rows),
               .items = kPasses * count,
               .traffic = Traffic::read},
      .workspace_bytes = static_cast<std::size_t>(rows * kPasses + 1) * sizeof(std::uint64_t)};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const auto keep = call.input<std::int32_t>(kKeep);
  const auto cols = call.params["cols"];
  for (std::int64_t r = 0; r < keep.size; ++r) {
    Interval at;
    for (int pass = 0; pass < kPasses; ++pass)
      at.narrow(static_cast<int>(std::count_if(&x[r * cols], &x[r * cols] + cols,
                                               [&](float value) { return value > at.middle(); })),
                keep[r]);
    call.outputs[kThreshold].value[static_cast<std::size_t>(r)] = at.high;
    call.outputs[kKept].value[static_cast<std::size_t>(r)] = at.kept;
  }
}

constexpr int kReferenceThreads = 1024;

/// A block a row. Nothing here is rounded, so double has nothing to add.
__global__ void search_by_reference(const float* x, const std::int32_t* keep, std::int64_t cols,
                                    double* threshold, double* kept) {
  Interval at;
  for (int pass = 0; pass < kPasses; ++pass) {
    int above = 0;
    for (std::int64_t c = threadIdx.x; c < cols; c += kReferenceThreads)
      above += x[blockIdx.x * cols + c] > at.middle();
    at.narrow(gpu::block_sum<kReferenceThreads>(above), keep[blockIdx.x]);
    __syncthreads();  // block_sum may be called again
  }
  threshold[blockIdx.x] = at.high;
  kept[blockIdx.x] = at.kept;
}

void reference_on_device(const DeviceReferenceCall& call) {
  search_by_reference<<<static_cast<unsigned>(call.params["rows"]), kReferenceThreads, 0,
                        gpu::stream_of(call)>>>(call.input<float>(kX).data,
                                                call.input<std::int32_t>(kKeep).data, call.params["cols"],
                                                call.outputs[kThreshold].value, call.outputs[kKept].value);
  gpu::check_launch("searching by reference");
}

// ---- What all rungs share: a block counts a part of a row in one pass ------------------------------
constexpr int kThreads = 256, kAtOnce = 4;
constexpr std::int64_t kPart = 16384;  ///< values: 64 KB

/// Of a row and a pass: the values above the middle in the lower half, the parts that were counted in the
/// upper. One atomic addition brings both, so whoever sees all parts sees the whole count.
using Tally = unsigned long long;
__device__ int above_of(Tally tally) { return static_cast<int>(tally & 0xffffffffu); }
__device__ int parts_of(Tally tally) { return static_cast<int>(tally >> 32); }

struct Item {
  int row, pass, part;
};
struct Search {
  const float* x;
  const std::int32_t* keep;
  float* threshold;
  std::int32_t* kept;
  Tally* tallies;  ///< kPasses for each row, then the next ticket
  std::int64_t cols;
  int rows, parts;  ///< parts of a row
  int piece;        ///< rows whose passes are made before the next piece's

  /// Read past the L1, which does not hear of other multiprocessors' additions.
  __device__ Tally tally(int row, int pass) const {
    return *const_cast<const volatile Tally*>(&tallies[row * kPasses + pass]);
  }
};

__device__ int above(float a, float middle) { return a > middle; }
__device__ int above(float4 a, float middle) {
  return above(a.x, middle) + above(a.y, middle) + above(a.z, middle) + above(a.w, middle);
}

/// Rows go in float4 where all of them begin at multiples of 16 bytes, else in float.
template <class Piece>
__device__ int count_above(const Piece* part, int count, float middle) {
  int sum = 0;
  for (int i = threadIdx.x; i < count; i += kThreads * kAtOnce) {
    Piece pieces[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * kThreads < count) pieces[k] = part[i + k * kThreads];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * kThreads < count) sum += above(pieces[k], middle);
  }
  return sum;
}

/// All earlier passes over the row have been counted. Lane p fetches pass p; each warp narrows for itself.
template <class Piece>
__device__ void count_part(const Search& search, Item item) {
  const int lane = gpu::lane_index(), keep = search.keep[item.row];
  const int counted = lane < item.pass ? above_of(search.tally(item.row, lane)) : 0;
  Interval at;
  for (int pass = 0; pass < item.pass; ++pass) at.narrow(__shfl_sync(gpu::kAllLanes, counted, pass), keep);

  constexpr int kFloats = sizeof(Piece) / sizeof(float);
  const std::int64_t first = item.part * kPart;
  const auto* part = reinterpret_cast<const Piece*>(search.x + item.row * search.cols + first);
  const int count = static_cast<int>(min(kPart, search.cols - first)) / kFloats;
  const int mine = gpu::block_sum<kThreads>(count_above(part, count, at.middle()));
  if (threadIdx.x != 0) return;
  const Tally before = atomicAdd(&search.tallies[item.row * kPasses + item.pass],
                                 (Tally{1} << 32) + static_cast<unsigned>(mine));
  if (item.pass != kPasses - 1 || parts_of(before) != search.parts - 1) return;
  at.narrow(above_of(before) + mine, keep);  // this was the row's last part
  search.threshold[item.row] = at.high;
  search.kept[item.row] = at.kept;
}

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto words = static_cast<std::size_t>(setup.params["rows"] * kPasses + 1);
  return std::make_shared<gpu::Memory<Tally>>(gpu::memory_for<Tally>(words));
}

/// A piece is as many rows as 32 MB hold, and at most a quarter of all.
constexpr std::int64_t kPieceBytes = 32 << 20;

Search begin_search(const Call& call) {
  const auto rows = call.params()["rows"], cols = call.params()["cols"];
  Tally* tallies = call.plan<gpu::Memory<Tally>>().get();
  gpu::check(cudaMemsetAsync(tallies, 0, static_cast<std::size_t>(rows * kPasses + 1) * sizeof(Tally),
                             gpu::stream_of(call)),
             "clearing the tallies");
  const auto piece =
      std::clamp<std::int64_t>(rows / 4, 1, std::max<std::int64_t>(1, kPieceBytes / (4 * cols)));
  return {.x = call.input<float>(kX).data,
          .keep = call.input<std::int32_t>(kKeep).data,
          .threshold = call.output<float>(kThreshold).data,
          .kept = call.output<std::int32_t>(kKept).data,
          .tallies = tallies,
          .cols = cols,
          .rows = static_cast<int>(rows),
          .parts = static_cast<int>((cols + kPart - 1) / kPart),
          .piece = static_cast<int>(piece)};
}

// ---- Baseline: pass after pass over all rows -------------------------------------------------------
template <class Piece>
__global__ void __launch_bounds__(kThreads, 6) make_pass(Search search, int first_row, int pass) {
  const int block = static_cast<int>(blockIdx.x);
  count_part<Piece>(search, {first_row + block / search.parts, pass, block % search.parts});
}

void pass_over(const Search& search, int first_row, int rows, int pass, cudaStream_t stream) {
  const auto kernel = search.cols % 4 == 0 ? make_pass<float4> : make_pass<float>;
  kernel<<<static_cast<unsigned>(rows * search.parts), kThreads, 0, stream>>>(search, first_row, pass);
  gpu::check_launch("making a pass");
}

void whole(const Call& call) {
  const Search search = begin_search(call);
  for (int pass = 0; pass < kPasses; ++pass) pass_over(search, 0, search.rows, pass, gpu::stream_of(call));
}

// ---- The idea --------------------------------------------------------------------------------------
// A pass cannot begin before the one before it has ended: that is true of a row, and rows have nothing to do
// with each other. So take eight of them, 32 MB, make all ten passes over these, and then go on. Nine of the
// passes find their rows in the L2.
//
// What is won must not be lost between launches, of which there are now eighty. In one launch, blocks take
// tickets: piece after piece, in a piece pass after pass, and in a pass part after part. A block whose row is
// not yet counted in the pass before waits for it. That cannot lock up: who waits, waits for smaller tickets,
// and these were drawn by blocks that are running. And it is rare: while the last parts of a row are being
// counted, blocks are busy with the other seven rows.

// ---- Optimised 1: pass after pass over a piece -----------------------------------------------------
void pieces(const Call& call) {
  const Search search = begin_search(call);
  for (int first = 0; first < search.rows; first += search.piece) {
    for (int pass = 0; pass < kPasses; ++pass)
      pass_over(search, first, std::min(search.piece, search.rows - first), pass, gpu::stream_of(call));
  }
}

// ---- Optimised 2: the same order in one launch -----------------------------------------------------
__device__ Item item_of(const Search& search, int ticket) {
  const int of_piece = search.piece * kPasses * search.parts;
  const int first_row = ticket / of_piece * search.piece, rest = ticket % of_piece;
  const int of_pass = min(search.piece, search.rows - first_row) * search.parts;  // the last has fewer rows
  return {first_row + rest % of_pass / search.parts, rest / of_pass, rest % search.parts};
}

template <class Piece>
__global__ void __launch_bounds__(kThreads, 6) make_all_passes(Search search) {
  __shared__ int ticket;
  if (threadIdx.x == 0) ticket = static_cast<int>(atomicAdd(&search.tallies[search.rows * kPasses], 1));
  __syncthreads();
  const Item item = item_of(search, ticket);
  if (threadIdx.x == 0 && item.pass > 0) {
    while (parts_of(search.tally(item.row, item.pass - 1)) < search.parts) {
    }
  }
  __syncthreads();
  count_part<Piece>(search, item);
}

void one_launch(const Call& call) {
  const Search search = begin_search(call);
  const auto kernel = search.cols % 4 == 0 ? make_all_passes<float4> : make_all_passes<float>;
  const auto blocks = static_cast<unsigned>(search.rows * kPasses * search.parts);
  kernel<<<blocks, kThreads, 0, gpu::stream_of(call)>>>(search);
  gpu::check_launch("making all passes");
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: five pieces, the last one of a single row, and three parts a row, the last one not full.
const Registration registered{{
    .id = "ch02/l2_residency",
    .title = "L2 residency",
    .idea = "Make all passes over a piece that fits the L2 before going on to the next.",
    .bound = Bound::cache,
    .tags = {"cache", "selection"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {64}, .small = 9},
             {.name = "cols", .values = {1 << 20}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "whole", .run = whole, .note = "pass after pass over all rows", .prepare = prepare},
                 {.name = "pieces",
                  .run = pieces,
                  .note = "all passes over 32 MB before the next, a launch each",
                  .prepare = prepare},
                 {.name = "one_launch",
                  .run = one_launch,
                  .note = "the same order by tickets, in one launch",
                  .prepare = prepare}},
}};

}  // namespace
}  // namespace aisp::l2_residency

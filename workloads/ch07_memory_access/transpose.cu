// SPDX-License-Identifier: Apache-2.0
// Transpose on a GPU                                                    chapter 7, memory access
//
// The idea:          read and write whole lines, and turn the data in between, in shared memory.
// What bounds it:    every float is read once and written once: 8 n^2 bytes; nothing is computed. n = 8192
//                    is 537 MB: 124 µs at the 4.32 TB/s an H200 copies.
// What to look for:  sectors for each request. A warp of the baseline writes 32 floats into 32 lines: 32
//                    bytes of a sector travel for 4 of them. Then bank conflicts in shared memory, and how
//                    long the pieces are that a block reads and writes in one go.
// Where it stops:    at the speed of a copy: 0.97 of it at n = 8192.
#include "workloads/ch07_memory_access/transpose.h"

#include "aisp/core/ladder.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::transpose {
namespace {

constexpr int kLine = 32;  ///< floats in 128 bytes, and threads in a warp

// ---- The problem and the reference: transpose.h; the reference on the device -----------------------
__global__ void transpose_in_double(const float* x, double* y, std::int64_t n) {
  const std::int64_t k = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (k < n * n) y[k] = x[k % n * n + k / n];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = call.params["n"];
  transpose_in_double<<<gpu::blocks_for(n * n, 256), 256, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.outputs[kY].value, n);
  gpu::check_launch("transposing by reference");
}

// ---- Baseline: a thread an element, along the rows of x --------------------------------------------
__global__ void transpose_elements(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.y} * blockDim.y + threadIdx.y;
  const std::int64_t j = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n && j < n) y[j * n + i] = x[i * n + j];
}

void naive(const Call& call) {
  const auto n = call.params()["n"];
  const dim3 block(kLine, 8), grid(gpu::blocks_for(n, kLine), gpu::blocks_for(n, 8));
  transpose_elements<<<grid, block, 0, gpu::stream_of(call)>>>(call.input<float>(kX).data,
                                                               call.output<float>(kY).data, n);
  gpu::check_launch("transposing element by element");
}

// ---- The idea --------------------------------------------------------------------------------------
// A block takes a square tile: its warps read rows of x and leave them in shared memory, and read columns
// there to write rows of y. Global memory sees whole lines both ways. Shared memory has 32 banks of one word:
// a column of a tile 32 words wide lies in a single bank, so each row is padded by a word.
//
// What is left is the width of the accesses (ch02/copy_width). With 16 bytes a thread, four rows of four
// floats make a square in a thread's own registers: turning it costs no instruction, only other names. The
// squares change places in shared memory, 16 bytes at a time, and instead of padding, which would break their
// alignment, square b of a row goes to place a ^ b: eight neighbours, read or written, then touch all banks
// once.
//
// And the order of the blocks counts: those that run at the same time should write next to each other.
// Walking down the columns of x instead of along its rows is worth 2 % at n = 8192 on an H200.

// ---- Optimised 1: tiles through shared memory ------------------------------------------------------
constexpr int kRowsAtOnce = 8;

__global__ void transpose_tiles(const float* x, float* y, std::int64_t n) {
  __shared__ float tile[kLine][kLine + 1];
  const std::int64_t i0 = std::int64_t{blockIdx.y} * kLine, j0 = std::int64_t{blockIdx.x} * kLine;
  const unsigned lane = threadIdx.x;
  for (unsigned r = threadIdx.y; r < kLine; r += kRowsAtOnce) {
    if (i0 + r < n && j0 + lane < n) tile[r][lane] = x[(i0 + r) * n + j0 + lane];
  }
  __syncthreads();
  for (unsigned r = threadIdx.y; r < kLine; r += kRowsAtOnce) {
    if (j0 + r < n && i0 + lane < n) y[(j0 + r) * n + i0 + lane] = tile[lane][r];
  }
}

void tiles(const Call& call) {
  const auto n = call.params()["n"];
  const dim3 block(kLine, kRowsAtOnce), grid(gpu::blocks_for(n, kLine), gpu::blocks_for(n, kLine));
  transpose_tiles<<<grid, block, 0, gpu::stream_of(call)>>>(call.input<float>(kX).data,
                                                            call.output<float>(kY).data, n);
  gpu::check_launch("transposing tiles");
}

// ---- Optimised 2: squares of four by four, turned in registers -------------------------------------
/// A tile of kRows rows and kCols columns of x, a square a thread.
template <int kRows, int kCols>
struct Tile {
  static constexpr int kAcross = kCols / 4, kDown = kRows / 4;  ///< squares
  static constexpr int kThreads = kAcross * kDown;
  static_assert(kAcross >= 8 && kDown >= 8, "eight neighbours find eight places");
};

template <class T>
__global__ void __launch_bounds__(T::kThreads)
    transpose_squares(const float4* x, float4* y, std::int64_t quarter) {
  __shared__ float4 tile[4 * T::kAcross][T::kDown];  // rows of y
  const std::int64_t n = 4 * quarter;
  // Blocks that start one after the other write one after the other.
  const std::int64_t square_row = std::int64_t{blockIdx.x} * T::kDown;
  const std::int64_t square_col = std::int64_t{blockIdx.y} * T::kAcross;

  const int b = static_cast<int>(threadIdx.x) % T::kAcross, a = static_cast<int>(threadIdx.x) / T::kAcross;
  if (square_row + a < quarter && square_col + b < quarter) {
    float4 row[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) row[k] = x[((square_row + a) * 4 + k) * quarter + square_col + b];
    float4* place = &tile[4 * b][a ^ b % 8];
    place[0 * T::kDown] = {row[0].x, row[1].x, row[2].x, row[3].x};
    place[1 * T::kDown] = {row[0].y, row[1].y, row[2].y, row[3].y};
    place[2 * T::kDown] = {row[0].z, row[1].z, row[2].z, row[3].z};
    place[3 * T::kDown] = {row[0].w, row[1].w, row[2].w, row[3].w};
  }
  __syncthreads();
  const int c = static_cast<int>(threadIdx.x) % T::kDown;
  if (square_row + c >= quarter) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int q = static_cast<int>(threadIdx.x) / T::kDown + k * T::kAcross;
    if (square_col * 4 + q < n) y[(square_col * 4 + q) * quarter + square_row + c] = tile[q][c ^ q / 4 % 8];
  }
}

using BestTile = Tile<64, 128>;

void squares(const Call& call) {
  const auto n = call.params()["n"];
  if (n % 4 != 0) return tiles(call);  // rows do not begin at multiples of 16 bytes
  const dim3 grid(gpu::blocks_for(n / 4, BestTile::kDown), gpu::blocks_for(n / 4, BestTile::kAcross));
  transpose_squares<BestTile><<<grid, BestTile::kThreads, 0, gpu::stream_of(call)>>>(
      reinterpret_cast<const float4*>(call.input<float>(kX).data),
      reinterpret_cast<float4*>(call.output<float>(kY).data), n / 4);
  gpu::check_launch("transposing squares");
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch07/transpose",
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {8192, 10000, 16384}, .quick = {8192}, .small = 205}},
    .reference = reference_on_device,
    .variants = {{.name = "naive", .run = naive, .note = "a thread an element; every store in another line"},
                 {.name = "tiles", .run = tiles, .note = "32 x 32 through shared memory, padded"},
                 {.name = "squares",
                  .run = squares,
                  .note = "16-byte accesses, 4 x 4 turned in registers (n a multiple of 4, else tiles)"}},
}};

}  // namespace
}  // namespace aisp::transpose

// SPDX-License-Identifier: Apache-2.0
// Matrix product through tiles                                          chapter 7, memory access
//
// The idea:          fetch a tile once for many threads, and keep what a thread uses most in its registers.
// What bounds it:    2 n^3 flops on 12 n^2 bytes. n = 4096 is 137 GFlop: 2.2 ms at the 62 TFLOP/s an H200 has
//                    in single precision; its 201 MB take 43 µs. Whoever is slower waits for operands.
// What to look for:  loads for each multiply-add, and where they go: two from the caches, two from shared
//                    memory, or a quarter of one.
// Where it stops:    at the multiply-adds of single precision. Tensor cores do far more of them, with inputs
//                    rounded to fewer bits: another problem.
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "aisp/core/freivalds.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::shared_tile_matmul {
namespace {

enum { kA, kB };
enum { kC };

// ---- The problem: C = A B, square, row-major -------------------------------------------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto size = static_cast<double>(n);
  // wide_range: a few large terms among many small ones; an answer that drops the small ones is wrong.
  return {.tensors = {input<float>("a", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<float>("b", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      output<float>("c", {n, n}, reduction(DType::f32, DType::f32, size))},
          .work = {.bytes = 12 * size * size, .flops = 2 * size * size * size}};
}

// ---- Reference: in double, and the magnitude of what was added -------------------------------------
void reference(const ReferenceCall& call) {
  const auto a = call.input<float>(kA), b = call.input<float>(kB);
  const auto n = call.params["n"];
  std::vector<double>&value = call.outputs[kC].value, &scale = call.outputs[kC].scale;
  scale.resize(value.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t k = 0; k < n; ++k) {
      for (std::int64_t j = 0; j < n; ++j) {
        const double term = double{a[i * n + k]} * b[k * n + j];
        value[static_cast<std::size_t>(i * n + j)] += term;
        scale[static_cast<std::size_t>(i * n + j)] += std::fabs(term);
      }
    }
  }
}

// On the host the n^3 reference is too slow from here on; 32 random projections miss a wrong element with
// probability 2^-32.
bool reference_is_slow(const Params& p) { return p["n"] >= 384; }

std::unique_ptr<AnswerChecker> check(const CheckSetup& setup) {
  const auto n = setup.params["n"];
  return make_freivalds_checker({.m = n, .n = n, .k = n, .a = kA, .b = kB, .c = kC}, setup);
}

constexpr int kSide = 32;  ///< of a tile, and of a block: a warp has a row of it
constexpr int kSquare = kSide * kSide;

__global__ void __launch_bounds__(kSquare)
    multiply_in_double(const float* a, const float* b, double* value, double* scale, int n) {
  __shared__ double of_a[kSide][kSide], of_b[kSide][kSide];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int i = static_cast<int>(blockIdx.y) * kSide + y, j = static_cast<int>(blockIdx.x) * kSide + x;
  double sum = 0, magnitude = 0;
  for (int first = 0; first < n; first += kSide) {
    of_a[y][x] = i < n && first + x < n ? a[std::int64_t{i} * n + first + x] : 0;
    of_b[y][x] = first + y < n && j < n ? b[std::int64_t{first + y} * n + j] : 0;
    __syncthreads();
    for (int k = 0; k < kSide; ++k) {
      const double term = of_a[y][k] * of_b[k][x];
      sum += term;
      magnitude += fabs(term);
    }
    __syncthreads();
  }
  if (i >= n || j >= n) return;
  value[std::int64_t{i} * n + j] = sum;
  scale[std::int64_t{i} * n + j] = magnitude;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = call.params["n"];
  const dim3 grid(gpu::blocks_for(n, kSide), gpu::blocks_for(n, kSide)), block(kSide, kSide);
  multiply_in_double<<<grid, block, 0, gpu::stream_of(call)>>>(
      call.input<float>(kA).data, call.input<float>(kB).data, call.outputs[kC].value, call.outputs[kC].scale,
      static_cast<int>(n));
  gpu::check_launch("multiplying by reference");
}

// ---- Baseline: a thread an element of C, operands from global memory -------------------------------
// Neighbouring threads have neighbouring columns: B is read in whole lines, an element of A by a whole warp.
__global__ void __launch_bounds__(kSquare)
    multiply_elements(const float* a, const float* b, float* c, int n) {
  const int i = static_cast<int>(blockIdx.y * kSide + threadIdx.y);
  const int j = static_cast<int>(blockIdx.x * kSide + threadIdx.x);
  if (i >= n || j >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[std::int64_t{i} * n + k] * b[std::int64_t{k} * n + j];
  c[std::int64_t{i} * n + j] = sum;
}

// ---- The idea --------------------------------------------------------------------------------------
// A multiply-add needs two operands. The baseline asks the caches for both, and they deliver far fewer than
// the multipliers take. But an element of A serves a row of C and an element of B a column: the 1024 threads
// of a block can share 32 x 32 of each, fetched once into shared memory, for 32 multiply-adds apiece.
//
// Shared memory then is what is short: still two loads for each multiply-add. A thread that has 8 x 8
// elements of C in registers uses 8 values of A and 8 of B for 64 multiply-adds: four loads of 16 bytes. The
// block grows to 128 x 128; so each operand fetched from global memory is used 128 times.
//
// And nobody should wait for that fetch: there are two tiles, and while one is being used the next is on its
// way, in registers, to be put into the other. One barrier a tile.

// ---- Optimised 1: tiles in shared memory -----------------------------------------------------------
__global__ void __launch_bounds__(kSquare) multiply_shared(const float* a, const float* b, float* c, int n) {
  __shared__ float of_a[kSide][kSide], of_b[kSide][kSide];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y);
  const int i = static_cast<int>(blockIdx.y) * kSide + y, j = static_cast<int>(blockIdx.x) * kSide + x;
  float sum = 0;
  for (int first = 0; first < n; first += kSide) {
    of_a[y][x] = i < n && first + x < n ? a[std::int64_t{i} * n + first + x] : 0;
    of_b[y][x] = first + y < n && j < n ? b[std::int64_t{first + y} * n + j] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSide; ++k) sum += of_a[y][k] * of_b[k][x];
    __syncthreads();  // all have used the tile
  }
  if (i < n && j < n) c[std::int64_t{i} * n + j] = sum;
}

template <void (*kernel)(const float*, const float*, float*, int)>
void thread_an_element(const Call& call) {
  const auto n = call.params()["n"];
  const dim3 grid(gpu::blocks_for(n, kSide), gpu::blocks_for(n, kSide)), block(kSide, kSide);
  kernel<<<grid, block, 0, gpu::stream_of(call)>>>(call.input<float>(kA).data, call.input<float>(kB).data,
                                                   call.output<float>(kC).data, static_cast<int>(n));
  gpu::check_launch("multiplying, a thread an element");
}

// ---- Optimised 2: 8 x 8 elements a thread ----------------------------------------------------------
constexpr int kTile = 128, kDepth = 8;  ///< of C, square; of A and B along k
constexpr int kThreads = 256;           ///< 16 x 16, and a float4 of each tile to fetch
/// Of a row in shared memory: 16 bytes more, so that the two halves of a warp store A into different banks.
constexpr int kPitch = kTile + 4;

/// Two tiles; A is turned, so that a thread finds its rows side by side.
struct Tiles {
  float a[kDepth][kPitch], b[kDepth][kPitch];
};

/// What a thread fetches of the next tiles, and where it puts them. n is a multiple of four.
struct Fetch {
  const float *a, *b;
  int n, row, col;  ///< of the block's tile of C
  float4 of_a, of_b;

  /// Four values of a row of A; 16 bytes of a row of B.
  __device__ static int a_row() { return static_cast<int>(threadIdx.x) / 2; }
  __device__ static int a_col() { return static_cast<int>(threadIdx.x) % 2 * 4; }
  __device__ static int b_row() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ static int b_col() { return static_cast<int>(threadIdx.x) % 32 * 4; }

  __device__ void load(int first) {
    const int i = row + a_row(), p = first + a_col(), q = first + b_row(), j = col + b_col();
    of_a = of_b = {0, 0, 0, 0};
    if (i < n && p < n) of_a = *reinterpret_cast<const float4*>(a + std::int64_t{i} * n + p);
    if (q < n && j < n) of_b = *reinterpret_cast<const float4*>(b + std::int64_t{q} * n + j);
  }
  __device__ void store(Tiles& tiles) const {
    tiles.a[a_col() + 0][a_row()] = of_a.x;
    tiles.a[a_col() + 1][a_row()] = of_a.y;
    tiles.a[a_col() + 2][a_row()] = of_a.z;
    tiles.a[a_col() + 3][a_row()] = of_a.w;
    *reinterpret_cast<float4*>(&tiles.b[b_row()][b_col()]) = of_b;
  }
};

/// Eight values: four at `at` and four half a tile further. Neighbouring threads so read neighbouring 16
/// bytes.
__device__ void take(const float* row, int at, float (&values)[8]) {
  const float4 low = *reinterpret_cast<const float4*>(row + at);
  const float4 high = *reinterpret_cast<const float4*>(row + kTile / 2 + at);
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}

__global__ void __launch_bounds__(kThreads, 2)
    multiply_registers(const float* a, const float* b, float* c, int n) {
  __shared__ alignas(16) Tiles tiles[2];
  const int row = static_cast<int>(blockIdx.y) * kTile, col = static_cast<int>(blockIdx.x) * kTile;
  const int y = static_cast<int>(threadIdx.x) / 16 * 4, x = static_cast<int>(threadIdx.x) % 16 * 4;
  Fetch fetch{a, b, n, row, col, {}, {}};
  float sums[8][8] = {};

  fetch.load(0);
  fetch.store(tiles[0]);
  __syncthreads();
  int used = 0;
  for (int first = 0; first < n; first += kDepth, used ^= 1) {
    const bool more = first + kDepth < n;
    if (more) fetch.load(first + kDepth);
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      float of_a[8], of_b[8];
      take(tiles[used].a[k], y, of_a);
      take(tiles[used].b[k], x, of_b);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += of_a[i] * of_b[j];
      }
    }
    if (more) fetch.store(tiles[used ^ 1]);  // whose last users have passed the barrier before this one
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int at_row = row + y + i % 4 + i / 4 * (kTile / 2);
    if (at_row >= n) continue;
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int at_col = col + x + j / 4 * (kTile / 2);
      if (at_col < n)
        *reinterpret_cast<float4*>(c + std::int64_t{at_row} * n + at_col) = {sums[i][j], sums[i][j + 1],
                                                                             sums[i][j + 2], sums[i][j + 3]};
    }
  }
}

void registers(const Call& call) {
  const auto n = call.params()["n"];
  if (n % 4 != 0) return thread_an_element<multiply_shared>(call);  // rows not at multiples of 16 bytes
  const dim3 grid(gpu::blocks_for(n, kTile), gpu::blocks_for(n, kTile));
  multiply_registers<<<grid, kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kA).data, call.input<float>(kB).data, call.output<float>(kC).data,
      static_cast<int>(n));
  gpu::check_launch("multiplying, 8 x 8 elements a thread");
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: a multiple of four, as 16-byte accesses need, and of no tile.
const Registration registered{{
    .id = "ch07/shared_tile_matmul",
    .title = "Matrix product through tiles",
    .idea = "Fetch a tile once for many threads, and keep what a thread uses most in its registers.",
    .bound = Bound::compute,
    .tags = {"gemm", "tiling", "shared memory"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {2048, 4096}, .quick = {2048}, .small = 204}},
    .problem = problem,
    .reference = reference,
    .check = check,
    .reference_is_slow = reference_is_slow,
    .device_reference = reference_on_device,
    .variants = {{.name = "global",
                  .run = CallFunction(thread_an_element<multiply_elements>),
                  .note = "a thread an element, operands from the caches"},
                 {.name = "shared",
                  .run = CallFunction(thread_an_element<multiply_shared>),
                  .note = "32 x 32 tiles in shared memory"},
                 {.name = "registers",
                  .run = registers,
                  .note = "8 x 8 elements a thread, two tiles in turn (n a multiple of 4, else shared)"}},
}};

}  // namespace
}  // namespace aisp::shared_tile_matmul

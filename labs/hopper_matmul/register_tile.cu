// SPDX-License-Identifier: Apache-2.0
// Rung 3: 8 x 8 elements of D in the registers of a thread.
//
// Eight values of A and eight of B then serve 64 multiply-adds, four loads of 16 bytes. The block grows to
// 128 x 128, so what it fetches from global memory is used 128 times. This is where plain arithmetic ends: an
// H200 does some 62 TFLOP/s of it. What to look for: the multiply-adds issue nearly every clock.
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {
namespace {

constexpr int kTile = 128, kDepth = 16;
constexpr int kThreads = 256;  ///< 16 x 16 for D; a piece of 8 values of A, and of B, to fetch

/// Turned, so that a thread finds its rows side by side.
struct Tiles {
  float a[kDepth][kTile], b[kDepth][kTile];
};

/// A warp fetches the same piece of 32 rows, so that its stores into a turned tile lie side by side.
struct Fetch {
  const Bf16* row;  ///< null beyond the matrix
  int k;
  uint4 values;

  __device__ static int tile_row() { return static_cast<int>(threadIdx.x) % kTile; }
  __device__ static int tile_k() { return static_cast<int>(threadIdx.x) / kTile * 8; }
  __device__ Fetch(const Bf16* matrix, int rows, int k_, int first_row)
      : row(first_row + tile_row() < rows ? matrix + std::int64_t{first_row + tile_row()} * k_ : nullptr),
        k(k_) {}

  __device__ void load(int first) {
    values = {0, 0, 0, 0};
    if (row != nullptr && first + tile_k() < k)
      values = *reinterpret_cast<const uint4*>(row + first + tile_k());
  }
  __device__ void store(float (&tile)[kDepth][kTile]) const {
    const auto* each = reinterpret_cast<const Bf16*>(&values);
#pragma unroll
    for (int i = 0; i < 8; ++i) tile[tile_k() + i][tile_row()] = __bfloat162float(each[i]);
  }
};

/// Four values at `at` and four half a tile further: neighbouring threads so read neighbouring 16 bytes.
__device__ void take(const float (&row)[kTile], int at, float (&values)[8]) {
  const float4 low = *reinterpret_cast<const float4*>(&row[at]);
  const float4 high = *reinterpret_cast<const float4*>(&row[kTile / 2 + at]);
  values[0] = low.x, values[1] = low.y, values[2] = low.z, values[3] = low.w;
  values[4] = high.x, values[5] = high.y, values[6] = high.z, values[7] = high.w;
}

__global__ void __launch_bounds__(kThreads, 2) multiply_registers(Product p) {
  __shared__ alignas(16) Tiles tiles[2];
  const int row = static_cast<int>(blockIdx.y) * kTile, column = static_cast<int>(blockIdx.x) * kTile;
  const int y = static_cast<int>(threadIdx.x) / 16 * 4, x = static_cast<int>(threadIdx.x) % 16 * 4;
  Fetch a(p.a, p.m, p.k, row), b(p.b, p.n, p.k, column);
  float sums[8][8] = {};

  a.load(0), b.load(0);
  a.store(tiles[0].a), b.store(tiles[0].b);
  __syncthreads();
  int used = 0;
  for (int first = 0; first < p.k; first += kDepth, used ^= 1) {
    const bool more = first + kDepth < p.k;
    if (more) a.load(first + kDepth), b.load(first + kDepth);
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
    if (more)
      a.store(tiles[used ^ 1].a), b.store(tiles[used ^ 1].b);  // all have left them before the last barrier
    __syncthreads();
  }

#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int at_row = row + y + i % 4 + i / 4 * (kTile / 2);
#pragma unroll
    for (int j = 0; j < 8; j += 4) {
      const int at_column = column + x + j / 4 * (kTile / 2);
      if (at_row >= p.m || at_column >= p.n) continue;
      auto* to = reinterpret_cast<__nv_bfloat162*>(p.d + std::int64_t{at_row} * p.n + at_column);
      to[0] = __floats2bfloat162_rn(sums[i][j], sums[i][j + 1]);
      to[1] = __floats2bfloat162_rn(sums[i][j + 2], sums[i][j + 3]);
    }
  }
}

}  // namespace

void register_tile(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  const dim3 grid(gpu::blocks_for(product.n, kTile), gpu::blocks_for(product.m, kTile));
  multiply_registers<<<grid, kThreads, 0, stream>>>(product);
  gpu::check_launch("multiplying, 8 x 8 elements a thread");
}

}  // namespace aisp::hopper_matmul

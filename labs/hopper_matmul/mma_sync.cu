// SPDX-License-Identifier: Apache-2.0
// Rung 4: tensor cores, by the instruction of one warp (mma.sync), fed by cp.async.
//
// A warp multiplies 16 x 16 by 16 x 8 at once, from registers that ldmatrix fills from shared memory. Eight
// warps have 64 x 32 of the block's 128 x 128 each. Three stages: two on their way while one is used. The
// tiles are swizzled by hand, as the copy engine will do it for later rungs, so that ldmatrix meets no bank
// twice. What to look for: HMMA in the code; on Hopper this path has well below the tensor cores' full rate.
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/layout.h"
#include "workloads/hopper/mbarrier.cuh"

namespace aisp::hopper_matmul {
namespace {

constexpr int kTile = 128, kDepth = hopper::kRowValues, kStages = 3, kThreads = 256;
constexpr int kWarpRows = 64, kWarpColumns = 32;
constexpr std::uint32_t kTileBytes = kTile * hopper::kRowBytes, kStageBytes = 2 * kTileBytes;

/// 16 bytes to shared memory behind the thread's back; zeros where `inside` is false.
__device__ void copy_piece(std::uint32_t to, const Bf16* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
               :
               : "r"(to), "l"(from), "r"(inside ? 16 : 0)
               : "memory");
}

/// 128 rows of 64 values of k, a piece at a time.
__device__ void copy_tile(std::uint32_t to, const Bf16* matrix, int rows, int k, int first_row, int first_k) {
#pragma unroll
  for (int i = 0; i < kTile * 8 / kThreads; ++i) {
    const int at = static_cast<int>(threadIdx.x) + i * kThreads, row = at / 8, piece = at % 8;
    const bool inside = first_row + row < rows && first_k + piece * 8 < k;
    const Bf16* from = inside ? matrix + std::int64_t{first_row + row} * k + first_k + piece * 8 : matrix;
    copy_piece(to + hopper::swizzled(row, piece * 16), from, inside);
  }
}

/// Four 8 x 8 matrices: 16 rows from `row`, two pieces from `piece`.
__device__ void load_matrices(std::uint32_t (&m)[4], std::uint32_t tile, int row, int piece) {
  const std::uint32_t address = tile + hopper::swizzled(row, piece * 16);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(address)
               : "memory");
}

__device__ void multiply_16x8(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                              std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__global__ void __launch_bounds__(kThreads, 2) multiply_warps(Product p) {
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  const std::uint32_t base = hopper::shared_address(shared_bytes);
  const int row = static_cast<int>(blockIdx.y) * kTile, column = static_cast<int>(blockIdx.x) * kTile;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int warp_row = warp / 4 * kWarpRows, warp_column = warp % 4 * kWarpColumns;
  const int steps = (p.k + kDepth - 1) / kDepth;
  // Every step is one group of copies, empty ones beyond the end too: their number tells which have arrived.
  const auto fetch = [&](int step) {
    if (step < steps) {
      const std::uint32_t stage = base + step % kStages * kStageBytes;
      copy_tile(stage, p.a, p.m, p.k, row, step * kDepth);
      copy_tile(stage + kTileBytes, p.b, p.n, p.k, column, step * kDepth);
    }
    asm volatile("cp.async.commit_group;" : : : "memory");
  };

  float sums[4][4][4] = {};  // 4 times 16 rows, 4 times 8 columns
  for (int step = 0; step < kStages - 1; ++step) fetch(step);
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" : : "n"(kStages - 2) : "memory");
    __syncthreads();  // everybody's copies are there, and all have left the stage that is filled next
    fetch(step + kStages - 1);
    const std::uint32_t of_a = base + step % kStages * kStageBytes, of_b = of_a + kTileBytes;
#pragma unroll
    for (int slice = 0; slice < kDepth / hopper::kSlice; ++slice) {
      std::uint32_t a[4][4], b[2][4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        load_matrices(a[i], of_a, warp_row + i * 16 + lane % 16, slice * 2 + lane / 16);
      // Of B a matrix is eight columns of D: two neighbours along k belong to one product.
#pragma unroll
      for (int j = 0; j < 2; ++j)
        load_matrices(b[j], of_b, warp_column + j * 16 + lane % 8 + lane / 16 * 8, slice * 2 + lane / 8 % 2);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          multiply_16x8(sums[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
      }
    }
  }

#pragma unroll
  for (int i = 0; i < 4; ++i) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const int at_column = column + warp_column + j * 8 + lane % 4 * 2;
      if (at_column >= p.n) continue;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int at_row = row + warp_row + i * 16 + lane / 4 + half * 8;
        if (at_row < p.m)
          *reinterpret_cast<__nv_bfloat162*>(p.d + std::int64_t{at_row} * p.n + at_column) =
              __floats2bfloat162_rn(sums[i][j][half * 2], sums[i][j][half * 2 + 1]);
      }
    }
  }
}

}  // namespace

void mma_sync(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return shared_tile(product, stream);
  constexpr unsigned kBytes = kStages * kStageBytes;
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply_warps, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing three stages of shared memory");
  const dim3 grid(gpu::blocks_for(product.n, kTile), gpu::blocks_for(product.m, kTile));
  multiply_warps<<<grid, kThreads, kBytes, stream>>>(product);
  gpu::check_launch("multiplying by mma.sync");
}

}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
// Rung 7: one warp fetches, eight multiply.
//
// Rung 6 has all threads meet after every step, and the tensor cores wait for that. Here nobody meets:
// whoever fetches waits for room, whoever multiplies waits for tiles, and a step is always queued behind the
// one that runs. The fetching warpgroup needs few registers; it gives them back, and the others take them
// (setmaxnreg). What to look for: tensor cores busy between steps; still idle while a block starts and while
// it stores.
#include "labs/hopper_matmul/ring.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"

namespace aisp::hopper_matmul {
namespace {

using Tiles = Shape<256, 4>;

__global__ void __launch_bounds__(kThreads, 1)
    multiply_specialised(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                         Product p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& ring = *reinterpret_cast<Ring<Tiles>*>(shared_bytes);
  const int row = static_cast<int>(blockIdx.y) * kTileRows,
            column = static_cast<int>(blockIdx.x) * Tiles::kColumns;
  const int steps = (p.k + Tiles::kDepth - 1) / Tiles::kDepth;
  if (threadIdx.x == 0) ring.init();
  __syncthreads();

  Position<Tiles> at;
  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<kFetchRegisters>();
    if (threadIdx.x == 0) fetch_tile(ring, a, b, row, column, steps, at);
  } else {
    hopper::take_registers<kMultiplyRegisters>();
    float sums[Tiles::kSums] = {};
    hopper::settle(sums);
    multiply_tile(ring, group, steps, at, sums);
    store_sums(p, row + group * kGroupRows, column, sums);
  }
#endif
}

}  // namespace

void specialised(const Product& p, cudaStream_t stream) {
  if (!p.aligned()) return shared_tile(p, stream);
  constexpr unsigned kBytes = sizeof(Ring<Tiles>);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply_specialised, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing the ring of tiles its shared memory");
  const dim3 grid(gpu::blocks_for(p.n, Tiles::kColumns), gpu::blocks_for(p.m, kTileRows));
  multiply_specialised<<<grid, kThreads, kBytes, stream>>>(
      hopper::matrix_map(p.a, p.m, p.k, kTileRows), hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns), p);
  gpu::check_launch("multiplying by specialised warps");
}

}  // namespace aisp::hopper_matmul

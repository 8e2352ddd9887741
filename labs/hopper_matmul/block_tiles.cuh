// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of rungs 5 and 6: wgmma on tiles that the copy engine brings, all threads in step.
///
/// One thread asks for tiles, several steps ahead; a barrier in shared memory counts their bytes. Both
/// warpgroups multiply, wait for the products, and meet; then the stage they have used is filled again.
#pragma once

#include "labs/hopper_matmul/tiles.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/tile_copy.cuh"

namespace aisp::hopper_matmul {

template <class Tiles>
struct BlockMemory {
  Stages<Tiles> stages;
  hopper::Barrier full[Tiles::kStages];
};

template <class Tiles>
__global__ void __launch_bounds__(kGroups* hopper::kGroupThreads, 1)
    multiply_block_tiles(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                         typename Tiles::Problem p) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<BlockMemory<Tiles>*>(shared_bytes);
  const int row = static_cast<int>(blockIdx.y) * kTileRows,
            column = static_cast<int>(blockIdx.x) * Tiles::kColumns;
  const int steps = (p.k + Tiles::kDepth - 1) / Tiles::kDepth;
  const bool first_thread = threadIdx.x == 0;
  const auto fetch = [&](int step) {
    const int stage = step % Tiles::kStages;
    memory.full[stage].arrive_expecting(Tiles::kStepBytes);
    hopper::load_tile(memory.stages.a[stage], a, row, step * Tiles::kDepth, memory.full[stage]);
    hopper::load_tile(memory.stages.b[stage], b, column, step * Tiles::kDepth, memory.full[stage]);
  };

  if (first_thread) {
    for (hopper::Barrier& full : memory.full) full.init(1);
    hopper::fence_barriers();
  }
  __syncthreads();
  for (int step = 0; first_thread && step < Tiles::kStages && step < steps; ++step) fetch(step);

  const int group = hopper::group_index();
  float sums[Tiles::kSums] = {};
  hopper::settle(sums);
  for (int step = 0; step < steps; ++step) {
    const int stage = step % Tiles::kStages;
    memory.full[stage].wait(step / Tiles::kStages & 1);
    multiply_step<Tiles>(memory.stages, stage, group, step > 0, sums);
    hopper::wait_for_products<0>(sums);
    __syncthreads();  // all have left the stage
    if (first_thread && step + Tiles::kStages < steps) fetch(step + Tiles::kStages);
  }
  store_sums(p, row + group * kGroupRows, column, sums);
#endif
}

template <class Tiles>
void launch_block_tiles(const typename Tiles::Problem& p, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(BlockMemory<Tiles>);
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply_block_tiles<Tiles>, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing the ring of tiles its shared memory");
  const dim3 grid(gpu::blocks_for(p.n, Tiles::kColumns), gpu::blocks_for(p.m, kTileRows));
  multiply_block_tiles<Tiles><<<grid, kGroups * hopper::kGroupThreads, kBytes, stream>>>(
      hopper::matrix_map(p.a, p.m, p.k, kTileRows), hopper::matrix_map(p.b, p.n, p.k, Tiles::kColumns), p);
  gpu::check_launch("multiplying by wgmma");
}

}  // namespace aisp::hopper_matmul

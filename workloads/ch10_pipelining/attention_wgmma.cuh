// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two rungs with wgmma: one warp fetches, two or three warpgroups have 64 queries each.
///
/// In order, a group waits for its scores, softens them, multiplies them by the values and waits again: the
/// tensor cores have work of it half of the time. Overlapped, two things keep them busy. A group queues the
/// scores of the next tile and the values of this one together, and softens while the second of these runs.
/// And groups take turns queueing, by barriers, so that one softens while the other multiplies; without these
/// they drift into doing the same thing at the same time.
#pragma once

#include <algorithm>
#include <utility>

#include "workloads/ch10_pipelining/attention_online.cuh"
#include "workloads/ch10_pipelining/attention_ring.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/tensor_map.cuh"
#include "workloads/hopper/wgmma.cuh"
#include "workloads/hopper/wgmma_held.cuh"

namespace aisp::attention {

/// What one warpgroup holds.
template <class S>
struct Group {
  Memory<S>& memory;
  const Task& task;
  int index;  ///< of the group
  Position<S> keys, values;
  float out[S::kDim / 2], scores[S::kKeys / 2];
  std::uint32_t weights[S::kKeys / 4];
  RowState state;

  __device__ __forceinline__ void queue_scores() {
    const std::uint32_t q = hopper::shared_address(memory.q) + index * 64 * hopper::kRowBytes;
    const std::uint32_t k = hopper::shared_address(memory.k[keys.stage]);
    memory.k_full[keys.stage].wait(keys.phase);
    hopper::begin_products();
#pragma unroll
    for (int slice = 0; slice < S::kDim / hopper::kSlice; ++slice) {
      const int chunk = slice / 4, step = slice % 4;
      const std::uint64_t a = hopper::tile_descriptor(q + chunk * S::kRows * hopper::kRowBytes);
      const std::uint64_t b = hopper::tile_descriptor(k + chunk * S::kKeys * hopper::kRowBytes);
      hopper::multiply<S::kKeys>(scores, a + step * hopper::kSliceStep, b + step * hopper::kSliceStep,
                                 slice > 0);
    }
    hopper::end_products();
  }
  __device__ __forceinline__ void queue_values(bool add) {
    const std::uint64_t b = hopper::turned_descriptor(hopper::shared_address(memory.v[values.stage]),
                                                      S::kKeys * hopper::kRowBytes);
    memory.v_full[values.stage].wait(values.phase);
    hopper::begin_products();
#pragma unroll
    for (int slice = 0; slice < S::kKeys / hopper::kSlice; ++slice)
      hopper::multiply_held<S::kDim>(out, &weights[4 * slice], b + slice * hopper::kTurnedSliceStep,
                                     add || slice > 0);
    hopper::end_products();
  }
  __device__ __forceinline__ void leave(hopper::Barrier& barrier) {
    if (threadIdx.x % 32 == 0) barrier.arrive();
  }
  __device__ __forceinline__ void leave_keys() {
    leave(memory.k_empty[keys.stage]);
    keys.advance();
  }
  __device__ __forceinline__ void leave_values() {
    leave(memory.v_empty[values.stage]);
    values.advance();
  }
  /// Of the tile of keys `step`; all but the last one or two are seen by every query.
  __device__ __forceinline__ void hide_unseen(int block, int step) {
    const int thread = static_cast<int>(threadIdx.x) % hopper::kGroupThreads;
    const int first = block * S::kRows + index * 64, row = first + thread / 32 * 16 + thread % 32 / 4;
    const int key = step * S::kKeys;
    const bool past = key + S::kKeys > task.seq;
    if (!past && !(task.causal && key + S::kKeys > first)) return;
    if (task.causal) {
      hide(scores, min(row + 1, task.seq) - key, row + 8 < task.seq ? 8 : 0);
    } else {
      hide(scores, task.seq - key, 0);
    }
  }
  __device__ __forceinline__ void take_turn() { hopper::group_barrier(1 + index, 256); }
  __device__ __forceinline__ void give_turn() {
    hopper::arrive_at_group_barrier(1 + (index + 1) % S::kGroups, 256);
  }

  /// One tile of queries, everything in its order.
  __device__ __forceinline__ void attend_in_order(int block) {
    for (int step = task.steps<S>(block), first = step - 1; --step >= 0;) {
      float keep[2];
      queue_scores();
      hopper::wait_for_products<0>(scores);
      leave_keys();
      if (step == 0) leave(memory.q_empty);
      hide_unseen(block, step);
      soften(scores, state, keep, task.scale);
      if (step < first) scale_rows(out, keep);
      round_weights(scores, weights);
      queue_values(step < first);
      hopper::wait_for_products<0>(out);
      leave_values();
    }
  }

  template <bool kTurns>
  __device__ __forceinline__ void attend_overlapped(int block) {
    int step = task.steps<S>(block) - 1;
    float keep[2];
    queue_scores();
    hopper::wait_for_products<0>(scores);
    leave_keys();
    hide_unseen(block, step);
    soften(scores, state, keep, task.scale);
    round_weights(scores, weights);
    const auto next = [&](bool add, bool masked) {
      if constexpr (kTurns) take_turn();
      queue_scores();
      queue_values(add);
      if constexpr (kTurns) give_turn();
      hopper::wait_for_products<1>(scores);
      leave_keys();
      if (masked) hide_unseen(block, step);
      soften(scores, state, keep, task.scale);
      hopper::wait_for_products<0>(out);
      leave_values();
      scale_rows(out, keep);
      round_weights(scores, weights);
    };
    if (--step >= 0) next(false, S::kMasked > 1);
    while (--step >= 0) next(true, false);
    leave(memory.q_empty);
    queue_values(task.steps<S>(block) > 1);
    hopper::wait_for_products<0>(out);
    leave_values();
  }

  /// Divides by the sums of weights, and has the copy engine store what is inside the matrix.
  __device__ __forceinline__ void store(const CUtensorMap& map, const TileOrder::Tile& tile) {
    const float factor[2] = {1 / quad_sum(state.sum[0]), 1 / quad_sum(state.sum[1])};
    scale_rows(out, factor);
    const bool asks = threadIdx.x % hopper::kGroupThreads == 0;
    if (asks) hopper::wait_until_read<0>();
    hopper::group_barrier(1 + S::kGroups + index, hopper::kGroupThreads);
#pragma unroll
    for (int c = 0; c < S::kChunks; ++c)
      hopper::store_rounded(hopper::shared_address(memory.o[index][c]), c * hopper::kRowValues, out);
    hopper::fence_writes_for_engines();
    hopper::group_barrier(1 + S::kGroups + index, hopper::kGroupThreads);
    if (!asks) return;
#pragma unroll
    for (int c = 0; c < S::kChunks; ++c)
      hopper::store_tile(map, tile.matrix, tile.block * S::kRows + index * 64, c * hopper::kRowValues,
                         memory.o[index][c]);
    hopper::end_store_group();
  }
};

enum class Steps { in_order, overlapped, in_turns };

/// Blocks that stay take tiles by counting; the count ends where it began, as every block counts once in
/// vain.
template <class S, Steps kSteps, bool kStay>
__global__ void __launch_bounds__(S::kThreads, 1)
    attend(const __grid_constant__ Maps maps, const Task task, unsigned* taken) {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  extern __shared__ __align__(1024) std::byte shared_bytes[];
  auto& memory = *reinterpret_cast<Memory<S>*>(shared_bytes);
  if (threadIdx.x == 0) memory.init();
  __syncthreads();
  const int group = hopper::group_index() - 1;
  if (group < 0) {
    hopper::keep_registers<S::kFetchRegisters>();
    if (threadIdx.x != 0) return;
    if constexpr (kStay) {
      const auto tiles = static_cast<unsigned>(task.order.tiles());
      fetch(memory, maps, task, [&] {
        const unsigned index = atomicInc(taken, tiles + gridDim.x - 1);
        return index < tiles ? static_cast<int>(index) : -1;
      });
    } else {
      int index = static_cast<int>(blockIdx.x);
      fetch(memory, maps, task, [&] { return std::exchange(index, -1); });
    }
  } else {
    hopper::take_registers<S::kRegisters>();
    Group<S> mine{memory, task, group};
    if (kSteps == Steps::in_turns && group == S::kGroups - 1) mine.give_turn();  // to the first group
    for (unsigned phase = 0;; phase ^= 1) {
      memory.q_full.wait(phase);
      // Only who tells the fetching warp that the tile is done has read its number.
      const int index = __shfl_sync(~0u, threadIdx.x % 32 == 0 ? memory.tile : 0, 0);
      if (index < 0) break;
      const TileOrder::Tile tile = task.order.at(index);
      mine.state = {};
      if constexpr (kSteps == Steps::in_order) {
        mine.attend_in_order(tile.block);
      } else {
        mine.template attend_overlapped<kSteps == Steps::in_turns>(tile.block);
      }
      mine.store(maps.o, tile);
    }
    if (threadIdx.x % hopper::kGroupThreads == 0) hopper::wait_until_stored();
  }
#endif
}

template <class S, Steps kSteps, bool kStay>
void launch(const Attention& a, unsigned* taken, cudaStream_t stream) {
  constexpr unsigned kBytes = sizeof(Memory<S>);
  const auto kernel = attend<S, kSteps, kStay>;
  static const cudaError_t allowed =
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes);
  gpu::check(allowed, "allowing the rings of keys and values their shared memory");
  const Task task{tile_order(a, S::kRows), a.seq, a.heads_a_key(), a.causal, a.exponent_scale()};
  const Maps maps{hopper::stack_map(a.q, a.q_matrices(), a.seq, a.dim, S::kRows),
                  hopper::stack_map(a.k, a.kv_matrices(), a.seq, a.dim, S::kKeys),
                  hopper::stack_map(a.v, a.kv_matrices(), a.seq, a.dim, S::kKeys),
                  hopper::stack_map(a.o, a.q_matrices(), a.seq, a.dim, 64)};
  const auto tiles = static_cast<unsigned>(task.order.tiles());
  const unsigned blocks = kStay ? std::min(tiles, gpu::processors()) : tiles;
  kernel<<<blocks, S::kThreads, kBytes, stream>>>(maps, task, taken);
  gpu::check_launch("attention by wgmma");
}

}  // namespace aisp::attention

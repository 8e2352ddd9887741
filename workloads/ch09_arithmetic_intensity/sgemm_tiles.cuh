// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of the tiled rungs of ch09/sgemm on a GPU: a tile of C in the registers of a block, tiles of A
/// and B in a ring of stages in shared memory.
///
/// A warp has 4 x 8 lanes, and a lane has groups of four rows and of four columns of C. Both operands lie in
/// shared memory with k outermost, so four values of either are 16 bytes. Where an operand's lines lie along
/// k in memory, it is turned on the way, four bytes at a time.
#pragma once

#include <cuda_pipeline.h>

#include <cstddef>
#include <cstdint>

#include "workloads/cuda_launch.cuh"

namespace aisp::sgemm {

/// A block's tile of C, the rows of it that a thread has of each column, values of k a stage, stages. With
/// kTurned B is n x k, row-major: C = A B^T.
template <int kBlockRows, int kBlockColumns, int kRows, int kValuesOfK, int kRing, bool kTurned = false>
struct Shape {
  static constexpr int kTileRows = kBlockRows, kTileColumns = kBlockColumns;
  static constexpr int kDepth = kValuesOfK, kStages = kRing;
  static constexpr bool kTurnedB = kTurned;
  static constexpr int kRowsEach = kRows, kColumnsEach = 8;
  static constexpr int kWarpRows = 4 * kRowsEach, kWarpColumns = 8 * kColumnsEach;
  static constexpr int kAcross = kTileColumns / kWarpColumns;  ///< warps side by side
  static constexpr int kThreads = 32 * kAcross * (kTileRows / kWarpRows);
  /// Of that many threads as many blocks as fit with 256 registers a thread, or 128 for the smaller share.
  static constexpr int kBlocks = (kRowsEach > 8 ? 256 : 512) / kThreads;
};

/// Lines are 16 bytes longer than the tile: what is turned goes to different banks.
template <class S>
struct Stage {
  float a[S::kDepth][S::kTileRows + 4];
  float b[S::kDepth][S::kTileColumns + 4];
};
template <class S>
using Ring = Stage<S>[S::kStages];

/// n x n.
struct Matrices {
  const float *a, *b;
  float* c;
  int n;
};

/// What a thread copies of an operand, stage after stage, behind its back. kAlongK: the operand's lines lie
/// along k. kWhole: the tiles cover the matrices exactly; without, zeros are brought from beyond them.
/// Addresses are found once and moved on: finding them anew took one instruction for every five
/// multiply-adds.
template <int kLength, int kDepth, int kThreads, bool kAlongK, bool kWhole>
class Copies {
 public:
  __device__ __forceinline__ Copies(const float* operand, int first, int n)
      : inner_(static_cast<int>(threadIdx.x) % kInner * kStep),
        outer_(static_cast<int>(threadIdx.x) / kInner),
        from_(operand + (kAlongK ? std::int64_t{first + outer_} * n + inner_
                                 : std::int64_t{outer_} * n + first + inner_)),
        jump_(std::int64_t{kLines} * n),
        advance_(kAlongK ? kDepth : std::int64_t{kDepth} * n),
        lines_left_(n - first - (kAlongK ? outer_ : inner_)) {}

  /// The next stage; `left` of k are left.
  __device__ __forceinline__ void fetch(float (&to)[kDepth][kLength + 4], int left) {
#pragma unroll
    for (int i = 0; i < kCopies; ++i) {
      const int outer = outer_ + i * kLines;
      float* at = kAlongK ? &to[inner_][outer] : &to[outer][inner_];
      if constexpr (kWhole) {
        __pipeline_memcpy_async(at, from_ + i * jump_, kStep * sizeof(float));
      } else {
        const bool inside =
            kAlongK ? i * kLines < lines_left_ && inner_ < left : 0 < lines_left_ && outer < left;
        __pipeline_memcpy_async(at, from_ + (inside ? i * jump_ : 0), sizeof(float),
                                inside ? 0 : sizeof(float));
      }
    }
    from_ += advance_;
  }

 private:
  static constexpr int kStep = kAlongK || !kWhole ? 1 : 4;             ///< values at a time
  static constexpr int kInner = (kAlongK ? kDepth : kLength) / kStep;  ///< threads along a line
  static constexpr int kLines = kThreads / kInner;                     ///< between a thread's copies
  static constexpr int kCopies = (kAlongK ? kLength : kDepth) / kLines;
  static_assert(kThreads % kInner == 0 && (kAlongK ? kLength : kDepth) % kLines == 0);

  int inner_, outer_;
  const float* from_;
  std::int64_t jump_, advance_;
  int lines_left_;
};

/// A lane's values of an operand for one step along k: groups of four, as far apart as all lanes' are wide.
template <int kEach, int kLanes>
struct Values {
  float of[kEach];
  __device__ __forceinline__ void load(const float* line) {
#pragma unroll
    for (int i = 0; i < kEach; i += 4) {
      const float4 four = *reinterpret_cast<const float4*>(line + i * kLanes);
      of[i] = four.x, of[i + 1] = four.y, of[i + 2] = four.z, of[i + 3] = four.w;
    }
  }
};

/// Where a lane's groups of four begin in its warp's tile. Shared memory answers half a warp at once if lanes
/// 2i and 2i + 1, or i and i + 2, ask for the same: rows are numbered without the lane's lowest bit, columns
/// without the next.
struct LanePlace {
  int row, column;
};
__device__ __forceinline__ LanePlace lane_place() {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  return {.row = ((lane >> 1 & 1) | (lane >> 4) << 1) * 4, .column = ((lane & 1) | (lane >> 2 & 3) << 1) * 4};
}

template <class S, bool kWhole>
__global__ void __launch_bounds__(S::kThreads, S::kBlocks) multiply_tiles(const Matrices m) {
  extern __shared__ __align__(16) std::byte shared_bytes[];
  auto& stages = *reinterpret_cast<Ring<S>*>(shared_bytes);
  const int row = static_cast<int>(blockIdx.y) * S::kTileRows,
            column = static_cast<int>(blockIdx.x) * S::kTileColumns;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const LanePlace lane = lane_place();
  const int my_row = warp / S::kAcross * S::kWarpRows + lane.row;
  const int my_column = warp % S::kAcross * S::kWarpColumns + lane.column;
  const int steps = (m.n + S::kDepth - 1) / S::kDepth;

  Copies<S::kTileRows, S::kDepth, S::kThreads, true, kWhole> copies_of_a(m.a, row, m.n);
  Copies<S::kTileColumns, S::kDepth, S::kThreads, S::kTurnedB, kWhole> copies_of_b(m.b, column, m.n);
  const auto fetch = [&](int step, Stage<S>& stage) {
    if (step < steps) {
      copies_of_a.fetch(stage.a, m.n - step * S::kDepth);
      copies_of_b.fetch(stage.b, m.n - step * S::kDepth);
    }
    __pipeline_commit();
  };
  for (int s = 0; s < S::kStages - 1; ++s) fetch(s, stages[s]);
  __pipeline_wait_prior(S::kStages - 2);
  __syncthreads();

  float sums[S::kRowsEach][S::kColumnsEach] = {};
  Values<S::kRowsEach, 4> a[2];  // the next ones are on their way while these are used
  Values<S::kColumnsEach, 8> b[2];
  a[0].load(&stages[0].a[0][my_row]);
  b[0].load(&stages[0].b[0][my_column]);
  int used = 0, free = S::kStages - 1;
  for (int step = 0; step < steps; ++step) {
    const int next = used + 1 < S::kStages ? used + 1 : 0;
#pragma unroll
    for (int k = 0; k < S::kDepth; ++k) {
      if (k == S::kDepth - 1) {  // all have read this stage to its end, and the next one is there
        __pipeline_wait_prior(S::kStages - 2);
        __syncthreads();
      }
      const int line = (k + 1) % S::kDepth;
      a[(k + 1) % 2].load(&stages[line > 0 ? used : next].a[line][my_row]);
      b[(k + 1) % 2].load(&stages[line > 0 ? used : next].b[line][my_column]);
      if (k == 0) {
        fetch(step + S::kStages - 1, stages[free]);
        free = free + 1 < S::kStages ? free + 1 : 0;
      }
      // Down a column and up the next: a value of B is kept at the multipliers' gate for a whole column, and
      // each multiply-add reads two registers instead of three. With three they come too late.
#pragma unroll
      for (int j = 0; j < S::kColumnsEach; ++j) {
#pragma unroll
        for (int t = 0; t < S::kRowsEach; ++t) {
          const int i = j % 2 == 0 ? t : S::kRowsEach - 1 - t;
          sums[i][j] = fmaf(a[k % 2].of[i], b[k % 2].of[j], sums[i][j]);
        }
      }
    }
    used = next;
  }

#pragma unroll
  for (int i = 0; i < S::kRowsEach; ++i) {
    const int at_row = row + my_row + i / 4 * 16 + i % 4;
#pragma unroll
    for (int j = 0; j < S::kColumnsEach; j += 4) {
      const int at_column = column + my_column + j * 8;
      float* to = m.c + std::int64_t{at_row} * m.n + at_column;
      if constexpr (kWhole) {
        *reinterpret_cast<float4*>(to) = {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]};
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if (at_row < m.n && at_column + e < m.n) to[e] = sums[i][j + e];
      }
    }
  }
}

template <class S, bool kWhole>
void launch_tiles(const Matrices& m, cudaStream_t stream) {
  static const cudaError_t allowed = cudaFuncSetAttribute(
      multiply_tiles<S, kWhole>, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Ring<S>));
  gpu::check(allowed, "allowing the ring of tiles its shared memory");
  const dim3 grid(gpu::blocks_for(m.n, S::kTileColumns), gpu::blocks_for(m.n, S::kTileRows));
  multiply_tiles<S, kWhole><<<grid, S::kThreads, sizeof(Ring<S>), stream>>>(m);
  gpu::check_launch("multiplying in tiles");
}

/// C = A B, or A B^T, on tiles of S: the sums of every size, and faster where tiles cover the matrices
/// exactly.
template <class S>
void multiply_in_tiles(const Matrices& m, cudaStream_t stream) {
  const bool whole = m.n % S::kTileRows == 0 && m.n % S::kTileColumns == 0 && m.n % S::kDepth == 0;
  whole ? launch_tiles<S, true>(m, stream) : launch_tiles<S, false>(m, stream);
}

}  // namespace aisp::sgemm

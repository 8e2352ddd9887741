// SPDX-License-Identifier: Apache-2.0
/// \file
/// The kernel of the tiled rungs of ch09/sgemm on a GPU: a tile of C in the registers of a block, tiles of A
/// and B in a ring of stages in shared memory.
///
/// A warp has 8 x 4 lanes; a lane has eight rows of C, every eighth of its warp's 64, and kColumns columns in
/// groups of four. B comes row by row, so four columns are 16 bytes. A's rows lie along k: two steps of a row
/// are 8 bytes, and rows are 12 words apart, which puts the eight that a warp reads at once into different
/// banks.
#pragma once

#include <cuda_pipeline.h>

#include <cstdint>

namespace aisp::sgemm {

constexpr int kTile = 128, kDepth = 8;  ///< of a block's tile of C, square; of a stage along k
constexpr int kRowsEach = 8, kWarpRows = 8 * kRowsEach;

/// kEach columns a thread, kRing stages. With kTurned B is n x k, row-major: C = A B^T.
template <int kEach, int kRing, bool kTurned = false>
struct Shape {
  static constexpr int kColumns = kEach, kStages = kRing;
  static constexpr bool kTurnedB = kTurned;
  static constexpr int kWarpColumns = 4 * kEach;
  static constexpr int kAcross = kTile / kWarpColumns;  ///< warps side by side
  static constexpr int kThreads = 32 * kAcross * (kTile / kWarpRows);
};

struct Stage {
  float a[kTile][kDepth + 4];
  /// 16 bytes more than a row has: where B is turned on the way, eight values of k go to different banks.
  float b[kDepth][kTile + 4];
};

/// n x n.
struct Matrices {
  const float *a, *b;
  float* c;
  int n;
};

/// What a thread copies of every stage, behind its back: zeros beyond the matrices. kAligned: n is a multiple
/// of four, and rows are copied 16 bytes at a time. Addresses are found once and moved on from stage to
/// stage: finding them anew took one instruction for every five multiply-adds.
template <class S, bool kAligned>
class Copies {
 public:
  __device__ __forceinline__ Copies(const Matrices& m, int row, int column) : n_(m.n) {
    const int thread = static_cast<int>(threadIdx.x);
    a_k_ = thread % kAcrossA * kStepA, a_row_ = thread / kAcrossA;
    b_at_ = thread % kAcrossB * kStepB, b_line_ = thread / kAcrossB;
    a_ = m.a + std::int64_t{row + a_row_} * n_ + a_k_;
    rows_left_ = n_ - row - a_row_;
    if constexpr (S::kTurnedB) {
      b_ = m.b + std::int64_t{column + b_line_} * n_ + b_at_;
      columns_left_ = n_ - column - b_line_;
    } else {
      b_ = m.b + std::int64_t{b_line_} * n_ + column + b_at_;
      columns_left_ = n_ - column - b_at_;
    }
  }

  /// The next stage; `left` of k are left.
  __device__ __forceinline__ void fetch(Stage& stage, int left) {
#pragma unroll
    for (int i = 0; i < kCopiesA; ++i) {
      const bool inside = i * kRowsA < rows_left_ && a_k_ < left;
      copy<kStepA>(&stage.a[a_row_ + i * kRowsA][a_k_], a_ + std::int64_t{i * kRowsA} * n_, inside);
    }
    a_ += kDepth;
#pragma unroll
    for (int i = 0; i < kCopiesB; ++i) {
      if constexpr (S::kTurnedB) {
        const bool inside = i * kLinesB < columns_left_ && b_at_ < left;
        copy<kStepB>(&stage.b[b_at_][b_line_ + i * kLinesB], b_ + std::int64_t{i * kLinesB} * n_, inside);
      } else {
        const bool inside = columns_left_ > 0 && b_line_ + i * kLinesB < left;
        copy<kStepB>(&stage.b[b_line_ + i * kLinesB][b_at_], b_ + std::int64_t{i * kLinesB} * n_, inside);
      }
    }
    b_ += S::kTurnedB ? kDepth : std::int64_t{kDepth} * n_;
  }

 private:
  static_assert(kAligned || S::kTurnedB);
  /// Values at a time; copies side by side in a row; rows between a thread's copies, and how many it has.
  static constexpr int kStepA = kAligned ? 4 : 1, kAcrossA = kDepth / kStepA;
  static constexpr int kRowsA = S::kThreads / kAcrossA, kCopiesA = kTile / kRowsA;
  static constexpr int kStepB = S::kTurnedB ? 1 : 4, kAcrossB = (S::kTurnedB ? kDepth : kTile) / kStepB;
  static constexpr int kLinesB = S::kThreads / kAcrossB, kCopiesB = (S::kTurnedB ? kTile : kDepth) / kLinesB;

  template <int kValues>
  __device__ __forceinline__ static void copy(float* to, const float* from, bool inside) {
    __pipeline_memcpy_async(to, from, kValues * sizeof(float), inside ? 0 : kValues * sizeof(float));
  }

  const float *a_, *b_;
  int n_, a_k_, a_row_, b_at_, b_line_, rows_left_, columns_left_;
};

/// A lane's values of A for two steps along k.
struct RowPairs {
  float2 of[kRowsEach];
  __device__ __forceinline__ void load(const Stage& stage, int k, int row) {
#pragma unroll
    for (int i = 0; i < kRowsEach; ++i) of[i] = *reinterpret_cast<const float2*>(&stage.a[row + i * 8][k]);
  }
};

/// Its values of B for one.
template <class S>
struct Columns {
  float of[S::kColumns];
  __device__ __forceinline__ void load(const Stage& stage, int k, int column) {
#pragma unroll
    for (int j = 0; j < S::kColumns; j += 4) {
      const float4 four = *reinterpret_cast<const float4*>(&stage.b[k][column + j * 4]);
      of[j] = four.x, of[j + 1] = four.y, of[j + 2] = four.z, of[j + 3] = four.w;
    }
  }
};

template <class S, int kBlocks, bool kAligned>
__global__ void __launch_bounds__(S::kThreads, kBlocks) multiply_tiles(const Matrices m) {
  __shared__ alignas(16) Stage stages[S::kStages];
  const int row = static_cast<int>(blockIdx.y) * kTile, column = static_cast<int>(blockIdx.x) * kTile;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int my_row = warp / S::kAcross * kWarpRows + lane / 4;
  const int my_column = warp % S::kAcross * S::kWarpColumns + lane % 4 * 4;
  const int steps = (m.n + kDepth - 1) / kDepth;
  float sums[kRowsEach][S::kColumns] = {};

  Copies<S, kAligned> copies(m, row, column);
  for (int s = 0; s < S::kStages - 1; ++s) {
    if (s < steps) copies.fetch(stages[s], m.n - s * kDepth);
    __pipeline_commit();
  }
  __pipeline_wait_prior(S::kStages - 2);
  __syncthreads();
  RowPairs rows[2];  // the next ones are on their way while these are used
  Columns<S> columns[2];
  rows[0].load(stages[0], 0, my_row);
  columns[0].load(stages[0], 0, my_column);
  int used = 0, free = S::kStages - 1;
  for (int step = 0; step < steps; ++step) {
    const int next = used + 1 < S::kStages ? used + 1 : 0;
#pragma unroll
    for (int k = 0; k < kDepth; ++k) {
      columns[(k + 1) % 2].load(stages[k + 1 < kDepth ? used : next], (k + 1) % kDepth, my_column);
      if (k == kDepth - 2) {  // all have read this stage to its end, and the next one is there
        __pipeline_wait_prior(S::kStages - 2);
        __syncthreads();
      }
      if (k % 2 == 0)
        rows[(k / 2 + 1) % 2].load(stages[k + 2 < kDepth ? used : next], (k + 2) % kDepth, my_row);
      if (k == 0) {
        const int ahead = step + S::kStages - 1;
        if (ahead < steps) copies.fetch(stages[free], m.n - ahead * kDepth);
        __pipeline_commit();
        free = free + 1 < S::kStages ? free + 1 : 0;
      }
      const RowPairs& r = rows[k / 2 % 2];
      const Columns<S>& c = columns[k % 2];
      const auto a = [&](int i) { return k % 2 == 0 ? r.of[i].x : r.of[i].y; };
      // To and fro: neighbours always share an operand, which need not be read from its register again.
#pragma unroll
      for (int i = 0; i < kRowsEach; ++i) {
#pragma unroll
        for (int t = 0; t < S::kColumns; ++t) {
          const int j = i % 2 == 0 ? t : S::kColumns - 1 - t;
          sums[i][j] = fmaf(a(i), c.of[j], sums[i][j]);
        }
      }
    }
    used = next;
  }

#pragma unroll
  for (int i = 0; i < kRowsEach; ++i) {
    const int at_row = row + my_row + i * 8;
    if (at_row >= m.n) continue;
#pragma unroll
    for (int j = 0; j < S::kColumns; j += 4) {
      const int at_column = column + my_column + j * 4;
      float* to = m.c + std::int64_t{at_row} * m.n + at_column;
      if constexpr (kAligned) {
        if (at_column < m.n)
          *reinterpret_cast<float4*>(to) = {sums[i][j], sums[i][j + 1], sums[i][j + 2], sums[i][j + 3]};
      } else {
#pragma unroll
        for (int e = 0; e < 4; ++e)
          if (at_column + e < m.n) to[e] = sums[i][j + e];
      }
    }
  }
}

}  // namespace aisp::sgemm

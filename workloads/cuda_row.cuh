// SPDX-License-Identifier: Apache-2.0
/// \file
/// A row held by a team of threads, so that it is read once however often it is needed: in registers, and in
/// shared memory where those do not suffice. A team is a warp, a block, or, for rows that no block can hold,
/// a cluster: blocks that run at the same time and reach each other's shared memory.
///
///   using T = gpu::Team<256, 4>;                       // 256 threads, four float4 each: rows of up to 4096
///   gpu::Row<T, float4> row;
///   row.load(in, cols / 4, 0);
///   gpu::all_begun<T>();
///   row.look([&](float4 piece) { sum += gpu::sum_of(piece); });
///   sum = gpu::team_sum<T>(sum);
///
/// Rows go piece by piece (workloads/cuda_piece.cuh); workloads/cuda_row_teams.cuh chooses the team for a
/// length and launches it. There are no clusters in code for devices before sm_90.
#pragma once

#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include <cuda/ptx>

#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_piece.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::gpu {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
constexpr bool kHasClusters = false;
#else
constexpr bool kHasClusters = true;
#endif

/// kThreads threads in each of kCluster blocks, each with room for kVectors float4 in its registers and
/// kShared in shared memory. A kernel gets as few registers as let kResident blocks run on a multiprocessor.
template <int kThreads_, int kVectors_, int kShared_ = 0, int kCluster_ = 1, int kResident_ = 0>
struct Team {
  static constexpr int kThreads = kThreads_, kVectors = kVectors_, kShared = kShared_, kCluster = kCluster_;
  static constexpr int kResident = kResident_;  // 0: as the compiler likes
  static constexpr int kMembers = kThreads * kCluster, kWarps = kMembers / kLanes;
  static constexpr std::int64_t kBytes = std::int64_t{kMembers} * (kVectors + kShared) * sizeof(float4);
  static constexpr unsigned kSharedBytes = kThreads * kShared * sizeof(float4);
};

/// For __launch_bounds__. A row that does not begin at multiples of 16 bytes comes value by value, which
/// takes more registers: then as many as it takes.
template <class T, class Piece>
constexpr int resident() {
  return sizeof(Piece) == sizeof(float4) ? T::kResident : 1;
}

template <class T>
__device__ int team_member() {
  const int block = T::kCluster > 1 ? static_cast<int>(blockIdx.x) % T::kCluster : 0;
  return block * T::kThreads + static_cast<int>(threadIdx.x);
}

/// Where a block waits for what the others of its cluster write into its shared memory.
__device__ inline std::uint64_t* arrivals() {
  __shared__ std::uint64_t barrier;
  return &barrier;
}

/// Which row this team has. Its blocks say that they have begun; all_begun() waits for that.
template <class T>
__device__ std::int64_t begin_row() {
  if constexpr (kHasClusters && T::kCluster > 1) {
    namespace ptx = ::cuda::ptx;
    if (threadIdx.x == 0) {
      ptx::mbarrier_init(arrivals(), 1);
      ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    ptx::barrier_cluster_arrive(ptx::sem_relaxed);
  }
  return blockIdx.x / T::kCluster;
}

/// Every block of the team has begun: only then does its shared memory exist. For when loads are on their
/// way.
template <class T>
__device__ void all_begun() {
  if constexpr (kHasClusters && T::kCluster > 1) ::cuda::ptx::barrier_cluster_wait();
}

/// How many of a row's `count` pieces the team's w-th warp has.
template <class T>
__device__ int pieces_of_warp(int count, int w) {
  const int rest = count % T::kMembers - w * kLanes;
  return count / T::kMembers * kLanes + min(max(rest, 0), kLanes);
}

/// This thread's pieces: every T::kMembers-th of the row, so that neighbours read neighbours. Those in
/// registers are indexed by constants only; an array indexed at run time would be in memory. A whole row
/// fills its team, and nobody need ask where it ends.
template <class T, class Piece, bool kWhole = false>
class Row {
 public:
  static constexpr int kPieces = (T::kVectors + T::kShared) * sizeof(float4) / sizeof(Piece);

  /// `count` pieces; `otherwise` stands for what is beyond them.
  __device__ void load(const Piece* row, int count, float otherwise) {
    count_ = count;
    extern __shared__ float4 shared[];
    kept_ = reinterpret_cast<Piece*>(shared) + threadIdx.x;
#pragma unroll
    for (int p = 0; p < kKept; ++p) {
      if (inside(kHeld + p)) {
        keep(p, row + place(kHeld + p));
      } else {
        kept_[p * T::kThreads] = filled<Piece>(otherwise);
      }
    }
    if constexpr (kKept > 0) __pipeline_commit();  // without it the wait below would be for nothing
#pragma unroll
    for (int p = 0; p < kHeld; ++p) held_[p] = inside(p) ? row[place(p)] : filled<Piece>(otherwise);
  }

  template <class Function>
  __device__ void look(Function f) const {
#pragma unroll
    for (int p = 0; p < kHeld; ++p) f(held_[p]);
    // Each thread waits for its own; nobody else looks at them.
    if constexpr (kKept > 0) __pipeline_wait_prior(0);
#pragma unroll 4
    for (int p = 0; p < kKept; ++p) f(kept_[p * T::kThreads]);
  }

  /// The same without what stands for values beyond the row.
  template <class Function>
  __device__ void look_inside(Function f) const {
#pragma unroll
    for (int p = 0; p < kHeld; ++p)
      if (inside(p)) f(held_[p]);
    if constexpr (kKept > 0) __pipeline_wait_prior(0);
#pragma unroll 4
    for (int p = 0; p < kKept; ++p)
      if (inside(kHeld + p)) f(kept_[p * T::kThreads]);
  }

  /// Writes f(piece) for the thread's p-th piece; with a constant for p.
  template <class Function>
  __device__ void put(Piece* row, int p, Function f) const {
    if (!inside(p)) return;
    row[place(p)] = f(p < kHeld ? held_[p < kHeld ? p : 0] : kept_[(p - kHeld) * T::kThreads]);
  }
  /// All of them: f(piece, which of the thread's pieces it is).
  template <class Function>
  __device__ void store(Piece* row, Function f) const {
#pragma unroll
    for (int p = 0; p < kPieces; ++p) put(row, p, [&](const Piece& piece) { return f(piece, p); });
  }

 private:
  static constexpr int kSplit = sizeof(float4) / sizeof(Piece);
  static constexpr int kHeld = T::kVectors * kSplit, kKept = T::kShared * kSplit;
  __device__ static int place(int piece) { return piece * T::kMembers + team_member<T>(); }
  __device__ bool inside(int piece) const { return kWhole || place(piece) < count_; }
  __device__ void keep(int p, const Piece* from) {
    if constexpr (sizeof(Piece) >= 4) {  // less cannot be copied behind the thread's back
      __pipeline_memcpy_async(&kept_[p * T::kThreads], from, sizeof(Piece));
    } else {
      kept_[p * T::kThreads] = *from;
    }
  }

  Piece held_[kHeld];
  Piece* kept_;
  int count_;
};

/// A second row, which all teams read, as the gain of a norm: the first kAhead float4 of a thread are asked
/// for when this is made, and each later one when the kAhead-th before it is taken. While memory is busy the
/// L2 cache, too, answers late. To be made before all_begun(): the compiler moves loads down to where they
/// are used, but not past a barrier.
template <class T, class Piece, int kAhead, bool kWhole = false>
class Lookahead {
 public:
  __device__ Lookahead(const Piece* row, int count) : row_(row), count_(count) {
#pragma unroll
    for (int p = 0; p < kNext; ++p) next_[p] = inside(p) ? row[place(p)] : Piece{};
  }
  /// The thread's p-th piece; in order, and with constants for p.
  __device__ Piece take(int p) {
    if constexpr (kNext == 0) {
      return fetch(p);
    } else {
      const Piece result = next_[p % kNext];
      if (p + kNext < kPieces) next_[p % kNext] = fetch(p + kNext);
      return result;
    }
  }

 private:
  static constexpr int kSplit = sizeof(float4) / sizeof(Piece);
  static constexpr int kNext = kAhead * kSplit, kPieces = (T::kVectors + T::kShared) * kSplit;
  __device__ static int place(int piece) { return piece * T::kMembers + team_member<T>(); }
  __device__ bool inside(int piece) const { return kWhole || place(piece) < count_; }
  /// Past stores, which nobody makes into this row.
  __device__ Piece fetch(int p) const { return inside(p) ? __ldg(row_ + place(p)) : Piece{}; }

  const Piece* row_;
  int count_;
  Piece next_[kNext > 0 ? kNext : 1];
};

/// Writes a warp's value into all[] of every block, and waits for those of all warps.
template <class T, class Value>
__device__ void share_in_cluster(Value (&all)[T::kWarps], Value of_warp) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  namespace ptx = ::cuda::ptx;
  using Bits = std::conditional_t<sizeof(Value) % 8 == 0, std::uint64_t, std::uint32_t>;
  const auto bits = std::bit_cast<std::array<Bits, sizeof(Value) / sizeof(Bits)>>(of_warp);
  const auto cluster = cooperative_groups::this_cluster();
  std::uint64_t* arrived = arrivals();
  if (lane_index() < T::kCluster) {
    Value* place = cluster.map_shared_rank(&all[team_member<T>() / kLanes], lane_index());
    std::uint64_t* counted = cluster.map_shared_rank(arrived, lane_index());
#pragma unroll
    for (std::size_t b = 0; b < bits.size(); ++b)
      ptx::st_async(reinterpret_cast<Bits*>(place) + b, bits[b], counted);
  }
  if (threadIdx.x == 0)
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, arrived,
                                   T::kWarps * sizeof(Value));
  while (!ptx::mbarrier_try_wait_parity(arrived, 0)) {
  }
#endif
}

/// What each warp of the team hands in, T::kWarps of them, for all its threads to read. Once in a kernel:
/// nobody knows when the others have read.
///
/// In a cluster every value is written straight into the shared memory of every block and counted there. A
/// cluster's barrier would do, but it orders all of memory: each thread waits until its loads and stores are
/// done everywhere, and the L1 cache is emptied. On an H200 that took 3 to 5 % of the whole kernel.
template <class T, class Value>
__device__ const Value* share(Value of_warp) {
  __shared__ alignas(8) Value all[T::kWarps];
  if constexpr (T::kCluster == 1) {
    if (lane_index() == 0) all[warp_index()] = of_warp;
    __syncthreads();
  } else {
    share_in_cluster<T>(all, of_warp);
  }
  return all;
}

template <class T>
__device__ float team_sum(float value) {
  value = warp_sum(value);
  if constexpr (T::kWarps == 1) return value;
  const float* of_warp = share<T>(value);
  float sum = 0;
  for (int w = lane_index(); w < T::kWarps; w += kLanes) sum += of_warp[w];
  return warp_sum(sum);
}

}  // namespace aisp::gpu

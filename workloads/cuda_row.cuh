// SPDX-License-Identifier: Apache-2.0
/// \file
/// A row held by a team of threads, so that it is read once however often it is needed: in registers, and in
/// shared memory where those do not suffice. A team is a warp, a block, or, for rows that no block can hold,
/// a cluster: blocks that run at the same time and reach each other's shared memory.
///
///   using T = gpu::Team<256, 4>;                       // 256 threads, four float4 each: rows of up to 4096
///   gpu::Row<T, float4> row;
///   row.load(in, cols / 4, 0);
///   row.look([&](float4 piece) { sum += gpu::sum_of(piece); });
///   sum = gpu::team_sum<T>(sum);
///
/// Rows go piece by piece: float4, or eight bf16, where all of them begin and end at multiples of 16 bytes,
/// else single values.
#pragma once

#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_pipeline.h>

#include <cstdint>
#include <type_traits>

#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::gpu {

/// kThreads threads in each of kCluster blocks, each with room for kVectors float4 in its registers and
/// kShared in shared memory.
template <int kThreads_, int kVectors_, int kShared_ = 0, int kCluster_ = 1>
struct Team {
  static constexpr int kThreads = kThreads_, kVectors = kVectors_, kShared = kShared_, kCluster = kCluster_;
  static constexpr int kMembers = kThreads * kCluster, kWarps = kMembers / kLanes;
  static constexpr std::int64_t kBytes = std::int64_t{kMembers} * (kVectors + kShared) * sizeof(float4);
  static constexpr unsigned kSharedBytes = kThreads * kShared * sizeof(float4);
};

template <class T>
__device__ int team_member() {
  const int block = T::kCluster > 1 ? static_cast<int>(blockIdx.x) % T::kCluster : 0;
  return block * T::kThreads + static_cast<int>(threadIdx.x);
}

/// Which row this team has. Its blocks say that they have begun; share() waits for that.
template <class T>
__device__ std::int64_t begin_row() {
  if constexpr (T::kCluster > 1) cooperative_groups::this_cluster().barrier_arrive();
  return blockIdx.x / T::kCluster;
}

using Bf16 = __nv_bfloat16;
struct alignas(16) Bf16x8 {
  __nv_bfloat162 pair[4];
};

// What is done with a piece, always in single precision.
__device__ inline float sum_of(float a) { return a; }
__device__ inline float sum_of(float4 a) { return (a.x + a.y) + (a.z + a.w); }
__device__ inline float largest_of(float a) { return a; }
__device__ inline float largest_of(float4 a) { return fmaxf(fmaxf(a.x, a.y), fmaxf(a.z, a.w)); }
__device__ inline float largest_of(Bf16 a) { return __bfloat162float(a); }
__device__ inline float largest_of(const Bf16x8& a) {
  const __nv_bfloat162 largest = __hmax2(__hmax2(a.pair[0], a.pair[1]), __hmax2(a.pair[2], a.pair[3]));
  return fmaxf(__low2float(largest), __high2float(largest));
}
__device__ inline float product(float a, float b) { return a * b; }
__device__ inline float4 product(float4 a, float4 b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }
/// Of f(value) for every value.
template <class Function>
__device__ float sum_over(float a, Function f) {
  return f(a);
}
template <class Function>
__device__ float sum_over(float4 a, Function f) {
  return (f(a.x) + f(a.y)) + (f(a.z) + f(a.w));
}
template <class Function>
__device__ float sum_over(Bf16 a, Function f) {
  return f(__bfloat162float(a));
}
template <class Function>
__device__ float sum_over(const Bf16x8& a, Function f) {
  float sum = 0;
#pragma unroll
  for (const __nv_bfloat162 pair : a.pair) sum += f(__low2float(pair)) + f(__high2float(pair));
  return sum;
}
template <class Function>
__device__ float each_of(float a, Function f) {
  return f(a);
}
template <class Function>
__device__ float4 each_of(float4 a, Function f) {
  return {f(a.x), f(a.y), f(a.z), f(a.w)};
}
template <class Function>
__device__ Bf16 each_of(Bf16 a, Function f) {
  return __float2bfloat16_rn(f(__bfloat162float(a)));
}
template <class Function>
__device__ Bf16x8 each_of(const Bf16x8& a, Function f) {
  Bf16x8 result;
#pragma unroll
  for (int p = 0; p < 4; ++p)
    result.pair[p] = __floats2bfloat162_rn(f(__low2float(a.pair[p])), f(__high2float(a.pair[p])));
  return result;
}
/// A piece of nothing but this value.
template <class Piece>
__device__ Piece filled(float value) {
  return each_of(Piece{}, [=](float) { return value; });
}

/// This thread's pieces: every T::kMembers-th of the row, so that neighbours read neighbours. Those in
/// registers are indexed by constants only; an array indexed at run time would be in memory.
template <class T, class Piece>
class Row {
 public:
  /// `count` pieces; `otherwise` stands for what is beyond them.
  __device__ void load(const Piece* row, int count, float otherwise) {
    count_ = count;
    extern __shared__ float4 shared[];
    kept_ = reinterpret_cast<Piece*>(shared) + threadIdx.x;
#pragma unroll
    for (int p = 0; p < kKept; ++p) {
      if (place(kHeld + p) < count) {
        keep(p, row + place(kHeld + p));
      } else {
        kept_[p * T::kThreads] = filled<Piece>(otherwise);
      }
    }
    if constexpr (kKept > 0) __pipeline_commit();  // without it the wait below would be for nothing
#pragma unroll
    for (int p = 0; p < kHeld; ++p) held_[p] = place(p) < count ? row[place(p)] : filled<Piece>(otherwise);
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

  /// Writes f(piece, its index in the row).
  template <class Function>
  __device__ void store(Piece* row, Function f) const {
#pragma unroll
    for (int p = 0; p < kHeld; ++p) {
      if (place(p) < count_) row[place(p)] = f(held_[p], place(p));
    }
#pragma unroll
    for (int p = 0; p < kKept; ++p) {
      if (place(kHeld + p) < count_) row[place(kHeld + p)] = f(kept_[p * T::kThreads], place(kHeld + p));
    }
  }

 private:
  static constexpr int kSplit = sizeof(float4) / sizeof(Piece);
  static constexpr int kHeld = T::kVectors * kSplit, kKept = T::kShared * kSplit;
  __device__ static int place(int piece) { return piece * T::kMembers + team_member<T>(); }
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

/// Whether a kernel has exchanged values within its teams before.
enum class Exchange : std::uint8_t { first, second };

/// What each warp of the team hands in, T::kWarps of them, for all its threads to read. Each exchange of a
/// kernel has memory of its own, so nobody writes where others still read.
template <class T, Exchange kWhich = Exchange::first, class Value>
__device__ const Value* share(Value of_warp) {
  __shared__ Value all[T::kWarps];
  if constexpr (T::kCluster == 1) {
    if (lane_index() == 0) all[warp_index()] = of_warp;
    __syncthreads();
  } else {
    const auto cluster = cooperative_groups::this_cluster();
    // Every block has begun: only then does its shared memory exist.
    if constexpr (kWhich == Exchange::first) cluster.barrier_wait();
    Value* place = &all[team_member<T>() / kLanes];
    if (lane_index() < T::kCluster) *cluster.map_shared_rank(place, lane_index()) = of_warp;
    cluster.sync();
  }
  return all;
}

template <class T>
__device__ float team_max(float value) {
  value = warp_max(value);
  if constexpr (T::kWarps == 1) return value;
  const float* of_warp = share<T>(value);
  for (int w = lane_index(); w < T::kWarps; w += kLanes) value = fmaxf(value, of_warp[w]);
  return warp_max(value);
}

template <class T, Exchange kWhich = Exchange::first>
__device__ float team_sum(float value) {
  value = warp_sum(value);
  if constexpr (T::kWarps == 1) return value;
  const float* of_warp = share<T, kWhich>(value);
  float sum = 0;
  for (int w = lane_index(); w < T::kWarps; w += kLanes) sum += of_warp[w];
  return warp_sum(sum);
}

/// Calls launch(Team{}) for the first team that holds a row of so many bytes; false when none does.
template <class... Teams, class Launch>
bool with_team(std::size_t row_bytes, Launch launch) {
  return ((row_bytes <= static_cast<std::size_t>(Teams::kBytes) && (launch(Teams{}), true)) || ...);
}

template <class T, class... Arguments>
void launch_rows(std::int64_t rows, cudaStream_t stream, void (*kernel)(Arguments...),
                 std::type_identity_t<Arguments>... arguments) {
  if (T::kSharedBytes > 0)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::kSharedBytes),
          "allowing a team its shared memory");
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {T::kCluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(rows) * T::kCluster);
  config.blockDim = dim3(T::kThreads);
  config.dynamicSmemBytes = T::kSharedBytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = T::kCluster > 1 ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "launching a team a row");
}

}  // namespace aisp::gpu

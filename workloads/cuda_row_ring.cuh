// SPDX-License-Identifier: Apache-2.0
/// \file
/// Rows that only a cluster of blocks can hold, read without a pause: as many clusters as fit at once stay
/// for the whole launch, and the copy engine loads the rows to come into a ring in shared memory while
/// earlier ones are in registers, wait for the rest of the cluster, or are written.
///
///   using T = gpu::RingTeam<32, 4, 2, 256, 16, 13>;    // 32 KiB of each row in each of four blocks
///   __shared__ gpu::RingShared<T, Sum> shared;
///   gpu::Ring<T, Sum> ring(shared, x, rows, cols / 8);
///   ring.begin();
///   for (auto at = ring.first(); at.row < rows; ring.next(at)) {
///     ring.take(at, held, otherwise);                  // where it was a later row may arrive
///     const Sum* of_warp = ring.meet(at, mine);        // of all warps that have a part of the row
///     ring.put(at, y, [&](int p) { return f(held[p]); });
///   }
///   ring.end();
///
/// A block has the same part of every row. Its threads are groups, which take rows in turn, so that one waits
/// while another works. The warp that is the last to read a chunk of the ring asks for what comes there next:
/// a warp that does only that would cost all others registers, which are handed out to four warps at a time.
/// Rows begin and end at multiples of 16 bytes. sm_90 only.
#pragma once

#include <bit>
#include <cstdint>

#include "workloads/cuda_piece.cuh"
#include "workloads/cuda_reduce.cuh"
#include "workloads/cuda_row.cuh"
#include "workloads/hopper/bulk_copy.cuh"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/mbarrier.cuh"

namespace aisp::gpu {

/// Up to kSlice KiB of a row in each of kCluster blocks. kGroups groups of kThreads threads hold one slice
/// each in registers; kStages chunks of kChunk KiB are on their way or waiting in shared memory. kBeside more
/// slices stay there for the whole launch: what all rows need, as the gain of a norm.
template <int kSlice_, int kCluster_, int kGroups_, int kThreads_, int kChunk_, int kStages_,
          int kBeside_ = 0>
struct RingTeam {
  static constexpr int kSlice = kSlice_ * 1024, kChunk = kChunk_ * 1024, kStages = kStages_;
  static constexpr int kCluster = kCluster_, kGroups = kGroups_, kThreads = kThreads_, kBeside = kBeside_;
  static constexpr int kWarps = kThreads / kLanes, kAllWarps = kWarps * kCluster;
  static constexpr int kBlock = kGroups * kThreads;
  static constexpr int kSlicePieces = kSlice / 16, kChunkPieces = kChunk / 16, kChunks = kSlice / kChunk;
  static constexpr int kPieces = kSlicePieces / kThreads, kOfChunk = kChunkPieces / kThreads;  // a thread's
  static constexpr std::int64_t kBytes = std::int64_t{kSlice} * kCluster;
  static constexpr unsigned kSharedBytes = kStages * kChunk + kBeside * kSlice;
  /// Chunks at one place of the ring are not all of one group.
  static constexpr bool kShareStages = kGroups > 1 && kStages % (kGroups * kChunks) != 0;
  static_assert(kSlice % kChunk == 0 && kChunkPieces % kThreads == 0);
};

/// Value: eight bytes that warps of a row hand to each other.
template <class T, class Value>
struct RingShared {
  hopper::Barrier full[T::kStages], met[T::kGroups][2], beside;
  unsigned readers[T::kStages];  // warps that have read what is there
  unsigned asked[T::kStages];    // which chunk is there or on its way
  alignas(8) Value of_warp[T::kGroups][2][T::kAllWarps];
};

template <class T, class Value>
class Ring {
 public:
  using Shared = RingShared<T, Value>;
  /// A row that a group has: the n-th of its cluster, the turn-th of the group.
  struct At {
    std::int64_t row;
    int n, turn;
  };

  /// Rows of `count` pieces of 16 bytes.
  __device__ Ring(Shared& shared, const void* from, std::int64_t rows, int count)
      : shared_(shared),
        from_(static_cast<const uint4*>(from)),
        rows_(rows),
        clusters_(gridDim.x / T::kCluster),
        cluster_(blockIdx.x / T::kCluster),
        rank_(blockIdx.x % T::kCluster),
        count_(count),
        share_((count + T::kCluster - 1) / T::kCluster),
        mine_(pieces_of_block(rank_)),
        group_(static_cast<int>(threadIdx.x) / T::kThreads) {}

  /// Fills the ring, then loads the T::kBeside rows that stay.
  template <class... Beside>
  __device__ void begin(Beside... beside) {
    static_assert(sizeof...(Beside) == T::kBeside);
    if (threadIdx.x == 0) {
      for (int s = 0; s < T::kStages; ++s) {
        shared_.full[s].init(1);
        shared_.readers[s] = 0;
      }
      for (int g = 0; g < T::kGroups; ++g)
        for (int b = 0; b < 2; ++b) shared_.met[g][b].init(1);
      shared_.beside.init(1);
      hopper::fence_barriers();
      for (int chunk = 0; chunk < T::kStages; ++chunk) ask(chunk);
      stay(beside...);
    }
    hopper::cluster_barrier();
  }

  __device__ int member() const { return static_cast<int>(threadIdx.x) % T::kThreads; }

  __device__ At first() const { return {cluster_ + std::int64_t{group_} * clusters_, group_, 0}; }
  __device__ void next(At& at) {
    at.row += std::int64_t{T::kGroups} * clusters_;
    at.n += T::kGroups;
    ++at.turn;
  }

  /// Whether the thread's p-th piece is one of the row.
  __device__ bool inside(int p) const { return p * T::kThreads + member() < mine_; }
  /// How many pieces the w-th warp of all that have the row has.
  __device__ int pieces_of_warp(int w) const {
    const int of_block = pieces_of_block(w / T::kWarps);
    const int rest = of_block % T::kThreads - w % T::kWarps * kLanes;
    return of_block / T::kThreads * kLanes + min(max(rest, 0), kLanes);
  }
  __device__ int warp_of_row() const { return rank_ * T::kWarps + member() / kLanes; }

  /// The thread's pieces; `otherwise` stands for what is beyond the row.
  template <class Piece>
  __device__ void take(const At& at, Piece (&held)[T::kPieces], float otherwise) {
#pragma unroll
    for (int c = 0; c < T::kChunks; ++c) {
      const unsigned chunk = at.n * T::kChunks + c, stage = chunk % T::kStages;
      if constexpr (T::kShareStages) await_asked(shared_.asked[stage], chunk);
      await(shared_.full[stage], chunk / T::kStages);
      const Piece* from = static_cast<const Piece*>(stage_at(stage)) + member();
#pragma unroll
      for (int p = 0; p < T::kOfChunk; ++p) {
        const int whole = c * T::kOfChunk + p;
        if (inside(whole)) {
          held[whole] = from[p * T::kThreads];
        } else {
          held[whole] = filled<Piece>(otherwise);
        }
      }
      __syncwarp();
      if (lane_index() == 0 && is_last_to_read(stage)) ask(chunk + T::kStages);
    }
  }

  /// Hands a warp's value to all warps that have a part of the row, and waits for theirs. What it returns
  /// lasts until the group's next call but one: nobody gets that far before all have called again, after they
  /// have read.
  __device__ const Value* meet(const At& at, Value of_warp) {
    hopper::Barrier& met = shared_.met[group_][at.turn % 2];
    Value* all = shared_.of_warp[group_][at.turn % 2];
    if (member() == 0) met.arrive_expecting(T::kAllWarps * sizeof(Value));
    if (lane_index() < T::kCluster)
      hopper::store_counted_in_cluster(hopper::address_in(&all[warp_of_row()], lane_index()),
                                       std::bit_cast<std::uint64_t>(of_warp),
                                       hopper::address_in(&met, lane_index()));
    await(met, at.turn / 2);
    return all;
  }

  /// What stays: the i-th of them, this thread's p-th piece.
  template <class Piece>
  __device__ Piece beside(int i, int p) const {
    return static_cast<const Piece*>(beside_at(i))[p * T::kThreads + member()];
  }
  __device__ void wait_for_beside() const { await(shared_.beside, 0); }
  /// Where in a row the thread's p-th piece is.
  __device__ int place(int p) const { return rank_ * share_ + p * T::kThreads + member(); }

  /// Writes f(p) for the thread's p-th piece of the row.
  template <class Piece, class Function>
  __device__ void put(const At& at, Piece* rows, Function f) {
    Piece* row = rows + at.row * count_ + rank_ * share_ + member();
#pragma unroll
    for (int p = 0; p < T::kPieces; ++p) {
      if (!inside(p)) continue;
      const Piece result = f(p);
      __stcs(reinterpret_cast<float4*>(row + p * T::kThreads), reinterpret_cast<const float4&>(result));
    }
  }

  /// Nobody's shared memory ends before all have written into it.
  __device__ void end() { hopper::cluster_barrier(); }

 private:
  __device__ int pieces_of_block(int rank) const { return min(max(count_ - rank * share_, 0), share_); }

  __device__ static void* stage_at(unsigned stage) {
    extern __shared__ __align__(128) unsigned char ring[];
    return ring + stage * T::kChunk;
  }
  __device__ static void* beside_at(int i) {
    return static_cast<unsigned char*>(stage_at(T::kStages)) + i * T::kSlice;
  }

  /// For the n-th phase of a barrier.
  __device__ static void await(const hopper::Barrier& barrier, unsigned phase) { barrier.wait(phase % 2); }

  /// A barrier tells its last phase from the one before, no more. A group that is ahead of the others could
  /// take what another has yet to read for its own: so it looks whether its chunk has been asked for.
  __device__ static void await_asked(const unsigned& asked, unsigned chunk) {
    unsigned there;
    do {
      asm volatile("ld.acquire.cta.shared::cta.u32 %0, [%1];"
                   : "=r"(there)
                   : "r"(hopper::shared_address(&asked))
                   : "memory");
    } while (there != chunk);
  }

  /// For the cluster's chunk-th chunk, if there is one.
  __device__ void ask(unsigned chunk) {
    const std::int64_t row = cluster_ + std::int64_t{chunk / T::kChunks} * clusters_;
    if (row >= rows_) return;
    const int before = static_cast<int>(chunk % T::kChunks) * T::kChunkPieces;
    const int bytes = 16 * min(max(mine_ - before, 0), T::kChunkPieces);
    if constexpr (T::kShareStages)
      asm volatile("st.release.cta.shared::cta.u32 [%0], %1;"
                   :
                   : "r"(hopper::shared_address(&shared_.asked[chunk % T::kStages])), "r"(chunk)
                   : "memory");
    hopper::Barrier& full = shared_.full[chunk % T::kStages];
    if (bytes == 0) return full.arrive();
    const uint4* from = from_ + row * count_ + rank_ * share_ + before;
    full.arrive_expecting(bytes);
    hopper::load_bytes(stage_at(chunk % T::kStages), from, bytes, full);
  }

  /// Of the group's warps. Counts from the beginning again after the last.
  __device__ bool is_last_to_read(unsigned stage) {
    unsigned before;
    asm volatile("atom.acq_rel.cta.shared::cta.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "r"(hopper::shared_address(&shared_.readers[stage])), "n"(T::kWarps - 1)
                 : "memory");
    return before == T::kWarps - 1;
  }

  template <class... Beside>
  __device__ void stay(Beside... beside) {
    if constexpr (sizeof...(Beside) > 0) {
      if (mine_ == 0) return shared_.beside.arrive();
      shared_.beside.arrive_expecting(T::kBeside * mine_ * 16);
      int i = 0;
      (hopper::load_bytes(beside_at(i++), reinterpret_cast<const uint4*>(beside) + rank_ * share_, mine_ * 16,
                          shared_.beside),
       ...);
    }
  }

  Shared& shared_;
  const uint4* from_;
  std::int64_t rows_;
  int clusters_, cluster_, rank_, count_, share_, mine_, group_;
};

}  // namespace aisp::gpu

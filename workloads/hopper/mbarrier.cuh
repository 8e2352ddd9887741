// SPDX-License-Identifier: Apache-2.0
/// \file
/// Barriers in shared memory that count arrivals of threads and bytes of the copy engine.
///
///   Barrier full;  full.init(1);  fence_barriers();  __syncthreads();
///   full.arrive_expecting(bytes);  load_tile(..., full);   // one thread
///   full.wait(0);                                          // everybody; the next phase has parity 1
///
/// A phase ends when all arrivals and all expected bytes have come; the parity of its number says which one a
/// thread waits for. A barrier that nobody arrived at is in phase 0, and a wait for parity 1 returns at once:
/// whoever waits for room in an empty ring starts with that.
#pragma once

#include <cstdint>
#include <cstdio>

namespace aisp::hopper {

__device__ __forceinline__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

class Barrier {
 public:
  __device__ void init(unsigned arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" : : "r"(address()), "r"(arrivals) : "memory");
  }
  __device__ __forceinline__ void arrive() {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" : : "r"(address()) : "memory");
  }
  /// One arrival, and so many bytes more to come in this phase.
  __device__ __forceinline__ void arrive_expecting(unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :
                 : "r"(address()), "r"(bytes)
                 : "memory");
  }
  /// At the same barrier of block `rank` of the cluster. Says that this thread has read what it will read;
  /// orders none of its writes for the other block.
  __device__ __forceinline__ void arrive_at(unsigned rank) {
    asm volatile(
        "{\n.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.shared::cluster.b64 _, [there];\n}\n"
        :
        : "r"(address()), "r"(rank)
        : "memory");
  }
  /// The same, and what this thread wrote before is visible to whoever sees the arrival with
  /// wait_for_cluster.
  __device__ __forceinline__ void release_at(unsigned rank) {
    asm volatile(
        "{\n.reg .b32 there;\n"
        "mapa.shared::cluster.u32 there, %0, %1;\n"
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [there];\n}\n"
        :
        : "r"(address()), "r"(rank)
        : "memory");
  }
  /// Whether the phase of that parity has ended. May sleep for a moment before it says no.
  __device__ __forceinline__ bool ended(unsigned parity) const {
    unsigned done;
    asm volatile(
        "{\n.reg .pred done;\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done;\n}\n"
        : "=r"(done)
        : "r"(address()), "r"(parity)
        : "memory");
    return done != 0;
  }
  __device__ __forceinline__ void wait(unsigned parity) const {
#ifdef AISP_HOPPER_WATCH
    for (unsigned tries = 0; !ended(parity);) {
      if (++tries < 1u << 22) continue;
      printf("block %u thread %u waits in vain for parity %u of the barrier at shared byte %u\n", blockIdx.x,
             threadIdx.x, parity, address());
      __trap();
    }
#else
    while (!ended(parity)) {
    }
#endif
  }
  /// As wait(), and what other blocks of the cluster released is visible.
  __device__ __forceinline__ void wait_for_cluster(unsigned parity) const {
    unsigned done;
    do {
      asm volatile(
          "{\n.reg .pred done;\n"
          "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%1], %2;\n"
          "selp.u32 %0, 1, 0, done;\n}\n"
          : "=r"(done)
          : "r"(address()), "r"(parity)
          : "memory");
    } while (done == 0);
  }
  __device__ __forceinline__ std::uint32_t address() const { return shared_address(&state_); }

 private:
  alignas(8) std::uint64_t state_;
};

/// After init() and before a barrier of threads: the copy engine and the cluster see barriers as initialised.
__device__ __forceinline__ void fence_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

/// By each thread that wrote shared memory, before the barrier after which the copy engine or the matrix
/// units read it.
__device__ __forceinline__ void fence_writes_for_engines() {
  asm volatile("fence.proxy.async.shared::cta;" : : : "memory");
}

}  // namespace aisp::hopper

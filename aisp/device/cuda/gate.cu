// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/gate.h"
#include "aisp/device/cuda/global_timer.cuh"

#include <cuda/atomic>

namespace aisp::cuda {
namespace {

using OnDevice = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;
using AcrossTheBus = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_system>;

// Two blocks of half the threads each fill a multiprocessor whatever its generation, so that no block of
// another kernel fits beside them.
constexpr int kBlocksPerProcessor = 2;
constexpr unsigned kMostThreads = 1024;

/// One thread of all polls the host's word; the rest wait for it in the device's cache, so that all leave
/// within the same microsecond.
__global__ void __launch_bounds__(kMostThreads, kBlocksPerProcessor)
    hold(Gate::Words* words, std::uint32_t* arrived, std::uint32_t* released, std::uint32_t number,
         std::uint64_t patience_ns) {
  if (threadIdx.x == 0) {
    const std::uint64_t started = global_timer();
    const std::uint32_t last = number * gridDim.x;
    if (OnDevice(*arrived).fetch_add(1, ::cuda::memory_order_relaxed) + 1 == last) {
      AcrossTheBus(words->held).store(number, ::cuda::memory_order_release);
      while (AcrossTheBus(words->opened).load(::cuda::memory_order_acquire) != number) {
        if (global_timer() - started <= patience_ns) continue;
        AcrossTheBus(words->expired).store(number, ::cuda::memory_order_relaxed);
        break;
      }
      OnDevice(*released).store(number, ::cuda::memory_order_release);
    } else {
      // Twice the patience: where another kernel keeps the last block out, the others must leave too.
      while (OnDevice(*released).load(::cuda::memory_order_acquire) != number &&
             global_timer() - started <= 2 * patience_ns) {
      }
    }
  }
  __syncthreads();  // the other threads wait here, and keep their place
}

}  // namespace

Gate::Gate()
    : words_(mapped_memory<Words>()),
      arrived_(device_memory<std::uint32_t>(1)),
      released_(device_memory<std::uint32_t>(1)) {
  int device = 0, processors = 0, threads = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "counting processors");
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device), "counting threads");
  blocks_ = static_cast<unsigned>(processors * kBlocksPerProcessor);
  threads_ = static_cast<unsigned>(threads / kBlocksPerProcessor);
}

bool Gate::close(cudaStream_t stream, std::chrono::nanoseconds patience) {
  ++number_;
  const auto patience_ns = static_cast<std::uint64_t>(patience.count());
  hold<<<blocks_, threads_, 0, stream>>>(words_.get(), arrived_.get(), released_.get(), number_, patience_ns);
  check_launch("closing the gate");
  const auto deadline = std::chrono::steady_clock::now() + patience;
  const volatile std::uint32_t& held = words_->held;
  while (held != number_) {
    if (std::chrono::steady_clock::now() > deadline) return open(), false;
  }
  return true;
}

void Gate::open() { __atomic_store_n(&words_->opened, number_, __ATOMIC_RELEASE); }

bool Gate::expired() const { return __atomic_load_n(&words_->expired, __ATOMIC_ACQUIRE) == number_; }

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What stands around a kernel in every CUDA rung: its stream, its errors, the number of its blocks and the
/// device memory of its plan.
///
///   kernel<<<gpu::blocks_for(n, kThreads), kThreads, 0, gpu::stream_of(call)>>>(...);
///   gpu::check_launch("adding up rows");
///
/// A rung queues its work and returns; what it needs beside its tensors it allocates in prepare().
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "aisp/core/call.h"
#include "aisp/core/on_device.h"

namespace aisp::gpu {

inline void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess)
    throw std::runtime_error(std::string(doing) + ": " + cudaGetErrorName(code) + ", " +
                             cudaGetErrorString(code));
}
/// A launch reports bad arguments here; faults come with the next synchronisation, which is the harness's.
inline void check_launch(const char* doing) { check(cudaGetLastError(), doing); }

inline cudaStream_t stream_of(const Call& call) { return static_cast<cudaStream_t>(call.stream()); }
inline cudaStream_t stream_of(const DeviceReferenceCall& call) {
  return static_cast<cudaStream_t>(call.stream);
}
inline cudaStream_t stream_of(const DeviceDrawCall& call) { return static_cast<cudaStream_t>(call.stream); }

/// Blocks of `each` elements that cover `count`.
constexpr unsigned blocks_for(std::int64_t count, std::int64_t each) {
  return static_cast<unsigned>((count + each - 1) / each);
}

inline unsigned processors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "counting multiprocessors");
  return static_cast<unsigned>(count);
}

/// A cooperative launch, for blocks that wait for each other: refused, instead of waiting for ever, where not
/// all of them are resident at once.
template <class... Arguments>
void launch_together(unsigned blocks, int threads, std::size_t shared_bytes, cudaStream_t stream,
                     void (*kernel)(Arguments...), std::type_identity_t<Arguments>... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &together;
  config.numAttrs = 1;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "launching blocks together");
}

struct FreeMemory {
  void operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }
};
template <class T>
using Memory = std::unique_ptr<T, FreeMemory>;

/// For prepare(): `count` values, all bytes zero.
template <class T>
Memory<T> memory_for(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "allocating a plan's memory");
  Memory<T> owner(static_cast<T*>(memory));
  check(cudaMemset(memory, 0, count * sizeof(T)), "clearing a plan's memory");
  return owner;
}

struct FreePinned {
  void operator()(void* memory) const { static_cast<void>(cudaFreeHost(memory)); }
};
/// Of the host, in pages that are locked in memory: the device reads and writes it by itself.
template <class T>
using Pinned = std::unique_ptr<T, FreePinned>;

/// For prepare(): `count` values, not set.
template <class T>
Pinned<T> pinned_for(std::size_t count) {
  void* memory = nullptr;
  check(cudaMallocHost(&memory, count * sizeof(T)), "locking the host's memory");
  return Pinned<T>(static_cast<T*>(memory));
}

}  // namespace aisp::gpu

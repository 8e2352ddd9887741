// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory that frees itself: on the device, and on the host where the device can see it.
#pragma once

#include <cstddef>
#include <memory>

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {

/// An error while freeing is one of earlier work and has been, or will be, reported by a synchronisation.
struct FreeDevice {
  void operator()(void* memory) const { static_cast<void>(cudaFree(memory)); }
};
struct FreeHost {
  void operator()(void* memory) const { static_cast<void>(cudaFreeHost(memory)); }
};
template <class T>
using DeviceMemory = std::unique_ptr<T, FreeDevice>;
template <class T>
using MappedMemory = std::unique_ptr<T, FreeHost>;

/// `count` values, all bytes zero.
template <class T>
DeviceMemory<T> device_memory(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "allocating device memory");
  DeviceMemory<T> owner(static_cast<T*>(memory));
  check(cudaMemset(memory, 0, count * sizeof(T)), "clearing device memory");
  return owner;
}

/// Host memory that kernels read and write over the bus, at the same address.
template <class T>
MappedMemory<T> mapped_memory() {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable),
        "allocating host memory that the device can see");
  return MappedMemory<T>(new (memory) T{});
}

}  // namespace aisp::cuda

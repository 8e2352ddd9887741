// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cuda_memory.h"

#include <cstdlib>
#include <cstring>

#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/gpu/gpu_error.h"

namespace aisp::cuda {
namespace {
constexpr std::size_t kPage = 4096;
}

std::byte* CudaMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "allocating a tensor");
  return static_cast<std::byte*>(memory);
}

// An error while freeing is one of earlier work and has been, or will be, reported by a synchronisation.
void CudaMemory::release(std::byte* memory) noexcept { static_cast<void>(cudaFree(memory)); }

void CudaMemory::upload(std::byte* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying to the device");
}

void CudaMemory::download(void* to, const std::byte* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDefault), "copying from the device");
}

void CudaMemory::clear(std::byte* memory, std::size_t bytes) {
  check(cudaMemset(memory, 0, bytes), "clearing device memory");
  check(cudaDeviceSynchronize(), "clearing device memory");
}

std::size_t CudaMemory::free_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking how much memory is free");
  return free;
}

// Pages of its own: pinning works on whole ones, and what else is on them would be pinned, too.
std::byte* CudaMemory::allocate_on_host(std::size_t bytes) {
  bytes = (bytes + kPage - 1) / kPage * kPage;
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kPage, bytes));
  if (memory == nullptr) throw device::GpuError(device::GpuFault::out_of_memory, "allocating host memory");
  std::memset(memory, 0, bytes);  // every page exists from now on
  on_host_[memory] = {.bytes = bytes};
  try {
    pin(memory);
  } catch (...) {
    release_on_host(memory);
    throw;
  }
  return memory;
}

void CudaMemory::release_on_host(std::byte* memory) noexcept {
  if (on_host_[memory].pinned) static_cast<void>(cudaHostUnregister(memory));
  on_host_.erase(memory);
  std::free(memory);
}

void CudaMemory::pin(std::byte* memory) {
  OnHost& block = on_host_.at(memory);
  if (block.pinned) return;
  check(cudaHostRegister(memory, block.bytes, cudaHostRegisterMapped | cudaHostRegisterPortable),
        "pinning host memory");
  block.pinned = true;
  void* seen = nullptr;
  check(cudaHostGetDevicePointer(&seen, memory, 0), "mapping host memory");
  if (seen != memory)
    throw device::GpuError(device::GpuFault::unsupported,
                           "this device sees host memory at another address than the host does");
}

void CudaMemory::unpin(std::byte* memory) {
  OnHost& block = on_host_.at(memory);
  if (!block.pinned) return;
  check(cudaHostUnregister(memory), "unpinning host memory");
  block.pinned = false;
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cuda_memory.h"

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {

std::byte* CudaMemory::allocate(std::size_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, bytes), "allocating a tensor");
  return static_cast<std::byte*>(memory);
}

// An error while freeing is one of earlier work and has been, or will be, reported by a synchronisation.
void CudaMemory::release(std::byte* memory) noexcept { static_cast<void>(cudaFree(memory)); }

void CudaMemory::upload(std::byte* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying to the device");
}

void CudaMemory::download(void* to, const std::byte* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying from the device");
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

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/memory_use.h"

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {
namespace {

using device::Activity;

std::uint64_t free_bytes() {
  std::size_t free = 0, total = 0;
  check(cudaMemGetInfo(&free, &total), "asking for free device memory");
  return free;
}

cudaMemPool_t default_pool(int device) {
  cudaMemPool_t pool = nullptr;
  check(cudaDeviceGetDefaultMemPool(&pool, device), "asking for the default pool");
  return pool;
}

std::uint64_t attribute(cudaMemPool_t pool, cudaMemPoolAttr which) {
  std::uint64_t bytes = 0;
  check(cudaMemPoolGetAttribute(pool, which, &bytes), "asking how much the pool holds");
  return bytes;
}

}  // namespace

MemoryWatch::MemoryWatch() {
  check(cudaGetDevice(&device_), "asking for the current device");
  check(cudaDeviceSynchronize(), "waiting for what is given back to the pool");
  check(cudaMemPoolTrimTo(default_pool(device_), 0), "having the pool give back");
  // Zero is the only value a peak can be set to: it then is what is in use.
  std::uint64_t zero = 0;
  check(cudaMemPoolSetAttribute(default_pool(device_), cudaMemPoolAttrUsedMemHigh, &zero),
        "starting the pool's peak anew");
  check(cudaMemPoolSetAttribute(default_pool(device_), cudaMemPoolAttrReservedMemHigh, &zero),
        "starting the pool's peak anew");
  free_bytes_ = free_bytes();
  reserved_bytes_ = attribute(default_pool(device_), cudaMemPoolAttrReservedMemCurrent);
}

MemoryUse MemoryWatch::since() const {
  const cudaMemPool_t pool = default_pool(device_);
  MemoryUse use;
  use.taken_bytes = static_cast<std::int64_t>(free_bytes_) - static_cast<std::int64_t>(free_bytes());
  use.pool_used_bytes = attribute(pool, cudaMemPoolAttrUsedMemCurrent);
  use.pool_peak_used_bytes = attribute(pool, cudaMemPoolAttrUsedMemHigh);
  use.pool_reserved_bytes = attribute(pool, cudaMemPoolAttrReservedMemCurrent);
  use.pool_peak_reserved_bytes = attribute(pool, cudaMemPoolAttrReservedMemHigh) - reserved_bytes_;
  return use;
}

}  // namespace aisp::cuda

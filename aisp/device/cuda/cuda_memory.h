// SPDX-License-Identifier: Apache-2.0
/// \file
/// GpuMemory on the current CUDA device.
#pragma once

#include <map>
#include <optional>

#include "aisp/device/cuda/memory_use.h"
#include "aisp/device/gpu/gpu_memory.h"

namespace aisp::cuda {

class CudaMemory : public device::GpuMemory {
 public:
  std::byte* allocate(std::size_t bytes) override;
  void release(std::byte* memory) noexcept override;
  void upload(std::byte* to, const void* from, std::size_t bytes) override;
  void download(void* to, const std::byte* from, std::size_t bytes) override;
  void clear(std::byte* memory, std::size_t bytes) override;
  std::size_t free_bytes() override;
  void watch_pool() override { pool_.emplace(); }
  std::optional<std::uint64_t> pool_peak_bytes() override {
    return pool_ ? std::optional(pool_->since().pool_peak_reserved_bytes) : std::nullopt;
  }
  std::byte* allocate_on_host(std::size_t bytes) override;
  void release_on_host(std::byte* memory) noexcept override;
  void pin(std::byte* memory) override;
  void unpin(std::byte* memory) override;

 private:
  struct OnHost {
    std::size_t bytes = 0;
    bool pinned = false;
  };
  std::map<std::byte*, OnHost> on_host_;
  std::optional<MemoryWatch> pool_;
};

}  // namespace aisp::cuda

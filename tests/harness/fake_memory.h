// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory of the GPU that is made of threads: the host's.
#pragma once

#include <cstddef>
#include <map>

#include "aisp/device/gpu/gpu_memory.h"

namespace aisp::harness {

/// Throws what a device says that is given an address of the host's alone.
void must_see(const std::byte* data);

class FakeMemory : public device::GpuMemory {
 public:
  std::byte* allocate(std::size_t bytes) override;
  void release(std::byte* memory) noexcept override;
  void upload(std::byte* to, const void* from, std::size_t bytes) override;
  void download(void* to, const std::byte* from, std::size_t bytes) override;
  void clear(std::byte* memory, std::size_t bytes) override;
  std::size_t free_bytes() override;
  std::byte* allocate_on_host(std::size_t bytes) override { return allocate(bytes); }
  void release_on_host(std::byte* memory) noexcept override;
  void pin(std::byte* memory) override;
  void unpin(std::byte* memory) override;

 private:
  int allocations_ = 0;
  std::size_t used_ = 0;
  std::map<std::byte*, std::size_t> sizes_;
};

}  // namespace aisp::harness

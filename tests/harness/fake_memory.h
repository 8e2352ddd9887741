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
  FakeMemory();
  ~FakeMemory() override;

  /// In the order of a stream, as variants do it: the pool keeps what it once had.
  std::byte* allocate_from_pool(std::size_t bytes);
  void release_to_pool(std::byte* memory);
  std::size_t size_of(std::byte* memory) const;
  void watch_pool() override;
  std::optional<std::uint64_t> pool_peak_bytes() override;

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
  std::size_t pool_used_ = 0, pool_held_ = 0;
  std::size_t pool_watched_ = 0;  ///< in use when somebody began to watch
  std::map<std::byte*, std::size_t> sizes_;
};

/// Of the device that is open.
FakeMemory* fake_memory();

}  // namespace aisp::harness

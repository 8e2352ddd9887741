// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory of a GPU. Addresses are the device's: the host must not follow them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace aisp::device {

class GpuMemory {
 public:
  virtual ~GpuMemory() = default;
  /// At least 256-byte aligned. Throws GpuError.
  virtual std::byte* allocate(std::size_t bytes) = 0;
  virtual void release(std::byte* memory) noexcept = 0;
  virtual void upload(std::byte* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const std::byte* from, std::size_t bytes) = 0;
  /// All bytes zero, and done when it returns.
  virtual void clear(std::byte* memory, std::size_t bytes) = 0;
  virtual std::size_t free_bytes() = 0;

  /// The driver's pool keeps what is given back to it. From here on: what it holds at most beyond what is in
  /// use now. Waits for the device. Nothing where there is no such pool.
  virtual void watch_pool() {}
  virtual std::optional<std::uint64_t> pool_peak_bytes() { return std::nullopt; }

  /// Host memory of whole pages, pinned: the device sees it, at the same address. Throws GpuError.
  virtual std::byte* allocate_on_host(std::size_t bytes) = 0;
  /// Pinned or not.
  virtual void release_on_host(std::byte* memory) noexcept = 0;
  /// What allocate_on_host() gave, as a whole: unpinned it is the host's alone, and may be pinned again.
  virtual void pin(std::byte* memory) = 0;
  virtual void unpin(std::byte* memory) = 0;
};

}  // namespace aisp::device

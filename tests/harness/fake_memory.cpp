// SPDX-License-Identifier: Apache-2.0
#include "fake_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "aisp/device/gpu/gpu_error.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

using device::GpuError;
using device::GpuFault;

std::map<const std::byte*, std::size_t> unpinned;  ///< host memory that the device does not see, by its start
FakeMemory* open_memory = nullptr;

}  // namespace

void must_see(const std::byte* data) {
  auto after = unpinned.upper_bound(data);
  if (after == unpinned.begin()) return;
  const auto& [begin, bytes] = *--after;
  if (data < begin + bytes) throw GpuError(GpuFault::sticky, "an illegal memory access: not pinned");
}

bool fake_sees(const void* data) {
  try {
    must_see(static_cast<const std::byte*>(data));
    return true;
  } catch (const GpuError&) {
    return false;
  }
}

FakeMemory* fake_memory() { return open_memory; }

FakeMemory::FakeMemory() { open_memory = this; }
FakeMemory::~FakeMemory() { open_memory = nullptr; }

std::byte* FakeMemory::allocate(std::size_t bytes) {
  must_work();
  const FakeFaults& faults = fake_faults();
  if (++allocations_ == faults.fail_allocation || used_ + bytes > faults.memory_bytes)
    throw GpuError(GpuFault::out_of_memory, "allocating " + std::to_string(bytes) + " bytes: out of memory");
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096));
  used_ += bytes;
  sizes_[memory] = bytes;
  return memory;
}

void FakeMemory::release(std::byte* memory) noexcept {
  used_ -= sizes_[memory];
  std::free(memory);
}

void FakeMemory::upload(std::byte* to, const void* from, std::size_t bytes) {
  must_work();
  std::memcpy(to, from, bytes);
}

void FakeMemory::download(void* to, const std::byte* from, std::size_t bytes) {
  must_work();
  std::memcpy(to, from, bytes);
}

void FakeMemory::clear(std::byte* memory, std::size_t bytes) { std::memset(memory, 0, bytes); }

std::size_t FakeMemory::free_bytes() { return fake_faults().memory_bytes - used_; }

void FakeMemory::release_on_host(std::byte* memory) noexcept {
  unpinned.erase(memory);
  release(memory);
}

std::byte* FakeMemory::allocate_from_pool(std::size_t bytes) {
  std::byte* memory = allocate(bytes);
  pool_used_ += bytes;
  pool_held_ = std::max(pool_held_, pool_used_);
  return memory;
}

void FakeMemory::release_to_pool(std::byte* memory) {
  pool_used_ -= sizes_.at(memory);
  release(memory);
}

std::size_t FakeMemory::size_of(std::byte* memory) const { return sizes_.at(memory); }

void FakeMemory::watch_pool() { pool_held_ = pool_watched_ = pool_used_; }

std::optional<std::uint64_t> FakeMemory::pool_peak_bytes() { return pool_held_ - pool_watched_; }

void FakeMemory::pin(std::byte* memory) { unpinned.erase(memory); }

void FakeMemory::unpin(std::byte* memory) { unpinned[memory] = sizes_.at(memory); }

}  // namespace aisp::harness

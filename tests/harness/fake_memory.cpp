// SPDX-License-Identifier: Apache-2.0
#include "fake_memory.h"

#include <cstdlib>
#include <cstring>

#include "aisp/device/gpu/gpu_error.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

using device::GpuError;
using device::GpuFault;

std::map<const std::byte*, std::size_t> unpinned;  ///< host memory that the device does not see, by its start

void must_be_there() {
  if (fake_faults().lost) throw GpuError(GpuFault::lost, "copying: the device is gone");
}

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

std::byte* FakeMemory::allocate(std::size_t bytes) {
  const FakeFaults& faults = fake_faults();
  if (++allocations_ == faults.fail_allocation || used_ + bytes > faults.memory_bytes)
    throw GpuError(GpuFault::out_of_memory, "allocating a tensor: out of memory");
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
  must_be_there();
  std::memcpy(to, from, bytes);
}

void FakeMemory::download(void* to, const std::byte* from, std::size_t bytes) {
  must_be_there();
  std::memcpy(to, from, bytes);
}

void FakeMemory::clear(std::byte* memory, std::size_t bytes) { std::memset(memory, 0, bytes); }

std::size_t FakeMemory::free_bytes() { return fake_faults().memory_bytes - used_; }

void FakeMemory::release_on_host(std::byte* memory) noexcept {
  unpinned.erase(memory);
  release(memory);
}

void FakeMemory::pin(std::byte* memory) { unpinned.erase(memory); }

void FakeMemory::unpin(std::byte* memory) { unpinned[memory] = sizes_.at(memory); }

}  // namespace aisp::harness

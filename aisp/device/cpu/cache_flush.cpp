// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/cache_flush.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "aisp/device/cpu/topology.h"

namespace aisp::device {
namespace {

std::size_t flush_bytes(std::size_t asked) {
  if (asked != 0) return asked;
  const std::size_t wanted = 4 * last_level_cache_bytes();
  const auto free = static_cast<std::size_t>(std::max(0l, sysconf(_SC_AVPHYS_PAGES))) *
                    static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return free == 0 ? wanted : std::min(wanted, std::max(free / 4, std::size_t{8} << 20));
}

/// Reads one word of every line. The volatile accesses cannot be left out or reordered by the compiler.
void read_lines(const std::byte* begin, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at + 8 <= bytes; at += 64)
    sum += *reinterpret_cast<const volatile std::uint64_t*>(begin + at);
  asm volatile("" : : "r"(sum));
}

}  // namespace

CacheFlusher::CacheFlusher(std::size_t bytes)
    : buffer_(flush_bytes(bytes), {.huge_pages = true}), private_bytes_(std::size_t{4} << 20) {
  // Written once: untouched pages would all be one page of zeros, which fits any cache.
  std::memset(buffer_.data(), 0x5a, buffer_.size());
  if (const Cache* l2 = topology().cache(2)) private_bytes_ = 4 * l2->bytes;
  // The writing left dirty lines of our own; two passes later there are none.
  flush();
  flush();
}

void CacheFlusher::flush() { read_lines(buffer_.data(), buffer_.size()); }

/// Each core must read enough for its own caches, and all together enough for the shared one: a slice each,
/// longer where the slice alone would not cover the private caches.
void CacheFlusher::flush(Team& team) {
  team.run([&](int thread, int threads) {
    const std::size_t total = buffer_.size();
    const std::size_t slice = total / static_cast<std::size_t>(threads) / 64 * 64;
    const std::size_t begin = slice * static_cast<std::size_t>(thread);
    const std::size_t length = std::min(total, std::max(slice, private_bytes_));
    const std::size_t straight = std::min(length, total - begin);
    read_lines(buffer_.data() + begin, straight);
    read_lines(buffer_.data(), length - straight);
  });
}

void CacheFlusher::touch(std::span<const std::byte> memory) {
  unsigned sum = 0;
  for (std::size_t at = 0; at < memory.size(); at += 64)
    sum += *reinterpret_cast<const volatile unsigned char*>(memory.data() + at);
  if (!memory.empty())
    sum += *reinterpret_cast<const volatile unsigned char*>(memory.data() + memory.size() - 1);
  asm volatile("" : : "r"(sum));
}

}  // namespace aisp::device

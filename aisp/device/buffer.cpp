// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/buffer.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <utility>

#include "aisp/core/check.h"
#include "aisp/device/line_words.h"

namespace aisp::device {
namespace {

constexpr std::size_t kGuard = 4096;
constexpr std::size_t kHugePage = std::size_t{2} << 20;

std::size_t round_up(std::size_t n, std::size_t to) { return (n + to - 1) / to * to; }

/// The changed bytes of a zone filled by fill_lines: first, last and how many.
struct Damage {
  std::size_t first = 0, last = 0, count = 0;
};
Damage find_damage(const std::byte* begin, const std::byte* end, std::uint64_t seed) {
  const auto bytes = static_cast<std::size_t>(end - begin);
  std::byte expected[kGuard];  // both zones are as long, so that the usual case is one memcmp
  AISP_CHECK(bytes <= sizeof expected, "a guard zone is longer than its check");
  fill_lines(expected, bytes, seed, 0);
  Damage damage;
  if (std::memcmp(begin, expected, bytes) == 0) return damage;
  for (std::size_t at = 0; at < bytes; ++at) {
    if (begin[at] == expected[at]) continue;
    if (damage.count++ == 0) damage.first = at;
    damage.last = at;
  }
  return damage;
}

/// The zones before and behind use different words: a block copied from one to the other is noticed.
constexpr std::uint64_t kBehind = 0x5851f42d4c957f2dull;

void populate(std::byte* begin, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(begin, bytes, MADV_POPULATE_WRITE) == 0) return;
#endif
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < bytes; at += page) *reinterpret_cast<volatile unsigned char*>(begin + at) = 0;
}

}  // namespace

Buffer::Buffer(std::size_t bytes, const Options& options) : size_(bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t alignment =
      options.alignment != 0 ? options.alignment : (bytes >= 64 * 1024 ? std::size_t{4096} : std::size_t{64});
  AISP_CHECK(std::has_single_bit(alignment), "the alignment of a buffer is a power of two");
  if (bytes > std::numeric_limits<std::size_t>::max() / 4) throw std::bad_alloc();

  // Huge pages need a start on their own boundary; the guard zone then takes the first bytes of the first
  // one.
  const std::size_t start_alignment = options.huge_pages ? std::max(kHugePage, page) : page;
  const std::size_t head = round_up(kGuard, alignment);
  const std::size_t open = round_up(head + bytes + kGuard, options.huge_pages ? kHugePage : page);
  const std::size_t slack = std::max(start_alignment, alignment);
  mapped_ = open + slack + 2 * page;
  void* mapping = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapping);
  const auto lowest = reinterpret_cast<std::uintptr_t>(mapping_) + page;
  auto* begin = reinterpret_cast<std::byte*>(round_up(lowest, std::max(start_alignment, alignment)));
  open_ = begin;
  open_bytes_ = open;
  if (mprotect(begin, open, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
  if (options.huge_pages) madvise(begin, open, MADV_HUGEPAGE);
  populate(begin, open);
  data_ = begin + head;
  guard_before_ = data_ - kGuard;
  guard_end_ = data_ + size_ + kGuard;
  arm_guards(reinterpret_cast<std::uintptr_t>(data_));
}

Buffer::~Buffer() {
  if (hidden_ != nullptr) munmap(hidden_, open_bytes_);
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
}

Buffer::Buffer(Buffer&& other) noexcept { *this = std::move(other); }

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapped_, other.mapped_);
  std::swap(open_, other.open_);
  std::swap(open_bytes_, other.open_bytes_);
  std::swap(hidden_, other.hidden_);
  std::swap(closed_, other.closed_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(guard_before_, other.guard_before_);
  std::swap(guard_end_, other.guard_end_);
  std::swap(guard_seed_, other.guard_seed_);
  return *this;
}

/// Moves page tables, not contents. Zeros and no fault: a thread that some variant left behind would
/// otherwise end the worker in another variant's turn.
void Buffer::hide() {
  if (data_ == nullptr) return;
  // Not through glibc, which up to 2.38 passes on what happens to be in the register of the new address.
  hidden_ = reinterpret_cast<void*>(
      syscall(SYS_mremap, open_, open_bytes_, open_bytes_, MREMAP_MAYMOVE | MREMAP_DONTUNMAP, nullptr));
  if (hidden_ != MAP_FAILED) return;
  hidden_ = nullptr;
  closed_ = mprotect(open_, open_bytes_, PROT_NONE) == 0;
  AISP_CHECK(closed_, "a buffer cannot be hidden");
}

void Buffer::show() {
  if (closed_) {
    AISP_CHECK(mprotect(open_, open_bytes_, PROT_READ | PROT_WRITE) == 0, "a buffer cannot be opened again");
    closed_ = false;
  }
  if (hidden_ == nullptr) return;
  const void* back =
      mremap(hidden_, open_bytes_, open_bytes_, MREMAP_MAYMOVE | MREMAP_FIXED, static_cast<void*>(open_));
  AISP_CHECK(back == open_, "a hidden buffer cannot be brought back");
  hidden_ = nullptr;
}

void Buffer::arm_guards(std::uint64_t seed) {
  guard_seed_ = seed;
  if (data_ == nullptr) return;
  fill_lines(guard_before_, static_cast<std::size_t>(data_ - guard_before_), seed, 0);
  fill_lines(data_ + size_, static_cast<std::size_t>(guard_end_ - data_) - size_, seed ^ kBehind, 0);
}

std::optional<std::string> Buffer::broken_guard() const {
  if (data_ == nullptr) return std::nullopt;
  const Damage before = find_damage(guard_before_, data_, guard_seed_);
  const Damage behind = find_damage(data_ + size_, guard_end_, guard_seed_ ^ kBehind);
  const auto zone = static_cast<std::size_t>(data_ - guard_before_);
  std::string text;
  if (before.count > 0)
    text = std::to_string(before.count) + " bytes before the start were changed, the nearest " +
           std::to_string(zone - before.last) + " before the first element";
  if (behind.count > 0)
    text += (text.empty() ? "" : "; ") + std::to_string(behind.count) +
            " bytes after the end were changed, the nearest " + std::to_string(behind.first + 1) +
            " after the last element";
  if (text.empty()) return std::nullopt;
  return text;
}

}  // namespace aisp::device

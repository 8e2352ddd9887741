// SPDX-License-Identifier: Apache-2.0
/// \file
/// Memory the harness lends to variants: page-faulted in advance, surrounded by random guard words,
/// poisonable.
///
///   Buffer y(bytes, {.huge_pages = true});
///   y.arm_guards(secret);
///   y.poison(DType::f32, secret);
///   variant.run(...);
///   if (auto broken = y.broken_guard()) ...            // "4 bytes after the end were changed, ..."
///   if (y.poison_left(DType::f32, secret, 1) > 0) ...  // something was never written
///
/// Layout: no access | guard words | data | guard words, from the very next byte | no access. A write just
/// outside changes a guard word; one further away faults. Not for device memory, and not a general allocator:
/// every buffer is a mapping of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "aisp/core/dtype.h"

namespace aisp::device {

struct BufferOptions {
  bool huge_pages = false;    ///< ask for transparent huge pages; ignored where the kernel has none
  std::size_t alignment = 0;  ///< a power of two; 0 = 64 bytes, or a page from 64 KiB up
};

class Buffer {
 public:
  using Options = BufferOptions;

  Buffer() = default;
  /// Maps and pre-faults. Throws std::bad_alloc when the address space or a limit does not allow it.
  explicit Buffer(std::size_t bytes, const Options& options = {});
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  Buffer(const Buffer&) = delete;  // a second owner would unmap memory that views still use
  Buffer& operator=(const Buffer&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }  ///< bytes
  /// What was mapped in all, guards included: what the process pays.
  std::size_t mapped_bytes() const { return mapped_; }

  /// Between these two its pages lie elsewhere and zeros in their place, so that nobody can read it; what is
  /// written there is lost. Where the kernel cannot do that (before 5.7, or a limit on address space), an
  /// access faults instead.
  void hide();
  void show();

  /// Fills both guard zones (4 KiB each at least) with words drawn from the seed.
  void arm_guards(std::uint64_t seed);
  /// Nothing, or where and how much of a guard zone changed since arm_guards(). About a microsecond.
  std::optional<std::string> broken_guard() const;

  /// Fills the data: floating types with quiet NaNs of random sign and payload, integers with random words.
  void poison(DType type, std::uint64_t seed);
  /// Elements that still hold exactly their poison; stops counting at `limit`.
  ///
  /// A written float never equals its poison unless it is a NaN. A written integer does by chance (1 in 256
  /// for 8 bits), so integers count only in runs of 8 matching bytes and more: a chance of 2^-64 for each
  /// position. A lone integer element left unwritten is not seen here; it holds a random word, which the
  /// checker sees. Buffers of 4 to 7 bytes count when they match as a whole (2^-32); shorter integer buffers
  /// never count.
  std::uint64_t poison_left(DType type, std::uint64_t seed,
                            std::uint64_t limit = std::numeric_limits<std::uint64_t>::max()) const;

  /// 64-bit hash of the content. Any change inside one 8-byte word changes it; unrelated contents agree with
  /// chance 2^-64. Not cryptographic.
  std::uint64_t checksum() const;

 private:
  std::byte* mapping_ = nullptr;
  std::size_t mapped_ = 0;
  std::byte* open_ = nullptr;  ///< first page with access, and how many bytes have it
  std::size_t open_bytes_ = 0;
  void* hidden_ = nullptr;  ///< where the pages are meanwhile
  bool closed_ = false;     ///< hidden by taking the access away
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::byte* guard_before_ = nullptr;  ///< up to data_
  std::byte* guard_end_ = nullptr;     ///< the zone behind reaches from data_ + size_ to here
  std::uint64_t guard_seed_ = 0;
};

}  // namespace aisp::device

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes caches cold without leaving work behind: reads four times the last-level cache, so that every
/// resident line is clean and belongs to nobody. A flush by writing leaves dirty lines whose write-back the
/// timed call pays.
///
///   CacheFlusher flusher;
///   flusher.flush(team);      // private caches of the helpers' cores too
///   timed_call();
///
/// Costs the time of reading that much memory (about 20 ms for a 48 MiB cache).
#pragma once

#include <cstddef>
#include <span>

#include "aisp/core/team.h"
#include "aisp/device/buffer.h"

namespace aisp::device {

class CacheFlusher {
 public:
  /// `bytes`: how much to read in each flush; 0 = four last-level caches, at most a quarter of free memory.
  explicit CacheFlusher(std::size_t bytes = 0);

  /// Evicts from the caches of the calling thread's core and from the shared cache.
  void flush();
  /// The same for the cores of all threads of the team.
  void flush(Team& team);

  /// Reads the memory in, one access a line: the opposite of a flush.
  static void touch(std::span<const std::byte> memory);

  std::size_t bytes() const { return buffer_.size(); }

 private:
  Buffer buffer_;
  std::size_t private_bytes_;  ///< what one core must read for its private caches alone
};

}  // namespace aisp::device

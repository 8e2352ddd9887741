// SPDX-License-Identifier: Apache-2.0
/// \file
/// The line protocol's transport: one JSON value per line over a socket. Used by both ends;
/// docs/design/worker_protocol.md lists the messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace aisp::harness {

class LineChannel {
 public:
  explicit LineChannel(int fd) : fd_(fd) {}
  int fd() const { return fd_; }

  /// Writes the line and a newline. False when the other end is gone.
  bool write_line(std::string_view line);
  /// Takes one complete line from the buffer, if there is one.
  std::optional<std::string> take_line();
  /// Reads what is there (blocking if nothing is). False at the end of the stream, on error, or when a line
  /// exceeds the limit: a hostile peer must not fill the memory.
  bool fill();
  /// Blocks until a line or the end.
  std::optional<std::string> read_line();

 private:
  static constexpr std::size_t kMaxLine = std::size_t{64} << 20;
  int fd_;
  std::string buffer_;
  std::size_t scanned_ = 0;
};

}  // namespace aisp::harness

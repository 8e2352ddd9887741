// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/line_channel.h"

#include <array>
#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

namespace aisp::harness {

bool LineChannel::write_line(std::string_view line) {
  std::string message(line);
  message += '\n';
  std::size_t sent = 0;
  while (sent < message.size()) {
    const ssize_t n = send(fd_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

std::optional<std::string> LineChannel::take_line() {
  const std::size_t end = buffer_.find('\n', scanned_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  std::string line = buffer_.substr(0, end);
  buffer_.erase(0, end + 1);
  scanned_ = 0;
  return line;
}

bool LineChannel::fill() {
  std::array<char, 65536> chunk{};
  ssize_t n = 0;
  do {
    n = read(fd_, chunk.data(), chunk.size());
  } while (n < 0 && errno == EINTR);
  if (n <= 0) return false;
  buffer_.append(chunk.data(), static_cast<std::size_t>(n));
  return buffer_.size() <= kMaxLine;
}

std::optional<std::string> LineChannel::read_line() {
  for (;;) {
    if (auto line = take_line()) return line;
    if (!fill()) return std::nullopt;
  }
}

}  // namespace aisp::harness

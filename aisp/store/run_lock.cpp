// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/run_lock.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace aisp::store {
namespace {

/// A socket's address that stands in no folder.
struct Name {
  sockaddr_un address{};
  socklen_t size = 0;

  explicit Name(const std::string& run) {
    const std::string text = "aisp-run-" + run;
    const std::size_t length = std::min(text.size(), sizeof address.sun_path - 1);
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, text.data(), length);  // after a zero
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }
};

int new_socket() { return ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

}  // namespace

std::optional<RunLock> RunLock::take(const std::string& run) {
  const Name name(run);
  RunLock lock(new_socket());
  // Without sockets nothing is locked, and nothing is refused either.
  if (lock.socket_ >= 0 && ::bind(lock.socket_, name.get(), name.size) != 0 && errno == EADDRINUSE)
    return std::nullopt;
  return lock;
}

RunLock::RunLock(RunLock&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

RunLock& RunLock::operator=(RunLock&& other) noexcept {
  std::swap(socket_, other.socket_);
  return *this;
}

RunLock::~RunLock() {
  if (socket_ >= 0) ::close(socket_);
}

bool is_running(const std::string& run) {
  const Name name(run);
  const int socket = new_socket();  // asking takes nothing: two may ask at once
  const bool answered = socket >= 0 && ::connect(socket, name.get(), name.size) == 0;
  if (socket >= 0) ::close(socket);
  return answered;
}

}  // namespace aisp::store

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who measures a run: held while it goes on, so that nobody else resumes it and nobody prunes it.
///
///   std::optional<RunLock> lock = RunLock::take(run.id);
///   if (!lock) ...   // another process measures it
///
/// A name of the kernel's, not a file: it goes when its holder does, however that ends, and leaves nothing
/// behind. It holds on one machine; two that share a store over a network do not see each other's.
#pragma once

#include <optional>
#include <string>

namespace aisp::store {

class RunLock {
 public:
  /// Nothing when another holds it, this process included.
  static std::optional<RunLock> take(const std::string& run);
  RunLock(RunLock&& other) noexcept;
  RunLock& operator=(RunLock&& other) noexcept;
  ~RunLock();

 private:
  explicit RunLock(int socket) : socket_(socket) {}
  int socket_ = -1;
};

bool is_running(const std::string& run);

}  // namespace aisp::store

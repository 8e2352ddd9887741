// SPDX-License-Identifier: Apache-2.0
/// \file
/// The run that the interface started: a process of its own, no shell between, whose stderr is read as it
/// comes. For one thread, which waits for descriptor() among others.
///
///   Result<Child> child = Child::start("/proc/self/exe", {"run", "ch07", "--events"});
///   for (const std::string& line : child->read()) ...
///   if (const auto code = child->ended()) ...
///
/// Nothing that was started here outlives this object: it is asked to end, asked again, and then made to.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include "aisp/core/result.h"

namespace aisp::tui {

class Child {
 public:
  static Result<Child> start(const std::string& program, const std::vector<std::string>& words);
  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  ~Child();

  /// Readable when there is more to read(), or when it has ended; -1 once all was read.
  int descriptor() const { return output_; }
  /// Complete lines that have come; never waits.
  std::vector<std::string> read();
  /// Its exit code, or 128 and the signal that ended it; nothing while it runs or has more to say.
  std::optional<int> ended();
  /// The first two times it is asked to end: `aisp run` stores what it has. Then it is killed.
  void end();

 private:
  Child(pid_t pid, int output) : pid_(pid), output_(output) {}
  bool gone_within(std::chrono::milliseconds time);

  pid_t pid_ = -1;  ///< -1 once it was waited for
  int output_ = -1;
  std::string rest_;  ///< of a line
  std::optional<int> code_;
  int asked_ = 0;
};

/// Bytes of a line that are kept: an event of a cell with hundreds of variants.
inline constexpr std::size_t kLongestLine = std::size_t{1} << 18;

}  // namespace aisp::tui

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one run that the server may have started: a child process of its own, with arguments that were
/// checked before and no shell between. Thread-safe.
///
///   JobControl jobs("/proc/self/exe", [](const Job& job) { ... });
///   jobs.start({"run", "ch07/transpose", "--suite", "quick"});
///   jobs.end();    // asks it to stop; the second time it is killed
///
/// Its end is that of this object too: nothing that was started here outlives it.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "aisp/core/fields.h"
#include "aisp/core/result.h"

namespace aisp::server {

struct Job {
  int id = 0;
  std::string state;  ///< "running", "finished"
  std::vector<std::string> command;
  std::string started, finished;   ///< UTC; empty while unknown
  std::optional<int> exit_code;    ///< 128 + the signal that ended it
  std::vector<std::string> lines;  ///< the last that it wrote
  AISP_FIELDS(id, state, command, started, finished, exit_code, lines)
};

class JobControl {
 public:
  /// Whether it took the line, which then is not kept among those of the job.
  using TakeLine = std::function<bool(const std::string&)>;

  /// Both are called from one thread of this object: that a job begins is said before any of its lines.
  JobControl(std::string program, std::function<void(const Job&)> changed, TakeLine take_line = {});
  ~JobControl();
  JobControl(const JobControl&) = delete;
  JobControl& operator=(const JobControl&) = delete;

  /// ErrorCode::environment where one runs already.
  Result<Job> start(const std::vector<std::string>& arguments);
  /// The one that runs, or the last one.
  std::optional<Job> current();
  /// False: none runs.
  bool end();

 private:
  void follow(int output, const Job& begun);
  bool take(std::string_view bytes, std::string& rest);
  bool end_line(std::string& rest);
  bool gone_within(std::chrono::milliseconds time);

  std::string program_;
  std::function<void(const Job&)> changed_;
  TakeLine take_line_;
  std::mutex mutex_;
  std::optional<Job> job_;
  pid_t pid_ = -1;  ///< of the one that runs
  int asked_to_end_ = 0;
  std::thread reader_;
};

/// Lines and bytes of a line that are kept; a line that is longer than the last is nobody's to take.
inline constexpr std::size_t kJobLines = 100, kJobLineBytes = 500, kTakenLineBytes = std::size_t{64} << 10;

}  // namespace aisp::server

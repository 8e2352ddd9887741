// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs `aisp` as a user does and looks at what it leaves behind: exit code, streams, processes, files.
///
///   Sandbox box;
///   const Finished run = box.run({"run", "--plugin", plugin("hostile"), "hostile/crash"});
///   EXPECT_EQ(run.exit_code, 8) << run.err;
///   EXPECT_TRUE(box.survivors().empty());
///
/// Deadlines end a test that hangs; no test may judge by how long something took.
#pragma once

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <sys/types.h>

#include "aisp/wire/json.h"

namespace aisp::testing {

struct Finished {
  int exit_code = -1;  ///< -1 when it ended by a signal or by the deadline
  int signal = 0;      ///< that ended it
  bool timed_out = false;
  std::string out, err;
  /// `out` as JSON; a null value where it is none.
  Json json() const;
};

class Sandbox;

/// A program that runs; killed when this goes out of scope.
class Process {
 public:
  Process(Process&& other) noexcept;
  Process& operator=(Process&&) = delete;
  ~Process();

  pid_t pid() const { return pid_; }
  void send(int signal) const { ::kill(pid_, signal); }
  /// Waits for the end; past the deadline it is killed.
  Finished wait(std::chrono::seconds deadline = std::chrono::seconds(120));
  /// Processes it has started and that are alive.
  std::vector<pid_t> children() const;

 private:
  friend class Sandbox;
  Process(pid_t pid, std::filesystem::path streams) : pid_(pid), streams_(std::move(streams)) {}
  pid_t pid_ = -1;
  std::filesystem::path streams_;  ///< "<streams_>.out" and "<streams_>.err"
};

class Sandbox {
 public:
  Sandbox();
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  std::map<std::string, std::string> environment;  ///< the whole of it
  std::filesystem::path directory;                 ///< working directory of what is started
  std::function<void()> before_exec = [] {};       ///< in the child: limits, mounts

  std::filesystem::path root() const { return root_; }
  std::filesystem::path tmp() const { return root_ / "tmp"; }
  std::filesystem::path store() const { return root_ / "results.db"; }

  /// Puts measured ceilings into the store, so that a run does not begin with measuring them.
  void give_ceilings() const;

  Process start(const std::vector<std::string>& arguments, const std::string& program = AISP_PROGRAM);
  Finished run(const std::vector<std::string>& arguments, const std::string& program = AISP_PROGRAM);

  /// Living processes that inherited this sandbox's environment.
  std::vector<pid_t> survivors() const;
  /// Waits for the last of them to go; false when some stay.
  bool alone() const;
  /// What is left in TMPDIR.
  std::vector<std::string> leftovers() const;
  std::filesystem::path write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path root_;
  std::string marker_;
  int started_ = 0;
};

/// The path of a test plugin.
std::string plugin(const std::string& name);

/// Waits until `condition` holds; false past the deadline.
bool eventually(const std::function<bool()>& condition,
                std::chrono::seconds deadline = std::chrono::seconds(60));

}  // namespace aisp::testing

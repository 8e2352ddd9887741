// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch_child.h"

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/harness/interrupt.h"

namespace aisp::cli {
namespace {

using Time = std::chrono::steady_clock;
constexpr auto kLook = std::chrono::milliseconds(50);
constexpr auto kMeanwhile = std::chrono::milliseconds(500);
constexpr auto kGrace = std::chrono::seconds(20);

}  // namespace

Result<LaunchChild> LaunchChild::start(std::vector<std::string> words, const std::filesystem::path& output) {
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  // What this program ignores, others need not.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0)
    return Error{ErrorCode::environment, "cannot start " + words.front() + ": " + std::strerror(error), ""};
  return LaunchChild(pid);
}

int LaunchChild::wait(const std::function<void()>& meanwhile) const {
  auto looked = Time::now();
  Time::time_point asked{};
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) == 0) {
    const auto now = Time::now();
    if (harness::interrupted() != 0) {
      if (asked == Time::time_point{}) {
        asked = now;
        ::kill(pid_, SIGTERM);
      } else if (now - asked > kGrace) {
        ::kill(pid_, SIGKILL);
      }
    }
    if (now - looked > kMeanwhile) {
      looked = now;
      meanwhile();
    }
    std::this_thread::sleep_for(kLook);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace aisp::cli

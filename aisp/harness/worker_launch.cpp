// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/worker_launch.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <csignal>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace aisp::harness {
namespace {

constexpr int kChannelFd = 3;
constexpr int kBoardFd = kChannelFd + 1;
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPassivePools{
    {{"OMP_WAIT_POLICY", "passive"}, {"GOMP_SPINCOUNT", "0"}, {"OPENBLAS_THREAD_TIMEOUT", "4"}}};

std::vector<std::string> arguments_of(const WorkerSetup& setup) {
  std::vector<std::string> arguments{
      setup.program,    "worker",
      "--fd",           std::to_string(kChannelFd),
      "--memory-limit", std::to_string(static_cast<long long>(setup.limits.address_space_bytes))};
  for (const std::string& plugin : setup.plugins) {
    arguments.emplace_back("--plugin");
    arguments.push_back(plugin);
  }
  return arguments;
}

/// What a process may hold that is its own and can be written, stacks and heaps; reserved addresses do not
/// count. Set by the coordinator and not by the worker, which may be of an older build.
std::optional<rlimit> memory_limit(const WorkerLimits& limits) {
#ifdef AISP_SANITIZED
  static_cast<void>(limits);
  return std::nullopt;  // a sanitizer's shadow is terabytes that can be written
#else
  if (limits.memory_bytes <= 0) return std::nullopt;
  const auto bytes = static_cast<rlim_t>(limits.memory_bytes);
  return rlimit{bytes, bytes};
#endif
}

/// May hold the password of a store on a server, which is no business of measured code.
bool is_secret(std::string_view variable) {
  return variable.starts_with("AISP_STORE=") || variable.starts_with("PGPASSWORD=");
}

std::vector<std::string> environment_of(const WorkerSetup& setup) {
  std::vector<std::string> variables;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (is_secret(text)) continue;
    const auto replaced = [&](const auto& pair) { return text.rfind(pair.first + "=", 0) == 0; };
    if (std::ranges::none_of(setup.environment, replaced)) variables.emplace_back(text);
  }
  for (const auto& [name, value] : setup.environment) variables.push_back(name + "=" + value);
  // Library thread pools must sleep after a call, not spin into the next variant's window. Whoever sets these
  // variables has the last word.
  for (const auto& [name, value] : kPassivePools) {
    const auto set = [&, prefix = std::string(name) + "="](const std::string& v) {
      return v.rfind(prefix, 0) == 0;
    };
    if (std::ranges::none_of(variables, set))
      variables.push_back(std::string(name) + "=" + std::string(value));
  }
  return variables;
}

}  // namespace

Result<LaunchedWorker> launch_worker(const WorkerSetup& setup) {
  if (access(setup.program.c_str(), X_OK) != 0) {
    return Error{ErrorCode::environment,
                 "cannot start a worker: " + setup.program + ": " + std::strerror(errno),
                 "the program reaches itself through /proc, which must be mounted"};
  }
  std::array<int, 2> channel{};
  std::array<int, 2> output{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel.data()) != 0) {
    return Error{ErrorCode::environment, std::string("no socket for a worker: ") + std::strerror(errno),
                 "raise the limit of open files"};
  }
  if (pipe2(output.data(), O_CLOEXEC) != 0) {
    ::close(channel[0]);
    ::close(channel[1]);
    return Error{ErrorCode::environment, std::string("no pipe for a worker: ") + std::strerror(errno),
                 "raise the limit of open files"};
  }
  Result<NoticeBoard> board = NoticeBoard::make();
  if (!board) {
    for (const int fd : {channel[0], channel[1], output[0], output[1]}) ::close(fd);
    return board.error();
  }
  // Everything the child needs is built before fork(): afterwards only system calls are safe. Its descriptors
  // are copied beyond all targets first, since a source may have another's target as its number (the
  // coordinator's own standard streams may be closed).
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  std::array<int, 4> copies{null, output[1], channel[1], board->fd()};
  for (int& fd : copies) fd = fcntl(fd, F_DUPFD_CLOEXEC, kBoardFd + 1);
  ::close(null);
  const auto close_all = [&] {
    for (const int fd : {channel[0], channel[1], output[0], output[1]}) ::close(fd);
    for (const int fd : copies) ::close(fd);
  };
  if (std::ranges::find(copies, -1) != copies.end()) {
    close_all();
    return Error{ErrorCode::environment, "no descriptors for a worker", "raise the limit of open files"};
  }
  std::vector<std::string> arguments = arguments_of(setup), variables = environment_of(setup);
  std::vector<char*> argv, envp;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  for (std::string& variable : variables) envp.push_back(variable.data());
  argv.push_back(nullptr);
  envp.push_back(nullptr);

  const std::optional<rlimit> memory = memory_limit(setup.limits);
  const pid_t coordinator = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    close_all();
    return Error{ErrorCode::environment, std::string("cannot start a worker: ") + std::strerror(errno), ""};
  }
  if (pid == 0) {
    // Dies with the coordinator; the second line is for one that died before the first.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != coordinator) _exit(127);
    if (memory) setrlimit(RLIMIT_DATA, &*memory);
    setpgid(0, 0);       // Ctrl-C at the terminal goes to the coordinator alone
    dup2(copies[0], 0);  // dup2 clears the close-on-exec flag
    dup2(copies[1], 1);
    dup2(copies[1], 2);
    dup2(copies[2], kChannelFd);
    dup2(copies[3], kBoardFd);
    close_range(kBoardFd + 1, ~0u, 0);
    execve(setup.program.c_str(), argv.data(), envp.data());
    _exit(127);
  }
  setpgid(pid, pid);
  for (const int fd : copies) ::close(fd);
  ::close(channel[1]);
  ::close(output[1]);
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  return LaunchedWorker{pid, channel[0], output[0], *std::move(board)};
}

}  // namespace aisp::harness

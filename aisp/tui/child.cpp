// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/child.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aisp::tui {
namespace {

using std::chrono::milliseconds;

Error failure(const std::string& what) {
  return {ErrorCode::io, what + ": " + std::strerror(errno), "close other programs, or raise their limit"};
}

/// In the child, where after fork() only system calls are safe.
[[noreturn]] void become(const std::string& program, char* const* argv, pid_t parent, int null, int output) {
  // Ends with the interface, even one that was killed; the second line is for one that died before the first.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);  // Ctrl-C at the terminal goes to the interface alone
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP, SIGWINCH}) std::signal(signal, SIG_DFL);
  dup2(null, 0);
  dup2(null, 1);  // its table is read from the store instead
  dup2(output, 2);
  close_range(3, ~0u, 0);
  execv(program.c_str(), argv);
  _exit(127);
}

}  // namespace

Result<Child> Child::start(const std::string& program, const std::vector<std::string>& words) {
  std::array<int, 2> output{};
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return failure("cannot open /dev/null");
  if (pipe2(output.data(), O_CLOEXEC) != 0) {
    close(null);
    return failure("no pipe for a run");
  }
  fcntl(output[0], F_SETFL, O_NONBLOCK);
  std::vector<std::string> all{"aisp"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> argv;
  for (std::string& word : all) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become(program, argv.data(), parent, null, output[1]);
  close(null);
  close(output[1]);
  if (pid > 0) return Child(pid, output[0]);
  close(output[0]);
  return failure("cannot start a run");
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      output_(std::exchange(other.output_, -1)),
      rest_(std::move(other.rest_)),
      code_(other.code_),
      asked_(other.asked_) {}

Child::~Child() {
  for (const milliseconds patience : {milliseconds(2000), milliseconds(1000), milliseconds(5000)}) {
    if (pid_ <= 0) break;
    end();
    if (gone_within(patience)) break;
  }
  if (output_ >= 0) close(output_);
}

std::vector<std::string> Child::read() {
  std::vector<std::string> lines;
  std::array<char, 4096> chunk{};
  while (output_ >= 0) {
    const ssize_t size = ::read(output_, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) break;
    if (size <= 0) {
      close(std::exchange(output_, -1));
      if (!rest_.empty()) lines.push_back(std::exchange(rest_, {}));
      break;
    }
    for (const char c : std::string_view(chunk.data(), static_cast<std::size_t>(size))) {
      if (c == '\n') {
        lines.push_back(std::exchange(rest_, {}));
      } else if (rest_.size() < kLongestLine) {
        rest_ += c;
      }
    }
  }
  return lines;
}

std::optional<int> Child::ended() {
  if (code_ && output_ < 0) return code_;
  int status = 0;
  if (pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = -1;
    code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return output_ < 0 ? code_ : std::nullopt;
}

void Child::end() {
  if (pid_ > 0) kill(pid_, ++asked_ > 2 ? SIGKILL : SIGTERM);
}

bool Child::gone_within(milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
    // A full pipe would keep it from ending.
    read();
    ended();
    if (pid_ <= 0) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

}  // namespace aisp::tui

// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/job.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace aisp::server {
namespace {

using std::chrono::milliseconds;

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

struct Started {
  pid_t pid;
  int output;
};

Result<Started> launch(const std::string& program, const std::vector<std::string>& arguments) {
  std::array<int, 2> output{};
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (null < 0 || pipe2(output.data(), O_CLOEXEC) != 0) {
    if (null >= 0) close(null);
    return Error{ErrorCode::io, std::string("no pipe for a run: ") + std::strerror(errno),
                 "raise the limit of open files"};
  }
  // Built before fork(): afterwards only system calls are safe.
  std::vector<std::string> words{"aisp"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    // Ends with the server, even one that was killed; the second line is for one that died before the first.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    setpgid(0, 0);  // Ctrl-C at the terminal goes to the server alone
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) std::signal(signal, SIG_DFL);
    dup2(null, 0);
    dup2(output[1], 1);
    dup2(output[1], 2);
    close_range(3, ~0u, 0);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(null);
  close(output[1]);
  if (pid > 0) return Started{pid, output[0]};
  close(output[0]);
  return Error{ErrorCode::io, std::string("cannot start a run: ") + std::strerror(errno), ""};
}

}  // namespace

JobControl::JobControl(std::string program, std::function<void(const Job&)> changed, TakeLine take_line)
    : program_(std::move(program)), changed_(std::move(changed)), take_line_(std::move(take_line)) {}

JobControl::~JobControl() {
  // Asked, asked again, made to: `aisp run` stores what it has at the first.
  for (const milliseconds patience : {milliseconds(400), milliseconds(200), milliseconds(5000)}) {
    if (!end() || gone_within(patience)) break;
  }
  if (reader_.joinable()) reader_.join();
}

Result<Job> JobControl::start(const std::vector<std::string>& arguments) {
  Job begun;
  {
    const std::lock_guard lock(mutex_);
    if (pid_ > 0) return Error{ErrorCode::environment, "a run is in progress", "wait for it, or end it"};
    if (reader_.joinable()) reader_.join();
    const Result<Started> started = launch(program_, arguments);
    if (!started) return started.error();
    pid_ = started->pid;
    asked_to_end_ = 0;
    job_ = Job{.id = job_ ? job_->id + 1 : 1,
               .state = "running",
               .command = arguments,
               .started = utc_now(),
               .finished = {},
               .exit_code = {},
               .lines = {}};
    begun = *job_;
    reader_ = std::thread([this, output = started->output, begun] { follow(output, begun); });
  }
  return begun;
}

std::optional<Job> JobControl::current() {
  const std::lock_guard lock(mutex_);
  return job_;
}

bool JobControl::end() {
  const std::lock_guard lock(mutex_);
  if (pid_ <= 0) return false;
  kill(pid_, ++asked_to_end_ > 2 ? SIGKILL : SIGTERM);
  return true;
}

bool JobControl::gone_within(milliseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
    {
      const std::lock_guard lock(mutex_);
      if (pid_ <= 0) return true;
    }
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

/// Whether the job has a line more. Of one that is too long as much stays as tells that it is.
bool JobControl::end_line(std::string& rest) {
  const bool taken = take_line_ && rest.size() <= kTakenLineBytes && take_line_(rest);
  if (!taken) {
    const std::lock_guard lock(mutex_);
    job_->lines.push_back(rest.substr(0, kJobLineBytes));
    if (job_->lines.size() > kJobLines) job_->lines.erase(job_->lines.begin());
  }
  rest.clear();
  return !taken;
}

bool JobControl::take(std::string_view bytes, std::string& rest) {
  bool more = false;
  for (const char c : bytes) {
    if (c == '\n')
      more = end_line(rest) || more;
    else if (rest.size() <= kTakenLineBytes)
      rest += c;
  }
  return more;
}

/// Lines are told as they are complete, a few a second at most: whoever watches reads no faster.
void JobControl::follow(int output, const Job& begun) {
  changed_(begun);
  std::array<char, 4096> chunk{};
  std::string rest;
  bool more = false;
  auto told = std::chrono::steady_clock::time_point();
  while (true) {
    const ssize_t size = read(output, chunk.data(), chunk.size());
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) break;
    more = take({chunk.data(), static_cast<std::size_t>(size)}, rest) || more;
    const auto now = std::chrono::steady_clock::now();
    if (!more || now - told < milliseconds(200)) continue;
    more = false;
    told = now;
    changed_(*current());
  }
  close(output);
  if (!rest.empty()) end_line(rest);
  int status = 0;
  pid_t pid = 0;
  {
    const std::lock_guard lock(mutex_);
    pid = pid_;
  }
  // The process is waited for before its number is forgotten: end() must not meet another of that number.
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  Job finished;
  {
    const std::lock_guard lock(mutex_);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = -1;
    job_->state = "finished";
    job_->finished = utc_now();
    job_->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    finished = *job_;
  }
  changed_(finished);
}

}  // namespace aisp::server

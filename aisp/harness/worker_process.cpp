// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/worker_process.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/exit_code.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/interrupt.h"
#include "aisp/harness/line_channel.h"
#include "aisp/harness/notice_board.h"
#include "aisp/harness/stray_processes.h"
#include "aisp/harness/worker_launch.h"
#include "aisp/wire/json.h"

namespace aisp::harness {
namespace {

using Time = std::chrono::steady_clock;
constexpr auto kTick = std::chrono::milliseconds(50);
constexpr auto kAbsence = std::chrono::seconds(1);
constexpr auto kGrace = std::chrono::milliseconds(300);  // between SIGTERM and SIGKILL
constexpr auto kFuneral = std::chrono::seconds(2);       // between the closed channel and the end
constexpr double kGrowthSteps = 8;                       // of the memory limit, each a sign of life
constexpr int kAnnouncements = 1000;                     // of variants, for each round that was asked for
constexpr int kStepsOfAVariant = 4;    // that it may take between two messages, each as long as a silence
constexpr std::size_t kVariants = 16;  // where a request does not name them
constexpr std::size_t kOutputKept = 2000;
constexpr std::size_t kOutputShown = 400;  // the end of what was printed, in the reason

/// What a process has, as the kernel counts it; nothing when it is gone.
struct Holdings {
  int threads = 0;
  double bytes = 0;  ///< of memory, shared with others or not
};

Holdings holdings_of(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  Holdings holdings;
  std::string line;
  while (holdings.threads == 0 && std::getline(status, line)) {
    if (line.rfind("VmRSS:", 0) == 0) holdings.bytes = 1024.0 * std::atof(line.c_str() + 6);
    if (line.rfind("Threads:", 0) == 0) holdings.threads = std::atoi(line.c_str() + 8);
  }
  return holdings;
}

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  const char* meaning = sigdescr_np(signal);
  return (name != nullptr ? "SIG" + std::string(name) : std::to_string(signal)) +
         (meaning != nullptr ? " (" + std::string(meaning) + ")" : "");
}

WorkerEnd end_of(int wait_status, const std::string& variant) {
  if (WIFSIGNALED(wait_status)) {
    const int signal = WTERMSIG(wait_status);
    if (signal == SIGSYS) return {"forked", "tried to start another process", variant};
    if (signal == SIGKILL)
      return {"killed", "SIGKILL from outside; most often the kernel was out of memory", variant};
    return {"crashed", signal_text(signal), variant};
  }
  return {"exited", "ended itself with exit code " + std::to_string(WEXITSTATUS(wait_status)), variant};
}

/// What may be said in answer to a request. Everything else is not the harness speaking, and no sign of life.
class Expected {
 public:
  Expected(const WorkerRequest& request, std::string_view until)
      : until_(until),
        rounds_(request.op == "rounds" ? request.count : 0),
        audits_(until == "done" && rounds_ == 0 ? request.cell.variants.size() + 1 : 0),
        announcements_(kAnnouncements * std::max(1, request.count)) {}

  bool admits(const WorkerReply& reply) {
    if (reply.event == "round") return rounds_-- > 0;
    if (reply.event == "audited" && audits_ > 0) return audits_-- > 0;
    if (reply.event == "running") return announcements_-- > 0;
    if (reply.event == "error") return is_error_code(reply.code);
    return reply.event == until_ || reply.event == "threw";
  }

 private:
  std::string_view until_;
  int rounds_;
  std::size_t audits_;  ///< one for each variant, and one for what concerns all
  int announcements_;
};

}  // namespace

struct WorkerProcess::State {
  pid_t pid = -1;
  LineChannel channel;
  int output = -1;  ///< read end of the worker's stdout and stderr
  WorkerLimits limits;
  std::uint64_t output_seen = 0;
  std::string output_tail;
  NoticeBoard board;                 ///< variant last announced
  std::string running;               ///< the same from a worker of an older build, which announces by message
  std::size_t variants = kVariants;  ///< whose turns may lie between two messages

  State(NoticeBoard notices, int channel_fd) : channel(channel_fd), board(std::move(notices)) {}

  std::string announced() const {
    const Notice notice = board.read();
    return notice.number > 0 ? notice.who() : running;
  }

  ~State() {
    if (pid > 0) {
      kill_all();
      reap();
    }
    if (channel.fd() >= 0) ::close(channel.fd());
    if (output >= 0) ::close(output);
  }

  /// Its process group and itself: it may have left the group. Before it is waited for, while both numbers
  /// are its own.
  void kill_all() const {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
  }

  /// Waits for one that has ended or was killed; how it ended.
  int reap() {
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    bury();
    return status;
  }

  /// The worker has been waited for: its number may be another's from now on.
  void bury() {
    disown_worker(pid);
    pid = -1;
    end_strays();
  }

  /// Ended, and not waited for yet. Processes that it left behind may hold its channel open.
  bool has_ended() const {
    siginfo_t ended{};
    return waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == pid;
  }

  /// Empties the output pipe; false when the limit is passed.
  bool drain() {
    std::array<char, 65536> chunk{};
    for (int i = 0; i < 64; ++i) {
      const ssize_t n = read(output, chunk.data(), chunk.size());
      if (n <= 0) break;
      output_seen += static_cast<std::uint64_t>(n);
      output_tail.append(chunk.data(), static_cast<std::size_t>(n));
      if (output_tail.size() > kOutputKept) output_tail.erase(0, output_tail.size() - kOutputKept);
    }
    return output_seen <= limits.output_bytes;
  }

  /// Asks politely, then does not ask.
  WorkerEnd end(std::string status, std::string detail) {
    kill(pid, SIGTERM);
    for (const auto until = Time::now() + kGrace; !has_ended() && Time::now() < until;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      drain();
    }
    kill_all();  // also what is left of the group of one that went
    reap();
    drain();
    return finish({std::move(status), std::move(detail), announced()});
  }

  /// The channel is closed. A process that ended can be waited for a moment later; one that hung up and goes
  /// on, or sends a line without an end, is ended.
  WorkerEnd died() {
    for (const auto until = Time::now() + kFuneral; !has_ended();) {
      if (Time::now() > until) return end("broke the protocol", "closed its channel and went on");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      drain();
    }
    kill_all();
    const int status = reap();
    drain();
    return finish(end_of(status, announced()));
  }

  WorkerEnd finish(WorkerEnd end) const {
    std::string last = output_tail;
    while (!last.empty() && std::isspace(static_cast<unsigned char>(last.back())) != 0) last.pop_back();
    if (last.size() > kOutputShown) last = "..." + last.substr(last.size() - kOutputShown);
    if (!last.empty()) end.detail += "; last output: " + last;
    return end;
  }
};

Result<WorkerProcess> WorkerProcess::start(const WorkerSetup& setup) {
  adopt_orphans();
  Result<LaunchedWorker> launched = launch_worker(setup);
  if (!launched) return launched.error();
  auto state = std::make_unique<State>(std::move(launched->board), launched->channel);
  state->pid = launched->pid;
  own_worker(launched->pid);
  state->output = launched->output;
  state->limits = setup.limits;
  return WorkerProcess(std::move(state));
}

WorkerProcess::WorkerProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
WorkerProcess::WorkerProcess(WorkerProcess&&) noexcept = default;
WorkerProcess& WorkerProcess::operator=(WorkerProcess&&) noexcept = default;
WorkerProcess::~WorkerProcess() = default;
int WorkerProcess::pid() const { return state_->pid; }

WorkerEnd WorkerProcess::end(const std::string& status, const std::string& detail) {
  return state_->end(status, detail);
}

Answer WorkerProcess::ask(const WorkerRequest& request, std::string_view until,
                          const std::function<void(WorkerReply&)>& on_reply) {
  State& s = *state_;
  if (s.pid < 0) return {.end = WorkerEnd{"exited", "the worker had ended before", ""}};
  if (!s.channel.write_line(encode(request))) return {.end = s.died()};
  const auto silence = std::chrono::duration<double>(s.limits.silence_seconds);
  Expected expected(request, until);
  // A notice is a sign of life that any code in the worker can give: it buys time, but not for ever.
  if (!request.cell.variants.empty()) s.variants = request.cell.variants.size();
  const auto patience = silence * kStepsOfAVariant * static_cast<double>(1 + s.variants);
  auto heard = Time::now(), answered = heard, ticked = heard, looked = heard;
  std::uint32_t noticed = s.board.read().number;
  double most_held = 0;
  for (;;) {
    while (const auto line = s.channel.take_line()) {
      heard = Time::now();
      Result<WorkerReply> reply = decode_reply(*line);
      if (!reply) return {.end = s.end("broke the protocol", reply.error().message)};
      if (!expected.admits(*reply)) {
        return {.end = s.end("broke the protocol", "sent '" + printable_utf8(reply->event) + "' where '" +
                                                       std::string(until) + "' was due")};
      }
      if (reply->event == "running") {
        s.running = reply->variant;
      } else {
        answered = heard;
      }
      if (reply->event == "error") {
        return {.error = Error{static_cast<ErrorCode>(reply->code), reply->message, reply->hint}};
      }
      if (reply->event == "threw") {
        const bool memory = reply->message == "out of memory";
        return {.end = memory ? s.end("out of memory", "an allocation was refused (std::bad_alloc)")
                              : s.end("threw", reply->message)};
      }
      on_reply(*reply);
      if (reply->event == until) return {};
    }
    std::array<pollfd, 2> fds{pollfd{s.channel.fd(), POLLIN, 0}, pollfd{s.output, POLLIN, 0}};
    const int ready = poll(fds.data(), fds.size(), static_cast<int>(kTick.count()));
    // A coordinator that was stopped itself must not call its worker silent.
    const auto now = Time::now();
    if (now - ticked > kAbsence) {
      heard += now - ticked;
      answered += now - ticked;
    }
    ticked = now;
    if (interrupted() != 0) return {.end = s.end("interrupted", "the run was interrupted")};
    if (!s.drain()) {
      return {.end =
                  s.end("too much output",
                        "wrote more than " + std::to_string(s.limits.output_bytes >> 20) + " MiB of output")};
    }
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0 && !s.channel.fill()) return {.end = s.died()};
    if (ready < 0) continue;
    const bool spoke = (fds[0].revents & POLLIN) != 0;
    if (spoke && now - looked < kTick) continue;
    looked = now;
    if (!spoke && s.has_ended()) return {.end = s.died()};  // else what it said last is read first
    const Holdings holdings = holdings_of(s.pid);
    if (holdings.threads > s.limits.threads) {
      return {.end = s.end("too many threads", std::to_string(holdings.threads) + " threads")};
    }
    if (const double limit = s.limits.memory_bytes; limit > 0) {
      // What the kernel does not count against the worker's own limits: memory it shares with itself.
      if (holdings.bytes > limit) {
        return {.end = s.end("out of memory", "held " + readable_bytes(holdings.bytes) +
                                                  ", and the limit is " + readable_bytes(limit))};
      }
      // One that fills its memory slowly (each page is the host's to give, in a virtual machine) does not
      // hang: it gets the time to reach its limit and be named for it, and that is eight times at most.
      if (holdings.bytes > most_held + limit / kGrowthSteps) {
        most_held = holdings.bytes;
        heard = Time::now();
      }
    }
    if (const std::uint32_t number = s.board.read().number; number != noticed) {
      noticed = number;
      heard = Time::now();
    }
    // `now`, not the present: had the coordinator been stopped since, the next turn would take it into
    // account.
    if (now - heard > silence) {
      const std::string what = s.board.read().what();
      return {.end = s.end("timed out", "no sign of life for " +
                                            std::to_string(static_cast<int>(silence.count())) + " s" +
                                            (what.empty() ? "" : ": " + what))};
    }
    if (now - answered > patience) {
      return {.end =
                  s.end("timed out", "no answer for " + std::to_string(static_cast<int>(patience.count())) +
                                         " s, though its notices changed")};
    }
  }
}

}  // namespace aisp::harness

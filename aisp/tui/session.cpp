// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/session.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <optional>

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "aisp/tui/child.h"
#include "aisp/tui/painter.h"
#include "aisp/tui/state.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

using Time = std::chrono::steady_clock;

/// How often the store is asked whether it has news, and the clock of a live run is shown anew.
constexpr int kLookMilliseconds = 1000;
/// Rows whose details are read between two looks at the keyboard.
constexpr std::size_t kRowsAtOnce = 4;

/// Signals as something to wait for; as they were before when this goes.
class Signals {
 public:
  Signals() {
    sigemptyset(&taken_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGWINCH}) sigaddset(&taken_, signal);
    sigprocmask(SIG_BLOCK, &taken_, &before_);
    fd_ = signalfd(-1, &taken_, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~Signals() {
    if (fd_ >= 0) close(fd_);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  int descriptor() const { return fd_; }
  /// 0: none waits.
  int next() {
    signalfd_siginfo info{};
    return ::read(fd_, &info, sizeof info) == sizeof info ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  sigset_t taken_{}, before_{};
  int fd_ = -1;
};

class Session {
 public:
  Session(Library& library, const SessionOptions& options, Painter& painter, Signals& signals)
      : library_(library), options_(options), painter_(painter), signals_(signals) {}

  int run() {
    state_.workloads = library_.workloads();
    state_.place = library_.place();
    look_into_store();
    while (!over_) {
      read_details();
      painter_.show(draw(state_, painter_.size()));
      wait();
      take_signals();
      take_output();
      take_keys();
      if (Time::now() - looked_ >= std::chrono::milliseconds(kLookMilliseconds)) look_into_store();
    }
    if (child_) {
      state_.notice = "ending the run; what it has finished is kept";
      painter_.show(draw(state_, painter_.size()));
    }
    return code_;
  }

 private:
  void wait() {
    std::array<pollfd, 3> waited{
        {{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0},
         {.fd = signals_.descriptor(), .events = POLLIN, .revents = 0},
         {.fd = child_ ? child_->descriptor() : -1, .events = POLLIN, .revents = 0}}};
    const bool more = !unread_rows(state_, painter_.size()).empty();
    poll(waited.data(), waited.size(), more ? 0 : kLookMilliseconds);
    // The terminal is gone: a connection that was lost, a window that was closed.
    if ((waited[0].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) quit(128 + SIGHUP);
  }

  void quit(int code) {
    over_ = true;
    code_ = code;
  }

  void take_signals() {
    while (const int signal = signals_.next()) {
      if (signal == SIGWINCH) {
        painter_.resized();
      } else {
        quit(128 + signal);
      }
    }
  }

  void take_output() {
    if (!child_ || !state_.live) return;
    state_.live->seconds = std::chrono::duration<double>(Time::now() - started_).count();
    for (const std::string& line : child_->read()) state_.live->take(line);
    const std::optional<int> code = child_->ended();
    if (!code) return;
    state_.live->ended(*code);
    child_.reset();
    look_into_store();
  }

  void take_keys() {
    while (!over_) {
      const std::optional<Key> key = painter_.key();
      if (!key) break;
      for (const Effect& effect : update(state_, *key, painter_.size())) fulfil(effect);
    }
  }

  void fulfil(const Effect& effect) {
    switch (effect.kind) {
      case Effect::Kind::quit:
        quit(0);
        break;
      case Effect::Kind::list:
        state_.listed = effect.words.front();
        read_results();
        break;
      case Effect::Kind::open:
        open(effect.first);
        break;
      case Effect::Kind::compare:
        compare(effect.first, effect.second);
        break;
      case Effect::Kind::again:
        measure_again(effect.first);
        break;
      case Effect::Kind::start:
        start(effect.words);
        break;
      case Effect::Kind::end:
        if (child_) child_->end();
        state_.notice = "the run was asked to end; what it has finished is kept";
        break;
    }
  }

  const store::CellSummary* row_of(std::int64_t seq) const {
    const auto found = std::ranges::find(state_.results, seq, &store::CellSummary::seq);
    return found == state_.results.end() ? nullptr : &*found;
  }

  void tell(const Error& error) {
    state_.notice = error.hint.empty() ? error.message : error.message + "; " + error.hint;
  }

  void open(std::int64_t seq) {
    const store::CellSummary* row = row_of(seq);
    if (row == nullptr) return;
    Result<CellResult> cell = library_.cell(seq);
    if (!cell) return tell(cell.error());
    show_result(state_, *row, *std::move(cell));
  }

  void compare(std::int64_t first, std::int64_t second) {
    const store::CellSummary *a = row_of(first), *b = row_of(second);
    if (a == nullptr || b == nullptr) return;
    Result<Comparison> comparison = library_.compare(*a, *b);
    if (!comparison) return tell(comparison.error());
    show_comparison(state_, *std::move(comparison));
  }

  void measure_again(std::int64_t seq) {
    const Result<CellResult> cell = library_.cell(seq);
    if (!cell) return tell(cell.error());
    show_setup(state_, *cell);
  }

  void start(std::vector<std::string> words) {
    show_run(state_, words);
    for (const std::string& word : library_.shared_words()) words.push_back(word);
    words.emplace_back("--events");
    Result<Child> child = Child::start(options_.program, words);
    if (!child) {
      tell(child.error());
      state_.live.reset();
      return;
    }
    child_.emplace(*std::move(child));
    started_ = Time::now();
  }

  void read_details() {
    std::vector<std::int64_t> unread = unread_rows(state_, painter_.size());
    if (unread.size() > kRowsAtOnce) unread.resize(kRowsAtOnce);
    for (const std::int64_t seq : unread) {
      const Result<CellResult> cell = library_.cell(seq);
      state_.details[seq] = cell ? detail_of(*cell) : detail_of(cell.error());
    }
  }

  void look_into_store() {
    looked_ = Time::now();
    std::string version = library_.version();
    if (version != version_ && read_results()) version_ = std::move(version);
  }

  bool read_results() {
    const Status read = tui::read_results(state_, library_);
    if (!read) tell(read.error());
    return static_cast<bool>(read);
  }

  Library& library_;
  const SessionOptions& options_;
  Painter& painter_;
  Signals& signals_;
  State state_;
  std::optional<Child> child_;  ///< ends with the session
  std::string version_ = "never asked";
  Time::time_point looked_, started_;
  bool over_ = false;
  int code_ = 0;
};

}  // namespace

Result<int> run_session(Library& library, const SessionOptions& options) {
  Signals signals;  // before ncurses, which would handle those that nobody does
  Result<Painter> painter = Painter::open(options.colours);
  if (!painter) return painter.error();
  return Session(library, options, *painter, signals).run();
}

}  // namespace aisp::tui

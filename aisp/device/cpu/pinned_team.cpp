// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/pinned_team.h"

#include <sched.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>

#include "aisp/core/check.h"
#include "aisp/device/cpu/affinity.h"

namespace aisp::device {
namespace {

enum Command : int { kRun, kArm, kPark, kStop };

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Spins, and gives the processor away now and then: at once when threads share processors, and after some
/// tens of microseconds when something else has taken the processor of the thread waited for.
template <class Done>
void spin_until(const Done& done, bool oversubscribed) {
  const int patience = oversubscribed ? 16 : 1024;
  for (int i = 1; !done(); ++i) {
    if (i % patience == 0)
      sched_yield();
    else
      relax();
  }
}

}  // namespace

/// Written by the owner before `number` is raised, read by helpers after they saw it: the release and acquire
/// on `number` order everything else. Lines of their own, so that an acknowledgement disturbs no other
/// spinner.
struct PinnedTeam::Shared {
  alignas(64) std::atomic<std::uint32_t> number{0};  ///< of the latest command
  Command command = kPark;
  FunctionRef<void(int, int)>* body = nullptr;
  bool oversubscribed = false;
};

struct PinnedTeam::Helper {
  alignas(64) std::atomic<std::uint32_t> done{0};  ///< the latest command this helper has finished
  std::exception_ptr exception;
  std::thread thread;

  void loop(Shared& shared, int index, int threads, int cpu) {
    if (cpu >= 0) pin_current_thread(cpu);
    bool armed = false;
    for (std::uint32_t seen = 0;;) {
      const auto raised = [&] { return shared.number.load(std::memory_order_acquire) != seen; };
      if (armed)
        spin_until(raised, shared.oversubscribed);
      else
        while (!raised()) shared.number.wait(seen, std::memory_order_acquire);
      ++seen;  // commands come one at a time: the next is not given before all have finished this one
      const Command command = shared.command;
      if (command == kRun) {
        try {
          (*shared.body)(index, threads);
        } catch (...) {
          exception = std::current_exception();
        }
      }
      if (command == kArm) armed = true;
      if (command == kPark) armed = false;
      done.store(seen, std::memory_order_release);
      if (command == kStop) return;
    }
  }
};

PinnedTeam::PinnedTeam(int threads, const Options& options) : threads_(threads), shared_(new Shared) {
  AISP_CHECK(threads >= 1, "a team has at least one thread");
  const std::vector<int> cpus = cpus_by_core();
  oversubscribed_ = static_cast<std::size_t>(threads) > cpus.size();
  shared_->oversubscribed = oversubscribed_;
  if (!oversubscribed_) cpus_.assign(cpus.begin(), cpus.begin() + threads);
  for (int i = 1; i < threads; ++i) {
    helpers_.push_back(std::make_unique<Helper>());
    Helper* helper = helpers_.back().get();
    const int cpu = oversubscribed_ ? -1 : cpus_[static_cast<std::size_t>(i)];
    try {
      helper->thread = std::thread([this, helper, i, cpu] { helper->loop(*shared_, i, threads_, cpu); });
    } catch (...) {  // a limit on threads: those that started must end before this object does
      helpers_.pop_back();
      stop();
      throw;
    }
  }
  if (options.pin_caller && !oversubscribed_) {
    callers_cpus_ = current_thread_cpus();
    pin_current_thread(cpus_[0]);
  }
}

void PinnedTeam::stop() {
  issue_and_wait(kStop);
  for (auto& helper : helpers_) helper->thread.join();
  helpers_.clear();
}

PinnedTeam::~PinnedTeam() {
  stop();
  if (!callers_cpus_.empty()) allow_current_thread(callers_cpus_);
}

/// For kRun the caller does its own share between issuing and waiting; see run().
void PinnedTeam::issue_and_wait(int command) {
  if (helpers_.empty()) return;
  shared_->command = static_cast<Command>(command);
  const std::uint32_t number = shared_->number.load(std::memory_order_relaxed) + 1;
  shared_->number.store(number, std::memory_order_release);
  if (!armed_) shared_->number.notify_all();
  for (auto& helper : helpers_)
    spin_until([&] { return helper->done.load(std::memory_order_acquire) == number; }, oversubscribed_);
}

void PinnedTeam::run(FunctionRef<void(int thread, int threads)> body) {
  AISP_CHECK(!running_, "a team's run() was called inside its own run()");
  if (helpers_.empty()) return body(0, 1);
  running_ = true;
  shared_->command = kRun;
  shared_->body = &body;
  const std::uint32_t number = shared_->number.load(std::memory_order_relaxed) + 1;
  shared_->number.store(number, std::memory_order_release);
  if (!armed_) shared_->number.notify_all();

  std::exception_ptr first;
  try {
    body(0, threads_);
  } catch (...) {
    first = std::current_exception();
  }
  for (auto& helper : helpers_) {
    spin_until([&] { return helper->done.load(std::memory_order_acquire) == number; }, oversubscribed_);
    if (helper->exception) {
      if (!first) first = helper->exception;
      helper->exception = nullptr;
    }
  }
  running_ = false;
  if (first) std::rethrow_exception(first);
}

void PinnedTeam::arm() {
  if (armed_) return;
  issue_and_wait(kArm);
  armed_ = true;
}

void PinnedTeam::park() {
  if (!armed_) return;
  issue_and_wait(kPark);
  armed_ = false;
}

}  // namespace aisp::device

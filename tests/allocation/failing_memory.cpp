// SPDX-License-Identifier: Apache-2.0
#include "tests/allocation/failing_memory.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>

#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/core/check.h"

namespace aisp::allocation {
namespace {

struct Countdown {
  std::atomic<long> left = 0;  ///< 0 = off
  std::atomic<bool> failed = false;

  bool is_up() {
    if (left.load(std::memory_order_relaxed) == 0 || --left != 0) return false;
    failed = true;
    return true;
  }
};

Countdown countdowns[2];
Memory tried_memory = Memory::cpp;
long tried_n = 0;
sqlite3_mem_methods real;

void* allocate_or_fail(int bytes) {
  return countdowns[static_cast<int>(Memory::sqlite)].is_up() ? nullptr : real.xMalloc(bytes);
}
void* resize_or_fail(void* block, int bytes) {
  return countdowns[static_cast<int>(Memory::sqlite)].is_up() ? nullptr : real.xRealloc(block, bytes);
}

}  // namespace

void prepare_sqlite() {
  static const bool prepared = [] {
    AISP_CHECK(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &real) == SQLITE_OK, "SQLite tells its allocator");
    sqlite3_mem_methods failing = real;
    failing.xMalloc = allocate_or_fail;
    failing.xRealloc = resize_or_fail;
    AISP_CHECK(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) == SQLITE_OK, "SQLite is not in use yet");
    return true;
  }();
  static_cast<void>(prepared);
}

void start_here() {
  Countdown& countdown = countdowns[static_cast<int>(tried_memory)];
  countdown.failed = false;
  countdown.left = tried_n;
}

void stop_failing() {
  for (Countdown& countdown : countdowns) countdown.left = 0;
}

Sweep sweep_allocations(Memory memory, long stride, const std::function<int(long)>& work) {
  constexpr int kThrew = 10, kMet = 100;
  Countdown& countdown = countdowns[static_cast<int>(memory)];
  if (std::getenv("AISP_EVERY_ALLOCATION") != nullptr) stride = 1;
  Sweep sweep;
  for (long n = 1; sweep.wrong.empty(); n += stride) {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit none{0, 0};
      setrlimit(RLIMIT_CORE, &none);
      std::set_terminate([] { std::abort(); });  // without a word
      tried_memory = memory;
      tried_n = n;
      start_here();
      int answer = kThrew;
      try {
        answer = work(n);
      } catch (const std::bad_alloc&) {
      }
      stop_failing();
      _exit(answer + (countdown.failed ? kMet : 0));
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (code == kDone || code == kMet + kDone) sweep.done.push_back(n);
    if (code == kDone) return sweep;
    ++sweep.failures;
    if (code == kMet + kRefused) {
      ++sweep.refused;
    } else if (code == kMet + kThrew) {
      ++sweep.threw;
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) {
      ++sweep.aborted;
    } else if (code != kMet + kDone) {
      sweep.wrong = "n = " + std::to_string(n) + ", wait status " + std::to_string(status);
    }
  }
  return sweep;
}

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (countdowns[static_cast<int>(Memory::cpp)].is_up()) throw std::bad_alloc();
  void* block = alignment == 0
                    ? std::malloc(bytes == 0 ? 1 : bytes)
                    : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

}  // namespace aisp::allocation

void* operator new(std::size_t bytes) { return aisp::allocation::allocate(bytes, 0); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return aisp::allocation::allocate(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept try {
  return aisp::allocation::allocate(bytes, 0);
} catch (const std::bad_alloc&) {
  return nullptr;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { std::free(block); }

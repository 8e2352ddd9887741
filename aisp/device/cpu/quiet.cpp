// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/quiet.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace aisp::device {
namespace {

double read_ns(clockid_t id) {
  timespec t{};
  if (clock_gettime(id, &t) != 0) return 0;
  return static_cast<double>(t.tv_sec) * 1e9 + static_cast<double>(t.tv_nsec);
}

template <class Visit>
void for_each_thread(const Visit& visit) {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return;
  while (const dirent* entry = readdir(tasks))
    if (const int thread = std::atoi(entry->d_name); thread > 0) visit(thread);
  closedir(tasks);
}

/// Brings the kernel's account of every thread up to now. The process clock adds the threads' accounts as
/// they were at their last tick (4 ms at 250 Hz); reading a thread's own clock updates its account first.
void settle_accounts() {
  if (thread_count() == 1) return;  // the caller's, which is always up to now
  for_each_thread([](int thread) {
    // The clock id of any thread, as the kernel encodes it (include/linux/posix-timers_types.h): glibc offers
    // it for threads with a pthread_t only.
    read_ns(static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6u));
  });
}

/// Whether a thread other than the caller runs or wants to. On a busy machine a thread can have work and yet
/// use no CPU time for a while, because others hold the processors; the growth of its account alone would
/// miss that.
bool others_runnable() {
  const int self = gettid();
  bool found = false;
  for_each_thread([&](int thread) {
    if (thread == self || found) return;
    char path[64], text[512];
    std::snprintf(path, sizeof path, "/proc/self/task/%d/stat", thread);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;  // it has ended
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0) return;
    text[length] = 0;
    const char* name_end = std::strrchr(text, ')');  // "7 (name) S ...", and the name may hold anything
    found = name_end != nullptr && name_end[1] == ' ' && name_end[2] == 'R';
  });
  return found;
}

void nap(long ns) {
  const timespec pause{0, ns};
  nanosleep(&pause, nullptr);
}

}  // namespace

int thread_count() {
  struct stat info{};
  // A directory has two links of its own and one for each sub-directory, here one for each thread.
  if (stat("/proc/self/task", &info) != 0 || info.st_nlink < 3) return 0;
  return static_cast<int>(info.st_nlink) - 2;
}

double other_threads_cpu_ns() {
  settle_accounts();
  // A caller that loses its processor between two readings is charged some 10 us for the switch, which would
  // look like another thread's work. Two readings of its own clock around the process's tell.
  double others = 0;
  for (int attempt = 0; attempt < 8; ++attempt) {
    const double before = read_ns(CLOCK_THREAD_CPUTIME_ID);
    const double process = read_ns(CLOCK_PROCESS_CPUTIME_ID);
    const double after = read_ns(CLOCK_THREAD_CPUTIME_ID);
    others = process - after;
    if (after - before < 2'000) break;
  }
  return std::max(0.0, others);
}

Quiet wait_until_quiet(std::chrono::nanoseconds max) {
  Quiet result;
  result.threads = thread_count();
  if (result.threads == 1) return result;
  const double deadline = static_cast<double>(max.count());
  const double start = read_ns(CLOCK_MONOTONIC_RAW);
  const double used_at_start = other_threads_cpu_ns();
  double used = used_at_start;
  double at = start;
  for (int turn = 0;; ++turn) {
    const bool runnable = others_runnable();
    const double now = read_ns(CLOCK_MONOTONIC_RAW);
    const double used_now = other_threads_cpu_ns();
    // Reading both clocks one after the other makes the difference uncertain by about a microsecond.
    const bool grew = used_now - used > std::max(2'000.0, 0.005 * (now - at));
    used = used_now;
    at = now;
    result.quiet = !runnable && !grew;
    if (result.quiet || now - start >= deadline) break;
    // Asleep, not spinning: on a machine with one core the others could otherwise never finish.
    nap(turn < 4 ? 20'000 : 200'000);
  }
  result.waited_ns = at - start;
  result.other_cpu_ns = std::max(0.0, used - used_at_start);
  result.threads = thread_count();
  return result;
}

}  // namespace aisp::device

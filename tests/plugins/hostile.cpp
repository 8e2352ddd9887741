// SPDX-License-Identifier: Apache-2.0
// Variants that try to take the harness down with them. Each must cost its own worker and nothing else.
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

volatile int zero = 0;
volatile bool for_ever = true;
volatile std::uintptr_t nowhere = 8;

void hang(const Call&) {
  while (for_ever) {
  }
}

// The frame is volatile so that the recursion is neither a loop nor removed.
int recurse(int depth) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(depth);
  return for_ever ? recurse(depth + 1) + frame[0] : 0;
}

void exhaust_memory(const Call&) {
  std::vector<char*> held;
  for (;;) {
    held.push_back(new char[std::size_t{32} << 20]);
    for (std::size_t i = 0; i < std::size_t{32} << 20; i += 4096) held.back()[i] = 1;
  }
}

void start_threads(const Call& call) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 0; i < 3000; ++i) {
    pthread_t thread{};
    pthread_create(&thread, &small, [](void*) -> void* { return pause(), nullptr; }, nullptr);
  }
  hang(call);
}

void flood(int descriptor) {
  const std::string megabyte(1 << 20, 'x');
  for (int i = 0; i < 10'000; ++i) {
    if (write(descriptor, megabyte.data(), megabyte.size()) < 0) return;
  }
}

/// The worker's channel and notice board; a real attacker would find them in /proc/self/fd.
constexpr int kChannel = 3;
constexpr int kBoard = 4;

void say(std::string_view line) { static_cast<void>(!write(kChannel, line.data(), line.size())); }

/// As daemons are started: the grandchild belongs to another session and to no parent.
void leave_a_daemon() {
  if (fork() != 0) return;
  setsid();
  if (fork() != 0) _exit(0);
  for (;;) pause();
}

/// Out of reach of whoever signals its group, and deaf to what is asked politely.
void leave_the_group() {
  for (const int ignored : {SIGTERM, SIGINT, SIGHUP}) signal(ignored, SIG_IGN);
  setpgid(0, getpgid(getppid()));
}

/// As a harness that is busy for ever would.
void post_for_ever() {
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, kBoard, 0);
  for (auto* number = static_cast<std::atomic<std::uint32_t>*>(page);; usleep(10'000)) ++*number;
}

void scribble_on_the_board() {
  for (off_t at = 0; at < 4096; at += 8)
    static_cast<void>(!pwrite(kBoard, "\xff\xfe\x1b\xff\xff\xff\"\xff", 8, at));
}

const Registration hostile[] = {
    doubling("hostile/crash", "crash", [](const Call&) { *reinterpret_cast<volatile int*>(nowhere) = 1; }),
    doubling("hostile/abort", "abort", [](const Call&) { std::abort(); }),
    doubling("hostile/divide", "divide", [](const Call&) { zero = 1000 / zero; }),
    doubling("hostile/bus", "bus", [](const Call&) { raise(SIGBUS); }),
    doubling("hostile/trap", "trap", [](const Call&) { __builtin_trap(); }),
    doubling("hostile/overflow", "overflow", [](const Call&) { zero = recurse(0); }),
    doubling("hostile/hang", "hang", hang),
    doubling("hostile/stubborn", "stubborn",
             [](const Call& call) {
               for (const int ignored : {SIGTERM, SIGINT, SIGHUP}) signal(ignored, SIG_IGN);
               hang(call);
             }),
    doubling("hostile/deserter", "deserter", [](const Call& call) { leave_the_group(), hang(call); }),
    doubling("hostile/deserter_hang_up", "deserter_hang_up",
             [](const Call& call) { leave_the_group(), close(kChannel), hang(call); }),
    doubling("hostile/busy", "busy",
             [](const Call& call) { std::thread(post_for_ever).detach(), hang(call); }),
    doubling("hostile/stop", "stop", [](const Call&) { raise(SIGSTOP); }),
    doubling("hostile/exit0", "exit0", [](const Call&) { _exit(0); }),
    doubling("hostile/exit", "exit", [](const Call&) { std::exit(0); }),
    doubling("hostile/throw", "throw", [](const Call&) { throw std::runtime_error("thrown on purpose"); }),
    doubling("hostile/throw_int", "throw_int", [](const Call&) { throw 42; }),
    doubling("hostile/memory", "memory", exhaust_memory),
    doubling("hostile/fork", "fork",
             [](const Call&) {
               for (;;) static_cast<void>(fork());
             }),
    doubling("hostile/shell", "shell", [](const Call&) { static_cast<void>(std::system("sleep 1000 &")); }),
    doubling("hostile/daemon", "daemon", [](const Call&) { leave_a_daemon(), _exit(3); }),
    doubling("hostile/daemon_hang", "daemon_hang", [](const Call& call) { leave_a_daemon(), hang(call); }),
    doubling("hostile/scribble", "scribble", [](const Call&) { scribble_on_the_board(), std::abort(); }),
    doubling("hostile/shrink", "shrink",
             [](const Call&) { static_cast<void>(!ftruncate(kBoard, 0)), std::abort(); }),
    doubling("hostile/threads", "threads", start_threads),
    doubling("hostile/stdout", "stdout", [](const Call&) { flood(STDOUT_FILENO); }),
    doubling("hostile/stderr", "stderr", [](const Call&) { flood(STDERR_FILENO); }),
    doubling("hostile/garbage", "garbage",
             [](const Call& call) {
               static_cast<void>(!write(kChannel, "{\"event\": \"round\"\n", 18));
               hang(call);
             }),
    // A line without an end must not fill the coordinator's memory.
    doubling("hostile/endless_line", "endless_line", [](const Call& call) { flood(kChannel), hang(call); }),
    // Talking is no sign of life, and only the harness says what a run ends with.
    doubling("hostile/chatter", "chatter",
             [](const Call&) {
               for (;;) say("{\"event\": \"running\", \"variant\": \"chatter\"}\n");
             }),
    doubling("hostile/all_is_well", "all_is_well",
             [](const Call& call) {
               say("{\"event\": \"error\", \"code\": 0, \"message\": \"fine\"}\n"), hang(call);
             }),
    doubling("hostile/opened_again", "opened_again",
             [](const Call& call) { say("{\"event\": \"opened\"}\n"), hang(call); }),
    doubling("hostile/hang_up", "hang_up", [](const Call& call) { close(kChannel), hang(call); }),
};

// The baseline, the problem and the reference fail the whole cell.
Workload with_bad_baseline() {
  Workload workload = doubling("hostile/baseline", "later", honest);
  workload.variants.front().run = CallFunction([](const Call&) { std::abort(); });
  return workload;
}
Workload with_bad_reference() {
  Workload workload = doubling("hostile/reference", "later", honest);
  workload.reference = [](const ReferenceCall&) { std::abort(); };
  return workload;
}
Workload with_bad_problem() {
  Workload workload = doubling("hostile/problem", "later", honest);
  workload.problem = [](const Params&) -> Problem { throw std::runtime_error("no problem today"); };
  return workload;
}
Workload with_bad_prepare() {
  Workload workload = doubling("hostile/prepare", "unprepared", honest);
  workload.variants[1].prepare = [](const Setup&) -> std::shared_ptr<void> { _exit(0); };
  return workload;
}
const Registration whole_cells[] = {with_bad_baseline(), with_bad_reference(), with_bad_problem(),
                                    with_bad_prepare()};

}  // namespace
}  // namespace aisp::plugins

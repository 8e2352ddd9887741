// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/containment.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fstream>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace aisp::harness {
namespace {

constexpr sock_filter statement(unsigned short code, unsigned value) { return {code, 0, 0, value}; }
constexpr sock_filter jump_if_equal(unsigned value, unsigned char yes, unsigned char no) {
  return {BPF_JMP | BPF_JEQ | BPF_K, yes, no, value};
}

/// Kills the process when it tries to start another one. Threads stay allowed: clone() with CLONE_THREAD
/// passes, clone3() pretends not to exist because its flags cannot be read by a filter, and libc falls back
/// to clone().
bool forbid_processes() {
#if defined(__x86_64__)
  constexpr unsigned kNumber = offsetof(seccomp_data, nr);
  constexpr unsigned kFirstArgument = offsetof(seccomp_data, args);
  std::array<sock_filter, 11> program{
      statement(BPF_LD | BPF_W | BPF_ABS, kNumber),
      jump_if_equal(__NR_fork, 7, 0),
      jump_if_equal(__NR_vfork, 6, 0),
      jump_if_equal(__NR_clone3, 4, 0),
      jump_if_equal(__NR_clone, 0, 5),
      statement(BPF_LD | BPF_W | BPF_ABS, kFirstArgument),
      statement(BPF_ALU | BPF_AND | BPF_K, CLONE_THREAD),
      jump_if_equal(CLONE_THREAD, 2, 1),
      statement(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      statement(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
#else
  return false;
#endif
}

}  // namespace

Status contain(const Containment& limits) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) _exit(1);  // the coordinator died before the line above
  std::ofstream("/proc/self/oom_score_adj") << "1000";
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifdef AISP_SANITIZED
  const bool limited = false;  // sanitizers reserve terabytes of address space
#else
  const bool limited = limits.memory_limit_bytes > 0;
#endif
  if (limited) {
    const auto bytes = static_cast<rlim_t>(limits.memory_limit_bytes);
    const rlimit memory{bytes, bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  if (!limits.may_fork && !forbid_processes()) {
    return Error{ErrorCode::sandbox, "the kernel refuses a seccomp filter: workload code may start processes",
                 ""};
  }
  return Ok{};
}

}  // namespace aisp::harness

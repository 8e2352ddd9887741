// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/containment.h"

#include <cerrno>
#include <cstddef>
#include <fstream>
#include <string>
#include <vector>

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

constexpr sock_filter load(unsigned offset) { return {BPF_LD | BPF_W | BPF_ABS, 0, 0, offset}; }
constexpr sock_filter keep_bits(unsigned mask) { return {BPF_ALU | BPF_AND | BPF_K, 0, 0, mask}; }
constexpr sock_filter answer(unsigned what) { return {BPF_RET | BPF_K, 0, 0, what}; }
/// Runs the next `steps` only if the loaded word is (is not, is at least) the value.
constexpr sock_filter if_equal(unsigned value, unsigned char steps) {
  return {BPF_JMP | BPF_JEQ | BPF_K, 0, steps, value};
}
constexpr sock_filter if_not_equal(unsigned value, unsigned char steps) {
  return {BPF_JMP | BPF_JEQ | BPF_K, steps, 0, value};
}
[[maybe_unused]] constexpr sock_filter if_at_least(unsigned value, unsigned char steps) {
  return {BPF_JMP | BPF_JGE | BPF_K, 0, steps, value};
}

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#endif

/// Kills the process when it tries to start another one. Threads stay allowed: clone() with CLONE_THREAD
/// passes, clone3() pretends not to exist because its flags cannot be read by a filter, and libc falls back
/// to clone(). System calls of another architecture (32-bit ones on a 64-bit kernel) have other numbers, so
/// none of them passes. Nor can workload code take back that its process dies with the coordinator.
bool forbid_processes() {
#if defined(__x86_64__) || defined(__aarch64__)
  constexpr unsigned kKill = SECCOMP_RET_KILL_PROCESS;
  std::vector<sock_filter> program{
      load(offsetof(seccomp_data, arch)),
      if_not_equal(kArchitecture, 1),
      answer(kKill),
      load(offsetof(seccomp_data, nr)),
#if defined(__x86_64__)
      if_at_least(__X32_SYSCALL_BIT, 1),
      answer(kKill),
      if_equal(__NR_fork, 1),
      answer(kKill),
      if_equal(__NR_vfork, 1),
      answer(kKill),
#endif
      if_equal(__NR_clone3, 1),
      answer(SECCOMP_RET_ERRNO | ENOSYS),
      if_equal(__NR_prctl, 4),
      load(offsetof(seccomp_data, args)),
      if_equal(PR_SET_PDEATHSIG, 1),
      answer(SECCOMP_RET_ERRNO | EPERM),
      answer(SECCOMP_RET_ALLOW),
      if_equal(__NR_clone, 4),
      load(offsetof(seccomp_data, args)),
      keep_bits(CLONE_THREAD),
      if_not_equal(CLONE_THREAD, 1),
      answer(kKill),
      answer(SECCOMP_RET_ALLOW),
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
  std::ofstream score("/proc/self/oom_score_adj");
  score << kWorkerOomScore << std::flush;
  std::string missing;
  if (!score)
    missing = "its out-of-memory score cannot be set: processes that it leaves are not recognised; ";
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
  if (!limits.may_fork && !forbid_processes())
    missing += "the kernel refuses a seccomp filter: workload code may start processes; ";
  if (missing.empty()) return Ok{};
  return Error{ErrorCode::sandbox, missing.substr(0, missing.size() - 2), ""};
}

}  // namespace aisp::harness

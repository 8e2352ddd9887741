// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lets one system call fail for a program and everything it starts: kernels and containers that lack
/// something, without having one.
///
///   box.before_exec = [] { refuse_call({.number = SYS_memfd_create, .error = ENOSYS}); };
///
/// Exits with 125 where the filter itself is not allowed.
#pragma once

#include <cerrno>
#include <cstddef>
#include <optional>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace aisp::testing {

struct RefusedCall {
  long number = 0;
  int error = ENOSYS;
  std::optional<unsigned> first_argument;  ///< only with this one
};

inline void refuse_call(const RefusedCall& call) {
  const auto load = [](std::size_t offset) {
    return sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<unsigned>(offset)};
  };
  const auto unless = [](unsigned value, unsigned char skip) {
    return sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, skip, value};
  };
  const sock_filter refusal{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<unsigned>(call.error)};
  const sock_filter pass{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  const auto number = static_cast<unsigned>(call.number);
  sock_filter any[] = {load(offsetof(seccomp_data, nr)), unless(number, 1), refusal, pass};
  sock_filter chosen[] = {
      load(offsetof(seccomp_data, nr)),           unless(number, 3), load(offsetof(seccomp_data, args)),
      unless(call.first_argument.value_or(0), 1), refusal,           pass};
  const sock_fprog filter = call.first_argument ? sock_fprog{6, chosen} : sock_fprog{4, any};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0)
    _exit(125);
}

}  // namespace aisp::testing

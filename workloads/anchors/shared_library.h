// SPDX-License-Identifier: Apache-2.0
/// \file
/// Libraries that anchors are measured against, loaded at run time so that the binary depends on none of
/// them.
///
///   if (!library_file("libopenblas.so.0")) return "libopenblas.so.0 is not installed (Debian:
///   libopenblas0-pthread)"; SharedLibrary blas("libopenblas.so.0");                       // throws if it
///   cannot be loaded auto set = blas.function<void(int)>("openblas_set_num_threads");
///
/// Loaded libraries stay loaded: their thread pools do not survive being unmapped.
#pragma once

#include <sched.h>

#include <optional>
#include <string>

namespace aisp::anchors {

/// Where the loader would find `name`, without loading it: loading starts thread pools, and asking must be
/// free.
std::optional<std::string> library_file(const std::string& name);

class SharedLibrary {
 public:
  explicit SharedLibrary(const std::string& name);
  template <class Signature>
  Signature* function(const char* symbol) const {
    return reinterpret_cast<Signature*>(address(symbol));
  }

 private:
  void* address(const char* symbol) const;

  std::string name_;
  void* handle_;
};

/// While it lives, the calling thread may run on every CPU that any thread of this process may run on. A
/// library's pool inherits the mask of the thread that starts it: started from a pinned thread, all of it
/// would share one CPU.
class PoolAffinity {
 public:
  PoolAffinity();
  ~PoolAffinity();
  PoolAffinity(const PoolAffinity&) = delete;
  PoolAffinity& operator=(const PoolAffinity&) = delete;

 private:
  std::optional<cpu_set_t> before_;
};

}  // namespace aisp::anchors

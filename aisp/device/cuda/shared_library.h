// SPDX-License-Identifier: Apache-2.0
/// \file
/// A library that may be missing: found at run time, so that the program starts without it.
///
///   SharedLibrary cupti({"libcupti.so.13"});
///   if (!cupti.found()) ... cupti.reason();   // and where it was looked for
///   auto* version = cupti.function<decltype(cuptiGetVersion)>("cuptiGetVersion");
#pragma once

#include <initializer_list>
#include <string>

namespace aisp::cuda {

class SharedLibrary {
 public:
  /// The first of `names` that is found: where the dynamic linker looks, then in the toolkit's folders.
  explicit SharedLibrary(std::initializer_list<const char*> names);

  bool found() const { return handle_ != nullptr; }
  const std::string& where() const { return where_; }    ///< its path; empty when not found
  const std::string& reason() const { return reason_; }  ///< why not, and where it was looked for

  /// Null when the library has no such function.
  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

 private:
  void* symbol(const char* name) const;

  // Never closed: these libraries keep threads and callbacks that outlive whoever opened them.
  void* handle_ = nullptr;
  std::string where_;
  std::string reason_;
};

}  // namespace aisp::cuda

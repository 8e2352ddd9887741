// SPDX-License-Identifier: Apache-2.0
/// \file
/// The harness's pinned threads, as a variant sees them. Threads spin while a timed call may need them and
/// sleep otherwise, so that a wake-up (tens of microseconds in a virtual machine) is never charged to a
/// variant.
///
///   call.team().run([&](int thread, int threads) { sum_slice(thread, threads); });   // returns when all are
///   done
#pragma once

#include <type_traits>
#include <utility>

namespace aisp {

/// A callable that is borrowed, not owned: no allocation on the way into a timed call.
template <class Signature>
class FunctionRef;
template <class R, class... Args>
class FunctionRef<R(Args...)> {
 public:
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F&& function)  // NOLINT(google-explicit-constructor)
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        invoke_([](void* object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}
  R operator()(Args... args) const { return invoke_(object_, std::forward<Args>(args)...); }

 private:
  void* object_;
  R (*invoke_)(void*, Args...);
};

class Team {
 public:
  virtual ~Team() = default;
  virtual int size() const = 0;
  /// Calls body(thread, threads) once on each thread, the caller being thread 0, and waits for all.
  virtual void run(FunctionRef<void(int thread, int threads)> body) = 0;
};

}  // namespace aisp

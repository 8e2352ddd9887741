// SPDX-License-Identifier: Apache-2.0
/// \file
/// A value or an Error that says what went wrong and what to do about it. Used at every module boundary.
///
///   Result<Store> opened = Store::open(path);
///   if (!opened) return opened.error();
///   opened->append(event);
///
/// Not for broken invariants (AISP_CHECK) and not for verdicts: a rejected measurement is a successful run.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>

static_assert(__cplusplus >= 202002L, "aisp needs C++20; some CMake versions drop the flag silently");

namespace aisp {

/// What kind of failure; the value is the process exit code it leads to.
enum class ErrorCode : int {
  usage = 2,        ///< the command line is wrong
  bad_input = 3,    ///< a file, plugin, config or parameter is wrong
  environment = 4,  ///< this machine cannot do it
  sandbox = 5,      ///< isolation below the required level
  store = 6,        ///< the store is unusable
  io = 7,           ///< reading or writing failed
  workload = 8,     ///< workload code crashed, hung or exceeded a limit
  internal = 70,    ///< a bug in aisp
};

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string message;  ///< one line: the cause
  std::string hint;     ///< one line: what to do; may be empty
};

struct Ok {};

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)

  explicit operator bool() const { return state_.index() == 0; }
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }
  const Error& error() const { return std::get<1>(state_); }

 private:
  std::variant<T, Error> state_;
};

using Status = Result<Ok>;

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// How a failure travels inside the store: thrown as Failure, turned into an Error once, at the module's
/// edge.
///
///   Status Store::run_finished(...) {
///     return attempt([&] { append(*database_, event); });
///   }
///
/// Never leaves aisp/store.
#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "aisp/core/result.h"

namespace aisp::store {

struct Failure {
  Error error;
  bool damaged = false;      ///< the file is not, or no longer, a sound store: a case for recovery
  bool cannot_open = false;  ///< SQLite could not open the file or its companions
};

template <class F>
auto attempt(F&& work) {
  using T = std::invoke_result_t<F>;
  using R = Result<std::conditional_t<std::is_void_v<T>, Ok, T>>;
  try {
    if constexpr (std::is_void_v<T>) {
      work();
      return R(Ok{});
    } else {
      return R(work());
    }
  } catch (Failure& failure) {
    return R(std::move(failure.error));
  }
}

}  // namespace aisp::store

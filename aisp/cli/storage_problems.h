// SPDX-License-Identifier: Apache-2.0
/// \file
/// What went wrong while results were stored, for the end of a run: the worst of it. A result that is in the
/// journal is imported later; one that is nowhere is lost, and no earlier trouble may hide that.
///
///   StorageProblems problems;
///   problems.add(error, lost);
///   if (problems.worst()) return fail(arguments, *problems.worst());
#pragma once

#include <optional>

#include "aisp/core/result.h"

namespace aisp::cli {

class StorageProblems {
 public:
  /// `lost`: neither in the store nor in a journal.
  void add(const Error& error, bool lost) {
    if (!worst_ || (lost && !lost_)) worst_ = error;
    lost_ = lost_ || lost;
  }
  /// The first that was lost; where none was, the first.
  const std::optional<Error>& worst() const { return worst_; }

 private:
  std::optional<Error> worst_;
  bool lost_ = false;
};

}  // namespace aisp::cli

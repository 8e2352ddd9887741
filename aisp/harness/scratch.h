// SPDX-License-Identifier: Apache-2.0
/// \file
/// A private directory for files of stateful work, removed with everything in it when the owner goes. An
/// owner that was killed leaves its directory behind; the next one to be made removes it.
///
///   Result<Scratch> scratch = Scratch::make();
///   spec.scratch = scratch->text();
///
/// Not a place for results: nothing in it outlives the run.
#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "aisp/core/result.h"

namespace aisp::harness {

class Scratch {
 public:
  static Result<Scratch> make();
  Scratch(Scratch&& other) noexcept : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {
    other.path_.clear();
  }
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();
  std::string text() const { return path_.string(); }

 private:
  Scratch(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  std::filesystem::path path_;
  int lock_ = -1;  ///< the directory, locked for as long as its owner lives
};

}  // namespace aisp::harness

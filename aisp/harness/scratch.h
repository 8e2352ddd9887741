// SPDX-License-Identifier: Apache-2.0
/// \file
/// A private directory for files of stateful work, removed with everything in it when the owner goes.
#pragma once

#include <filesystem>
#include <string>

#include "aisp/core/result.h"

namespace aisp::harness {

class Scratch {
 public:
  static Result<Scratch> make();
  Scratch(Scratch&& other) noexcept : path_(std::move(other.path_)) { other.path_.clear(); }
  Scratch& operator=(Scratch&&) = delete;
  ~Scratch();
  std::string text() const { return path_.string(); }

 private:
  explicit Scratch(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace aisp::harness

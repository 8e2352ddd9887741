// SPDX-License-Identifier: Apache-2.0
/// \file
/// Names that repeat, each kept once: a hundred thousand points are of a few hundred runs.
///
///   KeptNames names;
///   std::string_view run = names.keep(row.view(1));  // good as long as `names`
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace aisp {

class KeptNames {
 public:
  std::string_view keep(std::string_view name) {
    const auto found = names_.find(name);
    return found != names_.end() ? *found : *names_.emplace(name).first;
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const { return std::hash<std::string_view>{}(name); }
  };
  std::unordered_set<std::string, Hash, std::equal_to<>> names_;  // a set of nodes: they never move
};

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The architecture as data, and a checker that reads a source tree against it: who may include whom, who may
/// print, how long a file may be.
///
///   for (const Violation& found : check_tree("/path/to/the/tree")) report(found.file, found.line,
///   found.what);
///
/// Not a compiler: it reads include lines and words, with comments and string literals taken out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace aisp::layering {

struct Violation {
  std::string file;  ///< relative to the tree's root
  int line = 0;      ///< 1 is the first; 0 = the whole file
  std::string what;
};

struct Module {
  std::string name;                           ///< folder below aisp/
  std::vector<std::string> may_include;       ///< modules besides itself
  std::vector<std::string> third_party = {};  ///< beginnings of <headers> that are neither C++ nor Linux
  bool may_print = true;                      ///< may write to a stream or end the program
};

/// Every module of the product.
const std::vector<Module>& modules();

/// Source text with comments, string and character literals blanked; line breaks stay where they were.
std::string without_comments_and_literals(std::string_view text);

/// Everything in aisp/, workloads/ and tests/ that breaks a rule.
std::vector<Violation> check_tree(const std::filesystem::path& root);

/// Modules whose `aisp_module(name DEPENDS ...)` line in CMakeLists.txt says something else than modules().
std::vector<Violation> check_build_files(const std::filesystem::path& root);

}  // namespace aisp::layering

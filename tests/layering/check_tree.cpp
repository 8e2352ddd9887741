// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "tests/layering/rules.h"

namespace aisp::layering {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxLines = 500;

struct Source {
  std::string path;  ///< relative to the root
  std::string text;
};

bool is_source(const fs::path& path) {
  static const std::set<std::string> kEndings{".h", ".cpp", ".cu", ".cuh"};
  return kEndings.contains(path.extension().string());
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Source> sources_below(const fs::path& root) {
  std::vector<Source> sources;
  for (const char* folder : {"aisp", "workloads", "labs", "tests", "benchmarks", "examples"}) {
    if (!fs::exists(root / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !is_source(entry.path())) continue;
      sources.push_back({fs::relative(entry.path(), root).generic_string(), read(entry.path())});
    }
  }
  std::ranges::sort(sources, {}, &Source::path);
  return sources;
}

const Module* module_of(const std::string& path) {
  for (const Module& module : modules()) {
    if (path.starts_with("aisp/" + module.name + "/")) return &module;
  }
  return nullptr;
}

template <class List>
bool begins_with_any(const std::string& text, const List& beginnings) {
  return std::ranges::any_of(beginnings, [&](const auto& beginning) { return text.starts_with(beginning); });
}

/// Why `path` must not include `header`, or nothing.
std::string objection(const std::string& path, const std::string& header, bool system) {
  static const std::array<std::string, 9> kCuda{
      "cuda", "cupti", "nvperf", "cublas", "cudnn", "cooperative_groups", "nvml", "nccl", "nvtx"};
  static const std::array<std::string, 10> kThirdParty{
      "nlohmann/", "nettle/", "hwloc", "sqlite3", "fmt/", "CLI/", "toml++/", "pugixml", "spdlog/", "boost/"};
  const bool cuda_file = path.ends_with(".cu") || path.ends_with(".cuh");
  const bool in_product = path.starts_with("aisp/");
  if (begins_with_any(header, kCuda) && !path.starts_with("aisp/device/cuda/") &&
      (in_product || !cuda_file)) {
    return "CUDA headers belong to aisp/device/cuda";
  }
  if (header == "cassert" || header == "assert.h")
    return "AISP_CHECK lives in release builds, assert does not";
  const Module* from = module_of(path);
  const Module* to = module_of(header);
  const bool in_labs = path.starts_with("labs/");
  if (path.starts_with("workloads/") || in_labs) {
    if (begins_with_any(header, kThirdParty)) return "workloads use the public headers only";
    // A chapter may show one step of a lab by itself, with the lab's kernels; what labs share may not.
    const bool of_lab =
        header.starts_with("labs/") &&
        (in_labs || (path.starts_with("workloads/ch") && cuda_file && header.ends_with(".cuh")));
    const bool allowed = header == "aisp/aisp.h" || header.starts_with("aisp/core/") ||
                         header.starts_with("workloads/") || of_lab;
    return system || allowed ? "" : "workloads use the public headers only";
  }
  if (!in_product) return "";
  if (from == nullptr) {
    if (path == "aisp/aisp.h")
      return to != nullptr && to->name == "core" ? "" : "aisp.h offers aisp/core alone";
    if (path == "aisp/main.cpp")
      return to != nullptr && to->name == "cli" ? "" : "main.cpp calls aisp/cli alone";
    return "is in no module; tests/layering/modules.cpp lists them";
  }
  if (begins_with_any(header, kThirdParty) && !begins_with_any(header, from->third_party)) {
    return from->name + " does not use this library";
  }
  if (system) return "";
  if (header.starts_with("workloads/") || header.starts_with("labs/") || header.starts_with("tests/"))
    return "the product never depends on it";
  if (to == nullptr)
    return header == "aisp/aisp.h" ? "" : "quoted includes are paths from the root: aisp/module/name.h";
  const auto& allowed = from->may_include;
  if (to != from && std::ranges::find(allowed, to->name) == allowed.end()) {
    return from->name + " must not know " + to->name;
  }
  return "";
}

void check_includes(const Source& source, std::vector<Violation>& found) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::istringstream lines(source.text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (!std::regex_search(line, match, kInclude)) continue;
    const std::string why = objection(source.path, match[2], match[1] == "<");
    if (!why.empty()) found.push_back({source.path, number, "includes " + match[2].str() + ": " + why});
  }
}

void check_words(const Source& source, std::vector<Violation>& found) {
  struct Word {
    std::regex pattern;
    std::string what;
    bool printing;
  };
  static const std::array<Word, 3> kWords{
      Word{std::regex(R"((^|[^\w])assert\s*\()"), "assert vanishes in release builds: use AISP_CHECK", false},
      Word{std::regex(R"(\b(std::cout|std::cerr|std::clog|f?printf|puts|fputs|putchar|perror)\b)"),
           "prints; a module that computes returns what it has to say", true},
      Word{std::regex(R"((^|[^\w.>])(exit|_exit|quick_exit|abort|terminate)\s*\()"), "ends the program",
           true}};
  const Module* module = module_of(source.path);
  // The one place that may: AISP_CHECK found the program itself to be wrong.
  const bool silent = module != nullptr && !module->may_print && source.path != "aisp/core/check.cpp";
  std::istringstream lines(without_comments_and_literals(source.text));
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    for (const Word& word : kWords) {
      if (word.printing && !silent) continue;
      if (std::regex_search(line, word.pattern)) found.push_back({source.path, number, word.what});
    }
  }
}

void check_form(const Source& source, std::vector<Violation>& found) {
  const auto lines = std::ranges::count(source.text, '\n');
  if (lines > kMaxLines) {
    found.push_back({source.path, 0, std::to_string(lines) + " lines; 500 is the limit, 150 the aim"});
  }
  if (!source.text.starts_with("// SPDX-License-Identifier: Apache-2.0\n")) {
    found.push_back({source.path, 1, "does not open with the licence line"});
  }
  if (source.path.ends_with(".h") && source.text.find("#pragma once") == std::string::npos) {
    found.push_back({source.path, 0, "has no #pragma once"});
  }
  static const std::regex kVague(R"((^|[/_])(utils?|common|manager|helpers?|misc)([_.]|$))");
  if (std::regex_search(source.path, kVague)) found.push_back({source.path, 0, "the name says nothing"});
}

/// Two types of one name in one namespace are one type to the linker, which keeps either's functions for
/// both.
void check_definitions(const Source& source, std::map<std::string, std::string>& first,
                       std::vector<Violation>& found) {
  if (!source.path.starts_with("aisp/") || !source.path.ends_with(".h")) return;
  static const std::regex kNamespace(R"(^namespace ([\w:]+) \{)");
  static const std::regex kType(R"(^(class|struct|union|enum class) (\w+)( final)? ?[:{])");
  std::istringstream lines(without_comments_and_literals(source.text));
  std::string line, space;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (std::regex_search(line, match, kNamespace)) space = match[1].str() + "::";
    if (!std::regex_search(line, match, kType)) continue;
    const auto [other, fresh] = first.emplace(space + match[2].str(), source.path);
    if (!fresh)
      found.push_back({source.path, number, other->first + " is defined in " + other->second + " too"});
  }
}

}  // namespace

std::vector<Violation> check_tree(const fs::path& root) {
  std::vector<Violation> found;
  std::map<std::string, std::string> definitions;
  for (const Source& source : sources_below(root)) {
    check_definitions(source, definitions, found);
    check_includes(source, found);
    check_form(source, found);
    if (!source.path.starts_with("tests/")) check_words(source, found);
  }
  return found;
}

std::vector<Violation> check_build_files(const fs::path& root) {
  std::vector<Violation> found;
  const std::string text = read(root / "CMakeLists.txt");
  for (const Module& module : modules()) {
    std::smatch match;
    const std::regex line("aisp_module\\(" + module.name +
                          "( TOGETHER)?( ALONE \"[^\"]+\")?( DEPENDS ([a-z ]+))?\\)");
    if (!std::regex_search(text, match, line)) {
      // Compiled into every plugin, so there is no library of it to link.
      if (module.name != "plugin") found.push_back({"CMakeLists.txt", 0, "has no module " + module.name});
      continue;
    }
    std::istringstream words(match[4].str());
    const std::set<std::string> linked{std::istream_iterator<std::string>(words), {}};
    if (linked != std::set<std::string>(module.may_include.begin(), module.may_include.end())) {
      found.push_back({"CMakeLists.txt", 0, module.name + " links other modules than it may include"});
    }
  }
  return found;
}

}  // namespace aisp::layering

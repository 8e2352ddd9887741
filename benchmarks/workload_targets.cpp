// SPDX-License-Identifier: Apache-2.0
// Holds a stored run to what the workloads promise: reads the JSON of `aisp run --json` and compares the
// lower bound of each promised ratio with its target. Exit code 1 when one is missed, 3 when a promise was
// not measured.  usage: workload_targets [WORKLOAD | 'WORKLOAD PARAM=VALUE...']... <run.json
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

#include "aisp/wire/json.h"

namespace {

using namespace aisp;

struct Target {
  const char* workload;
  const char* size;  ///< that the cell's parameters must contain; empty: any
  std::optional<RatioEstimate> VariantResult::* ratio;
  double least;
};

constexpr bool has_word(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const auto end = std::min(text.find(' '), text.size());
    if (text.substr(0, end) == word) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

/// Whether the parameters hold every word of the size.
constexpr bool of_size(std::string_view parameters, std::string_view size) {
  while (!size.empty()) {
    const auto end = std::min(size.find(' '), size.size());
    if (!has_word(parameters, size.substr(0, end))) return false;
    size.remove_prefix(std::min(end + 1, size.size()));
  }
  return true;
}
static_assert(of_size("n=1024 threads=1", "n=1024 threads=1") && of_size("n=1024", ""));
static_assert(!of_size("n=1024 threads=16", "n=1024 threads=1") && !of_size("n=10240 threads=1", "n=1024"));

const Target kTargets[] = {
    {"ch09/sgemm", "n=1024 threads=1", &VariantResult::of_anchor, 0.97},
    {"ch09/sgemm", "n=2048 threads=1", &VariantResult::of_anchor, 0.97},
    {"ch09/sgemm", "n=1024 threads=2", &VariantResult::of_anchor, 1.0},
    {"ch09/sgemm", "n=2048 threads=2", &VariantResult::of_anchor, 1.0},
    {"ch09/softmax", "", &VariantResult::speedup, 6},
    {"ch07/transpose", "", &VariantResult::speedup, 4},
    {"ch07/reduction", "", &VariantResult::of_paired, 0.97},
    {"ch16/int4_gemv", "", &VariantResult::of_paired, 0.85},
};

/// The valid step with the highest lower bound.
const RatioEstimate* best_of(const CellResult& cell, const Target& target, std::string& name) {
  const RatioEstimate* best = nullptr;
  for (const VariantResult& v : cell.variants) {
    const auto& ratio = v.*target.ratio;
    if (v.rung != Rung::step || v.validity != Validity::valid || !ratio) continue;
    if (best != nullptr && ratio->low <= best->low) continue;
    best = &*ratio;
    name = v.name;
  }
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  const auto asked_for = [&](const Target& target) {
    return argc == 1 || std::any_of(argv + 1, argv + argc, [&](std::string_view asked) {
             const auto name = std::min(asked.find(' '), asked.size());
             return asked.substr(0, name) == target.workload &&
                    of_size(target.size, asked.substr(std::min(name + 1, asked.size())));
           });
  };
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  const Result<Json> json = parse_json(text);
  const Result<RunRecord> run = json ? from_json<RunRecord>(*json) : Result<RunRecord>(json.error());
  if (!run) {
    std::fprintf(stderr, "workload_targets: %s\n", run.error().message.c_str());
    return 3;
  }
  int missed = 0, unmeasured = 0;
  std::printf("| workload | size | variant | against | lower bound | median | rounds | target | |\n");
  std::printf("|---|---|---|---|--:|--:|--:|--:|---|\n");
  for (const Target& target : kTargets) {
    if (!asked_for(target)) continue;
    bool found = false;
    for (const CellResult& cell : run->cells) {
      if (cell.workload != target.workload || !of_size(cell.parameters, target.size)) continue;
      std::string name = "-";
      const RatioEstimate* ratio = best_of(cell, target, name);
      found = found || ratio != nullptr;
      const bool met = ratio != nullptr && ratio->low >= target.least;
      missed += !met;
      std::printf("| %s | %s | %s | %s | %.3f | %.3f | %d | %.2f | %s |\n", cell.workload.c_str(),
                  cell.parameters.c_str(), name.c_str(), ratio ? ratio->against.c_str() : "-",
                  ratio ? ratio->low : 0, ratio ? ratio->ratio : 0, ratio ? ratio->rounds : 0, target.least,
                  met ? "met" : "missed");
    }
    unmeasured += !found;
    if (!found)
      std::fprintf(stderr, "workload_targets: %s %s was not measured\n", target.workload, target.size);
  }
  std::printf("\n%s, %s, %s\n", run->manifest.hardware.c_str(), run->started.c_str(), run->id.c_str());
  return missed > 0 ? 1 : unmeasured > 0 ? 3 : 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/cell_ends.h"

#include <algorithm>
#include <iterator>

#include "aisp/harness/cell.h"

namespace aisp::harness {
namespace {

void fail_cell(CellResult& cell, const std::vector<VariantInfo>& asked, const WorkerEnd& fatal) {
  cell.stopped = "failed";
  cell.validity = Validity::failed;
  for (const VariantInfo& info : asked) {
    VariantResult& v = cell.at(info.name);
    v.rung = info.rung;
    const bool culprit = info.name == fatal.variant || &info == &asked.front();
    if (!culprit && v.samples.size() == 0) v.skipped = "the baseline was not measured";
    v.validity = Validity::failed;
    v.findings = {{.guard = "worker",
                   .level = Level::reject,
                   .because = fatal.status +
                              (fatal.variant.empty() ? " in the problem or its reference" : "") + ": " +
                              fatal.detail,
                   .hint = "the other attempts' records say how far it came"}};
  }
}

/// The user's wish: there is no verdict to give.
void interrupt_cell(CellResult& cell, const std::vector<VariantInfo>& asked) {
  cell.stopped = "interrupted";
  cell.validity = Validity::unproven;
  for (const VariantInfo& info : asked) {
    VariantResult& v = cell.at(info.name);
    v.rung = info.rung;
    if (v.validity != Validity::failed && v.skipped.empty()) v.skipped = "interrupted";
  }
}

}  // namespace

bool skip_cell(CellResult& cell) {
  const VariantResult* baseline = cell.baseline();
  if (baseline == nullptr || baseline->skipped.empty()) return false;
  cell.stopped = kSkipped;
  for (VariantResult& v : cell.variants) {
    if (v.skipped.empty()) v.skipped = "the baseline cannot run here";
  }
  return true;
}

std::vector<VariantInfo> asked_for(const std::vector<VariantInfo>& declared,
                                   const std::vector<std::string>& choice) {
  std::vector<VariantInfo> asked;
  std::ranges::copy_if(declared, std::back_inserter(asked),
                       [&](const VariantInfo& v) { return is_chosen(choice, v.name); });
  return asked;
}

void mark_ends(CellResult& cell, const std::vector<VariantInfo>& asked,
               const std::map<std::string, WorkerEnd>& failed, const std::optional<WorkerEnd>& fatal) {
  for (const auto& [name, end] : failed) {
    VariantResult& v = cell.at(name);
    v.validity = Validity::failed;
    v.findings = {{.guard = "worker",
                   .level = Level::reject,
                   .because = end.status + ": " + end.detail,
                   .hint = "run `aisp verify " + cell.workload + "` and look at the variant's code"}};
  }
  if (fatal && fatal->status == "interrupted") {
    interrupt_cell(cell, asked);
  } else if (fatal) {
    fail_cell(cell, asked, *fatal);
  }
  // The ladder keeps the order in which the workload declares it.
  std::ranges::stable_sort(cell.variants, {}, [&](const VariantResult& v) {
    return std::ranges::find(asked, v.name, &VariantInfo::name) - asked.begin();
  });
}

}  // namespace aisp::harness

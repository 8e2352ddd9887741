// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/build_cell.h"

#include <algorithm>

#include "aisp/harness/derive.h"
#include "aisp/harness/first_in_round.h"
#include "aisp/harness/keep_slot.h"
#include "aisp/harness/merge_evidence.h"

namespace aisp::harness {

std::string labelled(std::size_t side, const std::string& name) {
  return kBuildLabels[side == kNew ? kNew : kOld] + name;
}

std::vector<VariantInfo> labelled(const std::vector<VariantInfo>& variants) {
  std::vector<VariantInfo> ladder;
  for (const VariantInfo& info : variants) {
    for (std::size_t side = 0; side < kBuildLabels.size(); ++side) {
      ladder.push_back(info);
      ladder.back().name = labelled(side, info.name);
    }
  }
  return ladder;
}

std::string calibration_variant(const Opened& old_build) {
  const auto often = [](const OpenedVariant& v) { return v.skipped.empty() && v.every == 1; };
  const auto found = std::ranges::find_if(old_build.variants, often);
  return found == old_build.variants.end() ? "" : found->name;
}

void take_opened(CellResult& cell, std::size_t side, const Opened& opened) {
  if (side == kOldAgain) return;
  for (const OpenedVariant& o : opened.variants) {
    VariantResult& v = cell.at(labelled(side, o.name));
    v.rung = o.rung;
    v.note = o.note;
    v.skipped = o.skipped;
    v.every = o.every;
    v.prepare_ns = o.prepare_ns;
  }
}

void take_closing(CellResult& cell, std::size_t side, Closing closing) {
  for (ClosedVariant& closed : closing.variants) {
    VariantResult& v = cell.at(labelled(side, closed.name));
    closed.evidence.variant = v.name;
    merge_closed(v, closed);
  }
}

void take_round(CellResult& cell, std::size_t side, const RoundReport& report, RoundRecord& round) {
  round.family = report.family;
  if (round.discarded.empty() && !report.discarded.empty())
    round.discarded = labelled(side, report.discarded);
  for (const SlotReport& slot : report.slots) {
    if (!round.order.empty()) round.order += ' ';
    const bool again = slot.again || side == kOldAgain;
    round.order += (slot.variant.empty() ? kCeilingSlot : labelled(side, slot.variant)) + (again ? "'" : "");
    // A second turn in the same process tells nothing of how processes differ.
    if (slot.variant.empty() || slot.again) continue;
    SlotReport kept = slot;
    kept.again = again;
    keep_slot(cell, kept, labelled(side, slot.variant), {round.attempt, round.round, report.mirrored});
  }
}

bool precise(const CellResult& cell, const std::vector<VariantInfo>& variants,
             const stats::SequentialPlan& plan, double precision) {
  if (cell.goal == Goal::memory) return true;  // memory has attempts of its own
  for (const VariantInfo& info : variants) {
    const VariantResult *a = cell.find(labelled(0, info.name)), *b = cell.find(labelled(1, info.name));
    if (a == nullptr || b == nullptr || !a->skipped.empty() || !b->skipped.empty()) continue;
    // The region of equivalence decides words, not widths.
    const auto ratio = compare_pair(cell, *a, *b, plan, 0);
    if (!ratio || !((ratio->high - ratio->low) / (2 * ratio->ratio) <= precision)) return false;
  }
  return true;
}

}  // namespace aisp::harness

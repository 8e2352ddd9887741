// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/keep_slot.h"

namespace aisp::harness {
namespace {

Samples& samples_of(CellResult& cell, const SlotReport& slot, const std::string& variant) {
  if (slot.variant.empty()) return cell.paired.samples;
  if (!slot.again) return cell.at(variant).samples;
  cell.aa_variant = variant;
  return cell.aa_samples;
}

}  // namespace

void keep_slot(CellResult& cell, const SlotReport& slot, const std::string& variant, const SlotPlace& place) {
  Samples& samples = samples_of(cell, slot, variant);
  samples.attempt.push_back(place.attempt);
  samples.round.push_back(place.round);
  samples.pass.push_back(place.pass);
  samples.calls.push_back(slot.calls);
  samples.ns.push_back(slot.ns);
  if (slot.items.empty()) return;
  samples.items.resize(samples.ns.size());  // windows without items have an empty place of their own
  samples.items.back() = slot.items;
}

}  // namespace aisp::harness

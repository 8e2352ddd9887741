// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/earlier_rounds.h"

#include "aisp/harness/figures.h"

namespace aisp::harness {
namespace {

template <class Column>
void append(Column& into, const Column& from) {
  into.insert(into.end(), from.begin(), from.end());
}

void append(Samples& into, const Samples& from) {
  if (!from.items.empty()) into.items.resize(into.ns.size());  // items stay beside their windows
  append(into.attempt, from.attempt);
  append(into.round, from.round);
  append(into.pass, from.pass);
  append(into.calls, from.calls);
  append(into.ns, from.ns);
  append(into.items, from.items);
}

void append_samples(CellResult& into, const CellResult& from) {
  append(into.rounds, from.rounds);
  for (const VariantResult& v : from.variants) append(into.at(v.name).samples, v.samples);
  append(into.aa_samples, from.aa_samples);
  append(into.paired.samples, from.paired.samples);
}

}  // namespace

void EarlierRounds::take(CellResult& cell, const std::string& without) {
  for (RoundRecord& round : cell.rounds) {
    if (round.discarded.empty()) round.discarded = std::string(kMeasuredAgain) + without;
  }
  append_samples(kept_, cell);
  cell.rounds.clear();
  cell.variants.clear();
  cell.aa_samples = {};
  cell.paired.samples = {};
}

void EarlierRounds::put_back(CellResult& cell) const {
  if (kept_.rounds.empty()) return;
  CellResult all = kept_;
  append_samples(all, cell);
  cell.rounds = std::move(all.rounds);
  for (VariantResult& v : all.variants) cell.at(v.name).samples = std::move(v.samples);
  cell.aa_samples = std::move(all.aa_samples);
  cell.paired.samples = std::move(all.paired.samples);
}

}  // namespace aisp::harness

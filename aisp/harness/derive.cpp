// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/derive.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "aisp/core/memory_resolution.h"
#include "aisp/guards/judge.h"
#include "aisp/harness/figures.h"
#include "aisp/harness/first_in_round.h"
#include "aisp/stats/compare.h"
#include "aisp/stats/median_interval.h"
#include "aisp/stats/sequential.h"
#include "aisp/stats/shape.h"
#include "aisp/stats/summary.h"

namespace aisp::harness {
namespace {

Outcome outcome_of(stats::Outcome outcome) { return static_cast<Outcome>(outcome); }
static_assert(static_cast<int>(stats::Outcome::inconclusive) == static_cast<int>(Outcome::inconclusive));

/// Nothing without a round in common, or when a cost is zero or not a number: no ratio follows from those.
std::optional<RatioEstimate> compare_costs(const std::string& against, const CostByRound& baseline,
                                           const CostByRound& variant, const stats::SequentialPlan& plan,
                                           int look, double delta) {
  const stats::Comparison c = stats::compare({log_ratios(baseline, variant)}, plan, look, delta);
  if (!std::isfinite(c.ratio) || !(c.ratio > 0)) return std::nullopt;
  return RatioEstimate{.against = against,
                       .ratio = c.ratio,
                       .low = c.low,
                       .high = c.high,
                       .confidence = c.confidence,
                       .rounds = c.rounds,
                       .method = c.method,
                       .outcome = outcome_of(c.decision.outcome),
                       .small = c.decision.small};
}

std::optional<Estimate> estimate_of(const CostByRound& costs, const stats::SequentialPlan& plan, int look) {
  const std::vector<double> values = values_of(costs);
  if (values.empty() || !std::isfinite(stats::median(values))) return std::nullopt;
  const auto interval = stats::median_interval(values_by_attempt(costs), plan, look).interval;
  // Without an interval the whole range is all that can be said.
  const auto [low, high] = std::ranges::minmax(values);
  return Estimate{stats::median(values), interval ? interval->low : low, interval ? interval->high : high};
}

/// Up to this a peak cannot be told from nothing; an exact count of nothing still is a page.
double least_peak(std::string_view device) { return counts_pages(device) ? kNoMemory : 4096; }

/// The range of the peaks, as far as their device counts them: what surely is apart here is for less_memory()
/// too.
Estimate peak_of(const VariantResult& variant, std::string_view device) {
  const auto [low, high] = std::ranges::minmax(variant.memory_peaks);
  const auto at_least = [&](double bytes) { return std::max(bytes, least_peak(device)); };
  return {at_least(stats::median(variant.memory_peaks)), at_least(memory_of(low, device).low),
          at_least(memory_of(high, device).high)};
}

bool holds_nothing(const VariantResult& variant, std::string_view device) {
  return std::ranges::max(variant.memory_peaks) <= least_peak(device);
}

/// Peak memory compares attempts of their own, not rounds: the interval is the range of their ratios, and no
/// confidence is claimed for it.
std::optional<RatioEstimate> compare_memory(const VariantResult& baseline, const VariantResult& variant,
                                            std::string_view device, double delta) {
  if (baseline.memory_peaks.empty() || variant.memory_peaks.empty()) return std::nullopt;
  Estimate base = peak_of(baseline, device), own = peak_of(variant, device);
  // Two of which neither can be told from nothing are one and the same, whatever their pages.
  if (holds_nothing(baseline, device) && holds_nothing(variant, device)) base = own = {1, 1, 1};
  const double ratio = base.value / own.value;
  const double ratio_low = base.low / own.high;
  const double ratio_high = base.high / own.low;
  const auto attempts = static_cast<int>(std::min(baseline.memory_peaks.size(), variant.memory_peaks.size()));
  const stats::Decision decision = stats::decide(ratio_low, ratio_high, delta);
  return RatioEstimate{.against = baseline.name,
                       .ratio = ratio,
                       .low = ratio_low,
                       .high = ratio_high,
                       .confidence = 0,
                       .rounds = attempts,
                       .method = "range of peaks over " + std::to_string(attempts) + " attempts",
                       .outcome = outcome_of(decision.outcome),
                       .small = decision.small};
}

/// Of the baseline's peak, in percent: none where the two cannot be told apart.
std::optional<double> savings_of(const VariantResult& baseline, const VariantResult& variant,
                                 std::string_view device) {
  const std::optional<double>&from = baseline.memory.peak_bytes, &to = variant.memory.peak_bytes;
  if (!from || !to || !(*from > 0)) return std::nullopt;
  return same_memory(*from, *to, device) ? 0 : 100 * (1 - *to / *from);
}

/// Attempts of which every worker came to its end: a pair of builds has several in each.
int attempts_finished(const CellResult& cell) {
  std::map<int, bool> whole;
  for (const AttemptRecord& a : cell.attempts) {
    bool& ended_well = whole.try_emplace(a.attempt, true).first->second;
    ended_well = ended_well && a.status == "finished";
  }
  return static_cast<int>(std::ranges::count_if(whole, [](const auto& entry) { return entry.second; }));
}

void derive_sampling(const CellResult& cell, const RunConfig& config, const CostByRound& costs,
                     VariantResult& variant) {
  SamplingEvidence& sampling = variant.evidence.sampling;
  sampling = {};
  sampling.attempts_planned = config.attempts;
  sampling.attempts_finished = attempts_finished(cell);
  sampling.rounds = static_cast<int>(costs.size());
  // Six fair coins agree once in 32: fewer rounds support no 95 % interval of a median.
  sampling.rounds_required = 6;
  sampling.equivalence = config.equivalence;
  sampling.rounds_discarded = discarded_rounds(cell, variant.samples);
  std::set<std::string> reasons;
  for (const RoundRecord& round : cell.rounds) {
    if (!round.discarded.empty()) reasons.insert(round.discarded);
  }
  sampling.discard_reasons.assign(reasons.begin(), reasons.end());
  if (cell.aa && std::isfinite(cell.aa->high)) {
    sampling.aa_low = cell.aa->low;
    sampling.aa_high = cell.aa->high;
  }
  sampling.first_in_round = first_in_round_slowdown(cell, variant, costs);
  const std::vector<double> values = values_of(costs);
  if (values.size() >= 10) {
    // Rounds are numbered over all attempts, so this is the order of time.
    std::map<int, double> by_time;
    for (const auto& [key, cost] : costs) by_time[key.second] = cost;
    std::vector<double> series;
    for (const auto& [round, cost] : by_time) series.push_back(cost);
    const stats::Drift drift = stats::drift(series);
    if (drift.drifting) sampling.drift_per_run = drift.change;
    // Modes closer than the precision aimed at (the step of a clock, two alignments) change no conclusion.
    const stats::Bimodality modes = stats::bimodality(values);
    sampling.two_modes = modes.bimodal && modes.high > modes.low * (1 + config.precision);
  }
  std::map<int, std::vector<double>> by_attempt;
  for (const auto& [key, cost] : costs) by_attempt[key.first].push_back(cost);
  std::vector<double> medians;
  for (const auto& [attempt, series] : by_attempt) medians.push_back(stats::median(series));
  if (medians.size() > 1) {
    const auto [low, high] = std::ranges::minmax(medians);
    if (low > 0) sampling.attempt_spread = high / low - 1;
  }
}

/// The figure as people read it: time, items per second, or bytes.
std::optional<Estimate> figure_of(const CellResult& cell, const VariantResult& variant,
                                  const Estimate& cost) {
  if (cell.goal == Goal::memory) {
    if (variant.memory_peaks.empty()) return std::nullopt;
    const auto [low, high] = std::ranges::minmax(variant.memory_peaks);
    return Estimate{stats::median(variant.memory_peaks), low, high};
  }
  if (cell.goal == Goal::throughput && cell.work_items > 0) {
    if (!(cost.low > 0)) return std::nullopt;
    return Estimate{cell.work_items / cost.value * 1e9, cell.work_items / cost.high * 1e9,
                    cell.work_items / cost.low * 1e9};
  }
  return cost;
}

CostByRound times(const CellResult& cell, const Samples& samples) {
  CellResult timing;
  timing.rounds = cell.rounds;
  return costs(timing, samples);
}

void derive_variant(CellResult& cell, const RunConfig& config, const stats::SequentialPlan& plan,
                    const CostByRound& baseline, VariantResult& variant) {
  const CostByRound own = costs(cell, variant.samples);
  variant.time_ns = estimate_of(times(cell, variant.samples), plan, cell.look);
  const auto cost = estimate_of(own, plan, cell.look);
  variant.figure = cost ? figure_of(cell, variant, *cost) : std::nullopt;
  derive_sampling(cell, config, own, variant);
  const VariantResult& first = *cell.baseline();
  variant.speedup.reset();
  variant.memory.savings_percent.reset();
  if (&variant != &first) {
    variant.speedup = cell.goal == Goal::memory
                          ? compare_memory(first, variant, cell.device, config.equivalence)
                          : compare_costs(first.name, baseline, own, plan, cell.look, config.equivalence);
    variant.memory.savings_percent = savings_of(first, variant, cell.device);
  }
  FloorEvidence& floor = variant.evidence.floor;
  floor.fastest_ns = variant.time_ns ? variant.time_ns->low : 0;
  variant.percent_of_ceiling.reset();
  if (floor.floor_ns && variant.time_ns && variant.time_ns->value > 0) {
    variant.percent_of_ceiling = 100 * *floor.floor_ns / variant.time_ns->value;
    variant.ceiling = floor.bound;
  }
  variant.findings = guards::judge(variant.evidence);
  guards::mark_waived(variant.findings, config.waivers);
  variant.validity = guards::validity_of(variant.findings, config.policy, config.waivers);
}

void derive_anchors(CellResult& cell, const RunConfig& config, const stats::SequentialPlan& plan) {
  const VariantResult* best = nullptr;
  double least = HUGE_VAL;
  for (const VariantResult& variant : cell.variants) {
    // An anchor that is fast because it is wrong is nothing to be compared with.
    if (variant.rung != Rung::anchor || variant.validity >= Validity::invalid) continue;
    const double cost = stats::median(values_of(costs(cell, variant.samples)));
    if (!(cost < least)) continue;
    least = cost;
    best = &variant;
  }
  for (VariantResult& variant : cell.variants) {
    variant.of_anchor.reset();
    if (best == nullptr || &variant == best || variant.samples.size() == 0) continue;
    variant.of_anchor = compare_costs(best->name, costs(cell, best->samples), costs(cell, variant.samples),
                                      plan, cell.look, config.equivalence);
  }
}

double half_width(const RatioEstimate& ratio) { return (ratio.high - ratio.low) / (2 * ratio.ratio); }

/// Bandwidth against bandwidth: the ceiling's time is taken for as many bytes as the work must move.
void derive_paired(CellResult& cell, const RunConfig& config, const stats::SequentialPlan& plan) {
  for (VariantResult& variant : cell.variants) variant.of_paired.reset();
  if (cell.paired.samples.size() == 0 || !(cell.paired.bytes > 0) || !(cell.work_bytes > 0)) return;
  CostByRound ceiling = times(cell, cell.paired.samples);
  for (auto& [key, ns] : ceiling) ns *= cell.work_bytes / cell.paired.bytes;
  for (VariantResult& variant : cell.variants) {
    if (variant.samples.size() == 0) continue;
    variant.of_paired = compare_costs(cell.paired.name, ceiling, times(cell, variant.samples), plan,
                                      cell.look, config.equivalence);
  }
}

/// Of what the cell shows beside its baseline: the best rung or, where guards left none, the least rejected.
Validity claimed_validity(const CellResult& cell) {
  if (const VariantResult* best = cell.best()) return best->validity;
  std::optional<Validity> mildest;
  for (const VariantResult& variant : cell.variants) {
    if (&variant == cell.baseline() || variant.rung != Rung::step || !variant.skipped.empty()) continue;
    mildest = std::min(mildest.value_or(variant.validity), variant.validity);
  }
  return mildest.value_or(Validity::valid);
}

}  // namespace

void derive(CellResult& cell, const RunConfig& config) {
  const stats::SequentialPlan plan(config.looks, config.alpha);
  cell.look = std::clamp(cell.look, 0, plan.look_count() - 1);
  const VariantResult* first = cell.baseline();
  if (first == nullptr) {
    cell.validity = Validity::failed;
    return;
  }
  const CostByRound baseline = costs(cell, first->samples);
  cell.aa.reset();
  if (cell.aa_samples.size() > 0) {
    const VariantResult* twice = cell.find(cell.aa_variant);
    if (twice == nullptr) twice = first;
    cell.aa = compare_costs(twice->name, costs(cell, twice->samples), costs(cell, cell.aa_samples), plan,
                            cell.look, config.equivalence);
  }
  for (VariantResult& variant : cell.variants) {
    if (!variant.skipped.empty() || variant.validity == Validity::failed) continue;
    derive_variant(cell, config, plan, baseline, variant);
  }
  derive_anchors(cell, config, plan);
  derive_paired(cell, config, plan);
  cell.validity = std::max(first->validity, claimed_validity(cell));
}

std::optional<RatioEstimate> compare_pair(const CellResult& cell, const VariantResult& first,
                                          const VariantResult& second, const stats::SequentialPlan& plan,
                                          double equivalence) {
  if (cell.goal == Goal::memory) return compare_memory(first, second, cell.device, equivalence);
  return compare_costs(first.name, costs(cell, first.samples), costs(cell, second.samples), plan,
                       std::clamp(cell.look, 0, plan.look_count() - 1), equivalence);
}

double widest_half_width(const CellResult& cell) {
  double widest = 0;
  // What is claimed of the fastest: against the library, and against the machine.
  if (const VariantResult* best = cell.best(); best != nullptr && cell.goal != Goal::memory) {
    if (best->of_anchor) widest = std::max(widest, half_width(*best->of_anchor));
    if (best->of_paired) widest = std::max(widest, half_width(*best->of_paired));
  }
  for (const VariantResult& variant : cell.variants) {
    if (variant.rung != Rung::step || &variant == cell.baseline() || cell.goal == Goal::memory) continue;
    if (!variant.skipped.empty() || variant.validity == Validity::failed) continue;
    if (!variant.speedup || !std::isfinite(variant.speedup->high)) return HUGE_VAL;
    widest = std::max(widest, half_width(*variant.speedup));
  }
  return widest;
}

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/stacking.h"

#include <algorithm>
#include <cmath>

#include "aisp/core/combinations.h"
#include "aisp/stats/compare.h"

namespace aisp::analysis {
namespace {

using Techniques = std::vector<std::string>;

bool has(const Techniques& techniques, const std::string& technique) {
  return std::ranges::find(techniques, technique) != techniques.end();
}

/// In the order of `all`, whatever order they come in.
Techniques ordered(const Techniques& all, const Techniques& some) {
  Techniques sorted;
  std::ranges::copy_if(all, std::back_inserter(sorted), [&](const auto& each) { return has(some, each); });
  return sorted;
}

/// Of a product of powers: the gain of `over` against `under`, in the rounds that all of them have.
std::optional<RatioEstimate> gain(const std::vector<const MeasuredSubset*>& under,
                                  const std::vector<const MeasuredSubset*>& over,
                                  const StackingRules& rules) {
  std::map<int, std::vector<double>> by_attempt;
  for (const auto& [place, first] : under.front()->costs) {
    double sum = 0;
    bool whole = true;
    const auto add = [&](const std::vector<const MeasuredSubset*>& subsets, double sign) {
      for (const MeasuredSubset* subset : subsets) {
        const auto found = subset->costs.find(place);
        whole = whole && found != subset->costs.end();
        if (whole) sum += sign * std::log(found->second);
      }
    };
    add(under, 1);
    add(over, -1);
    if (whole) by_attempt[place.first].push_back(sum);
  }
  stats::PairedRounds rounds;
  for (auto& [attempt, values] : by_attempt) rounds.log_ratios_by_attempt.push_back(std::move(values));
  const stats::Comparison c = stats::compare(rounds, rules.plan, rules.look, rules.equivalence);
  if (!std::isfinite(c.ratio) || !(c.ratio > 0)) return std::nullopt;
  return RatioEstimate{.against = under.size() == 1 ? under.front()->variant : "",
                       .ratio = c.ratio,
                       .low = c.low,
                       .high = c.high,
                       .confidence = c.confidence,
                       .rounds = c.rounds,
                       .method = c.method,
                       .outcome = static_cast<Outcome>(c.decision.outcome),
                       .small = c.decision.small};
}
static_assert(static_cast<int>(stats::Outcome::inconclusive) == static_cast<int>(Outcome::inconclusive));

/// A word only where the interval allows it: apart from 1, or so near that it does not matter.
std::string reading_of(const RatioEstimate& ratio) {
  const std::string little = ratio.small ? " a little" : "";
  switch (ratio.outcome) {
    case Outcome::faster:
      return "help each other" + little;
    case Outcome::slower:
      return "get in the way" + little;
    case Outcome::equivalent:
      return "add up";
    case Outcome::inconclusive:
      return "cannot tell";
  }
  return "";
}

class Reading {
 public:
  Reading(Techniques techniques, std::span<const MeasuredSubset> measured, const StackingRules& rules)
      : rules_(rules), none_(measured.front()), all_(std::move(techniques)) {
    for (const MeasuredSubset& subset : measured) subsets_.emplace(ordered(all_, subset.techniques), &subset);
  }

  Stacking read() {
    Stacking read{.techniques = all_, .baseline = none_.variant};
    for (const auto& [techniques, subset] : subsets_) {
      if (techniques.empty()) continue;
      gains_[subset] = gain({&none_}, {subset}, rules_);
      read.subsets.push_back({subset->variant, techniques, gains_[subset]});
    }
    std::ranges::stable_sort(read.subsets, std::greater(),
                             [](const SubsetGain& each) { return each.gain ? each.gain->ratio : 0; });
    for (std::size_t a = 0; a < all_.size(); ++a)
      for (std::size_t b = a + 1; b < all_.size(); ++b)
        read.interactions.push_back(interaction(all_[a], all_[b]));
    for (const std::string& technique : all_) read.marginals.push_back(marginal(technique));
    const MeasuredSubset& best = best_of([](const Techniques&) { return true; });
    read.best = best.variant;
    for (const auto& [techniques, subset] : subsets_) {
      if (subset == &best) continue;
      const auto ahead = gain({subset}, {&best}, rules_);
      if (!ahead || !(ahead->low > 1)) read.as_good.push_back(subset->variant);
    }
    return read;
  }

 private:
  const MeasuredSubset* find(const Techniques& techniques) const {
    const auto found = subsets_.find(ordered(all_, techniques));
    return found == subsets_.end() ? nullptr : found->second;
  }

  std::string missing(const std::vector<Techniques>& wanted) const {
    std::string names;
    for (const Techniques& each : wanted)
      if (find(each) == nullptr)
        names += (names.empty() ? "" : ", ") + combined_name(none_.variant, ordered(all_, each));
    return names.empty() ? "" : "a valid measurement of " + names;
  }

  Interaction interaction(const std::string& a, const std::string& b) const {
    Interaction found{
        .first = a, .second = b, .reading = "cannot tell", .needs = missing({{a}, {b}, {a, b}})};
    if (!found.needs.empty()) return found;
    found.ratio = gain({find({a}), find({b})}, {find({a, b}), &none_}, rules_);
    if (found.ratio) found.reading = reading_of(*found.ratio);
    if (!found.ratio) found.needs = "rounds that all four subsets have";
    return found;
  }

  /// By its median gain over the baseline, among the subsets that `wanted` takes.
  template <class Wanted>
  const MeasuredSubset& best_of(Wanted wanted) const {
    const MeasuredSubset* best = &none_;
    double most = 1;
    for (const auto& [techniques, subset] : subsets_) {
      if (subset == &none_ || !wanted(techniques)) continue;
      const auto& ratio = gains_.at(subset);
      if (!ratio || !(ratio->ratio > most)) continue;
      most = ratio->ratio;
      best = subset;
    }
    return *best;
  }

  Marginal marginal(const std::string& technique) const {
    const MeasuredSubset& rest =
        best_of([&](const Techniques& techniques) { return !has(techniques, technique); });
    Techniques with = rest.techniques;
    with.push_back(technique);
    Marginal found{.technique = technique, .to = rest.variant, .needs = missing({with})};
    if (!found.needs.empty()) return found;
    found.gain = gain({&rest}, {find(with)}, rules_);
    if (!found.gain) found.needs = "rounds that both subsets have";
    return found;
  }

  const StackingRules& rules_;
  const MeasuredSubset& none_;
  Techniques all_;
  std::map<Techniques, const MeasuredSubset*> subsets_;
  std::map<const MeasuredSubset*, std::optional<RatioEstimate>> gains_;  ///< over the baseline
};

}  // namespace

Stacking stacking(Techniques techniques, std::span<const MeasuredSubset> measured,
                  const StackingRules& rules) {
  if (measured.empty() || !measured.front().techniques.empty()) {
    return {.techniques = std::move(techniques), .needs = "a valid measurement of the baseline"};
  }
  if (measured.size() == 1)
    return {.techniques = std::move(techniques),
            .baseline = measured.front().variant,
            .needs = "a valid measurement of a technique"};
  return Reading(std::move(techniques), measured, rules).read();
}

}  // namespace aisp::analysis

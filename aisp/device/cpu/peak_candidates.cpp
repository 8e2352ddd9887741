// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cpu/peak_candidates.h"

#include <algorithm>
#include <utility>

#include "aisp/device/clock.h"

namespace aisp::device {
namespace {

void apply_ranking(std::vector<Candidate>& candidates, const std::vector<std::size_t>& ranking) {
  for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i].index = i;
  if (ranking.size() != candidates.size()) return;
  std::vector<Candidate> ordered;
  for (const std::size_t index : ranking) ordered.push_back(std::move(candidates[index]));
  candidates = std::move(ordered);
}

/// Tries all, the likely best first, then goes on with the leaders until the time is over. However little
/// time there is, two are tried and the leaders again a few times: on a busy machine most windows are
/// interrupted.
void find_best(std::vector<Candidate>& candidates, double end_ns, int least_rounds) {
  const Clock& clock = Clock::instance();
  const auto better = [](const Candidate& a, const Candidate& b) { return a.figure() > b.figure(); };
  for (std::size_t i = 0; i < candidates.size(); ++i)
    if (i < 2 || clock.now_ns() < end_ns) candidates[i].try_once();
  const std::size_t leaders = std::min<std::size_t>(3, candidates.size());
  for (int round = 0; round < least_rounds || clock.now_ns() < end_ns; ++round) {
    std::stable_sort(candidates.begin(), candidates.end(), better);
    for (std::size_t i = 0; i < leaders && (i == 0 || round < least_rounds || clock.now_ns() < end_ns); ++i)
      candidates[i].try_once();
  }
  std::stable_sort(candidates.begin(), candidates.end(), better);
}

}  // namespace

void Candidate::try_once() {
  const double rate = measure();
  rates.insert(std::ranges::upper_bound(rates, rate), rate);
}

double Candidate::figure() const {
  if (rates.empty()) return 0;
  if (!sustained) return rates.back();
  const double quartile = 0.75 * static_cast<double>(rates.size() - 1);
  return rates[static_cast<std::size_t>(quartile + 0.5)];
}

void settle(Ceiling& ceiling, std::vector<Candidate> candidates, double seconds, Rankings& rankings) {
  std::vector<std::size_t>& ranking = rankings[ceiling.name + " " + ceiling.level];
  apply_ranking(candidates, ranking);
  // Tries from memory are long, and there are enough of them in any useful time.
  const int least_rounds = candidates.front().sustained ? 1 : 4;
  find_best(candidates, Clock::instance().now_ns() + seconds * 1e9, least_rounds);
  ranking.clear();
  for (const Candidate& c : candidates) ranking.push_back(c.index);
  ceiling.value = candidates.front().figure();
  ceiling.probe = candidates.front().probe;
}

}  // namespace aisp::device

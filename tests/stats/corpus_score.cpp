// SPDX-License-Identifier: Apache-2.0
#include "tests/stats/corpus_score.h"

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace aisp::stats {
namespace {

// A step counts as found where a change point lies within this many values of it.
constexpr std::size_t kNear = 3;

std::size_t distance(std::size_t a, std::size_t b) { return a < b ? b - a : a - b; }

}  // namespace

const std::string kCorpusFile = std::string(AISP_SOURCE_DIR) + "/tests/stats/corpus/histories.csv";

std::vector<KnownHistory> kept_corpus() {
  std::ifstream file(kCorpusFile, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return from_csv(text.str());
}

void count(const KnownHistory& history, const std::vector<ChangePoint>& found, CorpusScore& score) {
  std::vector<bool> used(found.size());
  for (const KnownStep& step : history.steps) {
    bool hit = false;
    for (std::size_t i = 0; i < used.size() && !hit; ++i) {
      const std::size_t away = distance(found[i].at, step.at);
      hit = !used[i] && away <= kNear;
      if (!hit) continue;
      used[i] = true;
      ++score.right.hits;
      score.exact += away == 0;
      score.close += away <= 2;
    }
    score.sizes[std::abs(step.sigmas)].count(hit);
    (std::abs(step.sigmas) < kLarge ? score.small : score.large).count(hit);
  }
  score.right.all += static_cast<int>(found.size());
  if (history.slope != 0) score.on_slopes += static_cast<int>(found.size());
}

}  // namespace aisp::stats

// SPDX-License-Identifier: Apache-2.0
// How often a history without any change is taken for one that changed: looked at once, whole; looked at
// after every new value, as a CI system does; and with neighbours more alike than the corpus has them.
//
//   history_rates 10000        so many histories, and a twentieth as many that grow
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

#include "aisp/stats/segments.h"
#include "tests/stats/known_histories.h"

namespace {

using aisp::stats::KnownHistory;

bool changed(std::span<const double> values) { return !aisp::stats::segments(values, {}).changes.empty(); }

/// As if neighbours were independent: what looking at them is for.
bool changed_plainly(std::span<const double> values) {
  return !aisp::stats::change_points(values, {}).empty();
}

/// At some length from 20 on.
bool ever_changed(std::span<const double> values) {
  for (std::size_t length = 20; length <= values.size(); ++length) {
    if (changed(values.first(length))) return true;
  }
  return false;
}

void tell(const char* what, const std::map<std::string, std::pair<int, int>>& counts) {
  int hits = 0, all = 0;
  for (const auto& [noise, count] : counts) {
    std::printf("%-28s %-18s %5d of %5d\n", what, noise.c_str(), count.first, count.second);
    hits += count.first;
    all += count.second;
  }
  std::printf("%-28s %-18s %5d of %5d (%.2f %%)\n", what, "all", hits, all, 100.0 * hits / all);
}

void count(const char* what, int histories, const std::function<KnownHistory(std::uint64_t)>& draw,
           bool (*found)(std::span<const double>)) {
  std::map<std::string, std::pair<int, int>> counts;
  for (int i = 0; i < histories; ++i) {
    const KnownHistory history = draw(static_cast<std::uint64_t>(i));
    auto& [hits, all] = counts[history.noise];
    hits += found(history.log_values);
    ++all;
  }
  tell(what, counts);
}

}  // namespace

int main(int argc, char** argv) {
  const int histories = argc > 1 ? std::atoi(argv[1]) : 10000;
  using aisp::stats::draw_alike;
  count("looked at once", histories, aisp::stats::draw_steady, changed);
  count(
      "lag 1 of 0.3, plainly", histories / 5, [](std::uint64_t i) { return draw_alike(i, 0.3); },
      changed_plainly);
  count(
      "lag 1 of 0.5, plainly", histories / 5, [](std::uint64_t i) { return draw_alike(i, 0.5); },
      changed_plainly);
  count("lag 1 of 0.3, once", histories / 5, [](std::uint64_t i) { return draw_alike(i, 0.3); }, changed);
  count("lag 1 of 0.5, once", histories / 5, [](std::uint64_t i) { return draw_alike(i, 0.5); }, changed);
  count("lag 1 of 0.7, once", histories / 5, [](std::uint64_t i) { return draw_alike(i, 0.7); }, changed);
  count("looked at while it grew", histories / 20, aisp::stats::draw_steady, ever_changed);
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/whatif.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "aisp/analysis/point.h"
#include "aisp/analysis/sweep_forecast.h"
#include "aisp/analysis/worst_error.h"

namespace aisp::analysis {
namespace {

Check check(const char* what, const char* unit, double limit, const std::optional<Estimate>& value) {
  const char* state = !value                 ? "unknown"
                      : value->high <= limit ? "met"
                      : value->low > limit   ? "not met"
                                             : "undecided";
  return {.what = what, .limit = limit, .unit = unit, .value = value, .state = state};
}

/// Both by the digits that an error has: 0.9906 keeps a limit of 0.99, as a variant at 0.9905 is its equal.
Check error_check(double limit, const std::optional<double>& error) {
  Check held = check("error", "x tolerance", limit, point(error));
  if (error) held.state = told_apart(*error) <= told_apart(limit) ? "met" : "not met";
  return held;
}

std::string needed_for(const Check& check, bool modelled) {
  // No further run narrows what pages tell.
  if (check.state == "undecided" && check.what == "memory" && !modelled)
    return "a limit further from its memory, which is counted in pages";
  if (check.state == "undecided") return "a tighter interval for its " + check.what;
  if (check.what == "memory") return "its memory, which was not measured";
  if (check.what == "error") return "the error of its answers, which is not known at this size";
  return "its time";
}

/// The verdict over all constraints: one that is not met decides, one that is not known leaves it open.
void judge(Candidate& candidate, const std::optional<Estimate>& memory, const Wish& wish) {
  if (memory) candidate.memory_bytes = candidate.modelled ? memory->high : memory->value;
  if (wish.latency_ns)
    candidate.checks.push_back(check("latency", "ns", *wish.latency_ns, candidate.time_ns));
  if (wish.memory_bytes) candidate.checks.push_back(check("memory", "bytes", *wish.memory_bytes, memory));
  if (wish.max_error) candidate.checks.push_back(error_check(*wish.max_error, candidate.worst_error));
  candidate.verdict = "meets";
  if (!candidate.time_ns) {
    candidate.verdict = "cannot tell";
    if (candidate.needs.empty()) candidate.needs = "its time";
  }
  for (const Check& each : candidate.checks) {
    if (each.state == "not met") {
      candidate.verdict = "fails";
      candidate.needs.clear();
      return;
    }
    if (each.state == "met") continue;
    candidate.verdict = "cannot tell";
    if (candidate.needs.empty()) candidate.needs = needed_for(each, candidate.modelled);
  }
}

void rank(std::vector<Candidate>& candidates) {
  std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& c) {
      const int group = c.verdict == "meets" ? 0 : c.verdict == "cannot tell" ? 1 : 2;
      return std::pair(group, c.time_ns ? c.time_ns->value : HUGE_VAL);
    };
    return key(a) < key(b);
  });
  for (Candidate& each : candidates) {
    if (each.verdict != "meets") continue;
    each.rank = 1;
    for (const Candidate& other : candidates)
      if (other.verdict == "meets" && other.time_ns->high < each.time_ns->low) ++*each.rank;
  }
}

/// As far as its device counts what the variant held.
std::optional<Estimate> footprint_of(const Figure& figure) {
  std::optional<Estimate> held = memory_of(figure);
  if (held) held = Estimate{held->value + figure.bytes, held->low + figure.bytes, held->high + figure.bytes};
  return held;
}

/// "meets" alone would read as if something had been asked for.
std::string note_on(const Wish& wish) {
  const bool limited = wish.latency_ns || wish.memory_bytes || wish.max_error;
  return limited ? "" : "no limit of latency, memory or error was given, so nothing was asked of these";
}

bool has_size(const Figure& figure, const Wish& wish) {
  return std::ranges::all_of(wish.size, [&](const auto& asked) {
    return parameter(figure.parameters, asked.first) == asked.second;
  });
}

Options options_of(const Contest& contest, const Wish& wish) {
  Options options{.where = contest.where, .left_out = contest.left_out, .note = note_on(wish)};
  if (const std::size_t cells = cells_of(contest); cells > 1) {
    options.note += (options.note.empty() ? "of " : "; of ") + std::to_string(cells) +
                    " runs: ranks are by intervals, which hold nothing of what changed between runs";
  }
  for (const Figure* figure : contest.entrants) {
    Candidate candidate{.variant = figure->variant,
                        .anchor = figure->rung == Rung::anchor,
                        .time_ns = latency_of(*figure),
                        .worst_error = figure->worst_error,
                        .run = figure->run};
    judge(candidate, footprint_of(*figure), wish);
    options.candidates.push_back(std::move(candidate));
  }
  rank(options.candidates);
  return options;
}

Candidate candidate_of(const SizeForecast& forecast, const Wish& wish) {
  Candidate candidate{.variant = forecast.variant,
                      .anchor = forecast.anchor,
                      .time_ns = forecast.time.value,
                      .modelled = true,
                      .needs = forecast.time.needs};
  if (!forecast.model.form.empty()) {
    std::array<char, 80> text{};
    std::snprintf(text.data(), text.size(), "%s over %d sizes, off by at most %.3gx at sizes kept from it",
                  forecast.model.form.c_str(), forecast.model.sizes, forecast.model.factor);
    candidate.model = text.data();
  }
  judge(candidate, forecast.memory_bytes, wish);
  return candidate;
}

}  // namespace

std::optional<double> footprint(const Figure& figure) {
  if (!figure.peak_bytes) return std::nullopt;
  return *figure.peak_bytes + figure.bytes;
}

std::vector<Options> what_if(std::span<const Figure> figures, const Wish& wish) {
  std::vector<Figure> measured;
  if (!wish.size.empty()) {
    std::ranges::copy_if(figures, std::back_inserter(measured),
                         [&](const Figure& figure) { return has_size(figure, wish); });
  }
  std::vector<Options> all;
  for (const Contest& contest : contests(wish.size.empty() ? figures : std::span<const Figure>(measured)))
    all.push_back(options_of(contest, wish));
  if (wish.size.empty()) return all;
  std::map<Where, Options> modelled;
  for (const SizeForecast& forecast : forecasts(figures, wish.size)) {
    const bool known = std::ranges::any_of(all, [&](const Options& o) { return o.where == forecast.where; });
    if (known) continue;
    Options& options = modelled[forecast.where];
    options.where = forecast.where;
    options.note = note_on(wish);
    options.candidates.push_back(candidate_of(forecast, wish));
  }
  for (auto& [place, options] : modelled) {
    rank(options.candidates);
    all.push_back(std::move(options));
  }
  return all;
}

}  // namespace aisp::analysis

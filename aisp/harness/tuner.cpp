// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/tuner.h"

#include <algorithm>
#include <cmath>

#include "aisp/core/enum_name.h"
#include "aisp/harness/configured.h"

namespace aisp::harness {
namespace {

const Finding* rejection_of(const VariantResult& variant) {
  for (const Finding& finding : variant.findings)
    if (finding.level == Level::reject && !finding.waived) return &finding;
  return nullptr;
}

std::string reason_of(const VariantResult& variant) {
  const Finding* finding = rejection_of(variant);
  return finding != nullptr ? finding->guard + ": " + finding->because : "there is no figure";
}

/// Known to be so small that nobody would change anything for it.
bool is_no_gain(const RatioEstimate& ratio) { return ratio.outcome == Outcome::equivalent || ratio.small; }

class Race {
 public:
  explicit Race(const TuningJob& job) : job_(job) {}
  Result<TuningSearch> run();

 private:
  Status run_rung(double seconds);
  Result<CellResult> measure(const std::vector<std::size_t>& group, double seconds);
  void take(const CellResult& cell, const std::vector<std::size_t>& group, double seconds);
  void drop_losers();
  std::vector<std::size_t> racing() const;
  void lose(Contender& contender, Fate fate, std::string why);

  const TuningJob& job_;
  VariantInfo fallbacks_;
  std::vector<VariantInfo> configurations_;  ///< of the contender in the same place
  TuningSearch search_;
};

Result<TuningSearch> Race::run() {
  const auto& ladder = job_.cell.workload.variants;
  const auto declared = std::ranges::find(ladder, job_.variant, &VariantInfo::name);
  if (declared == ladder.end() || declared->tunables.empty())
    return Error{ErrorCode::usage, job_.cell.workload.id + " " + job_.variant + " declares no parameters",
                 "`aisp list " + job_.cell.workload.id + "` shows which do"};
  fallbacks_ = *declared;
  configurations_ = configurations_of(fallbacks_);
  for (const VariantInfo& each : configurations_)
    search_.contenders.push_back({.name = each.name, .fate = Fate::running});
  double seconds = job_.first_seconds;
  for (std::size_t before = search_.contenders.size() + 1; !racing().empty(); seconds *= 2) {
    // One that was measured and has nobody left to beat needs no longer cell: it is judged next.
    if (racing().size() == 1 && before == 1) break;
    if (const Status measured = run_rung(seconds); !measured) return measured.error();
    if (search_.cut_short) break;
    drop_losers();
    before = racing().size();
  }
  // Among those left, the best that is ahead of the fallbacks; of a search that was cut short too.
  Contender* best = nullptr;
  for (const std::size_t i : racing()) {
    Contender& each = search_.contenders[i];
    if (!each.ratio) {
      each.fate = Fate::untried;
    } else if (best == nullptr || each.ratio->ratio > best->ratio->ratio) {
      best = &each;
    }
  }
  if (best != nullptr && best->ratio->ratio > 1 && !is_no_gain(*best->ratio)) {
    best->fate = Fate::winner;
    search_.winner = best->name;
  } else if (best != nullptr && !search_.cut_short) {
    lose(*best, Fate::slower,
         best->ratio->ratio > 1 ? "not faster than the declared values by enough to matter"
                                : "no faster than the declared values");
  }
  return search_;
}

std::vector<std::size_t> Race::racing() const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < search_.contenders.size(); ++i)
    if (search_.contenders[i].fate == Fate::running) places.push_back(i);
  return places;
}

Status Race::run_rung(double seconds) {
  const std::vector<std::size_t> all = racing();
  for (std::size_t first = 0; first < all.size(); first += kMostInARound) {
    const std::size_t count = std::min(kMostInARound, all.size() - first);
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    const std::vector<std::size_t> group(begin, begin + static_cast<std::ptrdiff_t>(count));
    search_.cut_short = job_.stop();
    if (search_.cut_short) return Ok{};
    const Result<CellResult> cell = measure(group, seconds);
    if (!cell) return cell.error();
    search_.cut_short = cell->stopped == "interrupted";
    if (search_.cut_short) return Ok{};
    take(*cell, group, seconds);
  }
  return Ok{};
}

/// What the fallbacks themselves are rejected for is mostly a disturbance: it is measured once more.
Result<CellResult> Race::measure(const std::vector<std::size_t>& group, double seconds) {
  PlannedCell cell = job_.cell;
  cell.workload.variants = {fallbacks_};
  for (const std::size_t i : group) cell.workload.variants.push_back(configurations_[i]);
  for (bool again = false;; again = true) {
    const Result<CellResult> measured = job_.measure(cell, seconds);
    if (!measured || measured->stopped == "interrupted") return measured;
    const VariantResult* own = measured->find(fallbacks_.name);
    if (own == nullptr || !own->skipped.empty())
      return Error{ErrorCode::environment,
                   fallbacks_.name + " cannot run here: " + (own == nullptr ? "it is missing" : own->skipped),
                   "tune another variant, or elsewhere"};
    if (own->validity < Validity::invalid) return measured;
    if (again || own->validity == Validity::failed)
      return Error{
          own->validity == Validity::failed ? ErrorCode::workload : ErrorCode::environment,
          fallbacks_.name + " itself is " + std::string(aisp::name_of(own->validity)) + ": " +
              reason_of(*own),
          "there is nothing to compare configurations with: `aisp run " + cell.workload.id + "` shows it"};
    job_.tell(fallbacks_.name + " was rejected (" + reason_of(*own) + "): measured once more");
  }
}

void Race::take(const CellResult& cell, const std::vector<std::size_t>& group, double seconds) {
  for (const std::size_t i : group) {
    Contender& contender = search_.contenders[i];
    const VariantResult* own = cell.find(contender.name);
    if (own == nullptr) {
      lose(contender, Fate::thrown_out, "it was not measured");
    } else if (own->validity >= Validity::invalid) {
      lose(contender, Fate::thrown_out, reason_of(*own));
    } else if (!own->skipped.empty()) {
      lose(contender, Fate::pruned, own->skipped);
    } else if (!own->speedup || !std::isfinite(own->speedup->ratio)) {
      lose(contender, Fate::slower, "too slow to be sampled often enough");
    } else {
      contender.ratio = own->speedup;
      contender.seconds = seconds;
    }
  }
}

void Race::lose(Contender& contender, Fate fate, std::string why) {
  contender.fate = fate;
  contender.why = std::move(why);
  job_.tell(contender.name + " " + std::string(name_of(fate)) + ": " + contender.why);
}

/// First what is surely behind, then the lower half of the rest.
void Race::drop_losers() {
  std::vector<std::size_t> order = racing();
  if (order.empty()) return;
  const auto ratio = [&](std::size_t i) { return search_.contenders[i].ratio->ratio; };
  std::ranges::sort(order, std::greater(), ratio);
  const Contender& best = search_.contenders[order.front()];
  std::erase_if(order, [&](std::size_t i) {
    Contender& each = search_.contenders[i];
    if (each.ratio->high < 1) {
      lose(each, Fate::slower, "surely slower than the declared values");
    } else if (&each != &best && each.ratio->high < best.ratio->low) {
      lose(each, Fate::slower, "surely slower than " + best.name);
    }
    return each.fate != Fate::running;
  });
  const std::size_t kept = (order.size() + 1) / 2;
  for (std::size_t place = kept; place < order.size(); ++place)
    lose(search_.contenders[order[place]], Fate::slower, "in the slower half");
}

}  // namespace

std::string_view name_of(Fate fate) {
  return pick<6>({"untried", "running", "pruned", "thrown out", "slower", "winner"}, fate);
}

Result<TuningSearch> search_configurations(const TuningJob& job) { return Race(job).run(); }

}  // namespace aisp::harness

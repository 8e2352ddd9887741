// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/build_pair.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>
#include <optional>
#include <random>

#include "aisp/harness/anchor_search.h"
#include "aisp/harness/build_cell.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/cell_ends.h"
#include "aisp/harness/cell_evidence.h"
#include "aisp/harness/date.h"
#include "aisp/harness/derive.h"
#include "aisp/harness/earlier_rounds.h"
#include "aisp/harness/memory_figures.h"
#include "aisp/harness/scratch.h"
#include "aisp/stats/sequential.h"

namespace aisp::harness {
namespace {

using Time = std::chrono::steady_clock;

/// One of the workers of an attempt: of the old build, of the new, and of the old again.
struct SideWorker {
  Side side;
  WorkerProcess worker;
  std::size_t record;  ///< index in CellResult::attempts
};

class BuildPair {
 public:
  explicit BuildPair(const BuildPairJob& job)
      : job_(job), config_(job.config), plan_(job.config.looks, job.config.alpha) {}
  Result<CellResult> run();

 private:
  Status open();
  Status open_side(int attempt, Side side, std::vector<SideWorker>& workers);
  bool sample();
  std::size_t next_attempt();
  bool round(std::size_t attempt);
  bool close();
  void measure_memory();
  void finish();
  void note_end(std::size_t record, std::size_t side, const WorkerEnd& end);
  void start_over();
  bool time_is_up() const { return harness::time_is_up(cell_, rounds_, seconds(), config_); }
  double seconds() const { return std::chrono::duration<double>(Time::now() - started_).count(); }

  const BuildPairJob& job_;
  const RunConfig& config_;
  const stats::SequentialPlan plan_;
  CellResult cell_;
  CellSpec spec_;
  std::array<WorkerSetup, 2> setups_;
  AnchorSettings anchors_;
  std::optional<Opened> opened_;
  std::vector<std::vector<SideWorker>> attempts_;
  std::map<std::string, WorkerEnd> failed_;                ///< "new/tiled" and how it ended its worker
  std::optional<WorkerEnd> fatal_;                         ///< without a variant to leave out, or Ctrl-C
  std::vector<std::size_t> cycle_;                         ///< attempts still to come in this cycle
  std::map<std::size_t, std::vector<std::size_t>> turns_;  ///< of an attempt's workers, in its latest round
  std::string again_;      ///< the variant that a second worker of the old build measures
  int most_calls_ = 0;     ///< in a window, of the attempt being opened
  bool unequal_ = false;   ///< its workers chose different numbers
  std::string left_out_;   ///< the latest of failed_
  EarlierRounds earlier_;  ///< sampled before it failed
  int first_attempt_ = 0;  ///< number of the first attempt since then
  int rounds_ = 0;         ///< since then
  std::mt19937 random_{std::random_device{}()};
  Time::time_point started_ = Time::now();
};

Result<CellResult> BuildPair::run() {
  Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.error();
  cell_ = empty_result(job_.cell, config_);
  spec_ = spec_of(job_.cell, config_, scratch->text());
  setups_ = job_.setups;
  for (WorkerSetup& setup : setups_) setup.limits = limits_of(config_);
  job_.progress(0, "starting");
  // One setting for both, or the settings would be compared instead of the builds.
  anchors_ = search_anchors(job_.cell.workload, spec_, setups_[0]);
  for (WorkerSetup& setup : setups_) setup.environment = anchors_.environment;
  for (;;) {
    if (const Status opened = open(); !opened) return opened.error();
    if (fatal_) break;
    if (attempts_.empty()) continue;
    if (sample() && close()) break;
    if (fatal_) break;
    start_over();
  }
  if (!fatal_ && cell_.goal == Goal::memory) measure_memory();
  finish();
  return cell_;
}

Status BuildPair::open() {
  for (int attempt = 0; attempt < config_.attempts; ++attempt) {
    job_.progress(0, "warming up attempt " + std::to_string(attempt + 1));
    std::vector<SideWorker> workers;
    most_calls_ = 0;
    unequal_ = false;
    const std::size_t first_record = cell_.attempts.size();
    for (const Side side : {kOld, kNew, kOldAgain}) {
      if (side == kOldAgain && again_.empty()) continue;
      const std::size_t before = workers.size();
      if (const Status opened = open_side(attempt, side, workers); !opened) return opened.error();
      if (workers.size() == before) {  // a variant ended it; the next pass goes without
        start_over();
        return Ok{};
      }
    }
    // Unequal windows bias a ratio, so the builds agree on the longer; once, then all attempts have it.
    if (spec_.calls == 0) {
      spec_.calls = most_calls_;
      if (unequal_) {
        cell_.attempts.resize(first_record);
        --attempt;
        continue;
      }
    }
    attempts_.push_back(std::move(workers));
  }
  started_ = Time::now();
  return Ok{};
}

Status BuildPair::open_side(int attempt, Side side, std::vector<SideWorker>& workers) {
  CellSpec spec = spec_;
  spec.variants.clear();
  for (const VariantInfo& v : job_.cell.workload.variants) {
    if (is_chosen(spec_.variants, v.name) && !failed_.contains(labelled(side, v.name)) &&
        (side != kOldAgain || v.name == again_))
      spec.variants.push_back(v.name);
  }
  const auto of_build = [side](Error error) {
    error.message = std::string(side == kNew ? "the new build: " : "the old build: ") + error.message;
    return error;
  };
  Result<WorkerProcess> worker = WorkerProcess::start(setups_[side == kNew ? kNew : kOld]);
  if (!worker) return of_build(worker.error());
  const std::size_t index = begin_attempt(cell_, first_attempt_ + attempt);
  std::optional<Opened> opened;
  const Answer answer = worker->ask({.op = "open", .cell = spec}, "opened", [&](WorkerReply& reply) {
    if (reply.opened) opened = reply.opened;
    if (side != kOldAgain) add_libraries(cell_.libraries, reply.libraries, kBuildLabels[side]);
    note_containment(cell_, reply.containment);
  });
  if (answer.error) return of_build(*answer.error);
  if (answer.end) {
    note_end(index, side, *answer.end);
    return Ok{};
  }
  if (!opened)
    return of_build({ErrorCode::bad_input, "does not say what it opened", "pair builds of one version"});
  cell_.attempts[index].seed_commitment = opened->seed_commitment;
  take_opened(cell_, side, *opened);
  if (most_calls_ > 0 && opened->calls != most_calls_) unequal_ = true;
  most_calls_ = std::max(most_calls_, opened->calls);
  if (side == kOld) {
    opened_ = opened;
    if (again_.empty()) again_ = calibration_variant(*opened);
  }
  workers.push_back({side, std::move(*worker), index});
  return Ok{};
}

/// False when a worker ended.
bool BuildPair::sample() {
  for (std::size_t look = 0; look < config_.looks.size(); ++look) {
    while (rounds_ < config_.looks[look] && !time_is_up()) {
      if (!round(next_attempt())) return false;
      const double by_time = seconds() / config_.cell_seconds;
      const double by_rounds = static_cast<double>(rounds_) / config_.looks.back();
      job_.progress(std::min(1.0, std::max(by_time, by_rounds)), std::to_string(rounds_) + " rounds");
    }
    cell_.look = static_cast<int>(look);
    const bool enough = precise(cell_, job_.cell.workload.variants, plan_, config_.precision);
    cell_.stopped = enough ? "precise" : "time";
    if (enough || time_is_up()) return true;
  }
  cell_.stopped = "looks";
  return true;
}

/// Every attempt once in each cycle, in a random order: attempts in turn would each see only some of the
/// input families, which follow the round's number.
std::size_t BuildPair::next_attempt() {
  if (cycle_.empty()) {
    for (std::size_t i = 0; i < attempts_.size(); ++i) cycle_.push_back(i);
    std::ranges::shuffle(cycle_, random_);
  }
  const std::size_t next = cycle_.back();
  cycle_.pop_back();
  return next;
}

/// One round of each worker, in an order that is random and reversed in the attempt's next round.
bool BuildPair::round(std::size_t attempt) {
  std::vector<SideWorker>& workers = attempts_[attempt];
  std::vector<std::size_t>& turns = turns_[attempt];
  if (cell_.attempts[workers[0].record].rounds % 2 == 1) {
    std::ranges::reverse(turns);
  } else {
    turns.resize(workers.size());
    std::iota(turns.begin(), turns.end(), std::size_t{0});
    std::ranges::shuffle(turns, random_);
  }
  RoundRecord kept{.attempt = first_attempt_ + static_cast<int>(attempt),
                   .round = earlier_.next_round() + rounds_};
  for (const std::size_t turn : turns) {
    SideWorker& w = workers[turn];
    const Answer answer = w.worker.ask({.op = "rounds", .first_round = kept.round, .count = 1}, "done",
                                       [&](WorkerReply& reply) {
                                         if (reply.round) take_round(cell_, w.side, *reply.round, kept);
                                       });
    if (answer.ok()) {
      ++cell_.attempts[w.record].rounds;
      continue;
    }
    note_end(w.record, w.side, end_of(answer));
    cell_.rounds.push_back(std::move(kept));  // the other build may have had its turn
    return false;
  }
  cell_.rounds.push_back(std::move(kept));
  ++rounds_;
  return true;
}

bool BuildPair::close() {
  for (std::vector<SideWorker>& workers : attempts_) {
    for (SideWorker& w : workers) {
      AttemptRecord& record = cell_.attempts[w.record];
      const Answer answer = w.worker.ask({.op = "close"}, "closed", [&](WorkerReply& reply) {
        if (!reply.closing) return;
        record.seed = reply.closing->seed;
        take_closing(cell_, w.side, *std::move(reply.closing));
      });
      if (!answer.ok()) {
        note_end(w.record, w.side, end_of(answer));
        return false;
      }
      finish_attempt(record);
    }
  }
  attempts_.clear();
  return true;
}

/// Remembers how a worker ended. The other variants are measured again without the one that ended it.
void BuildPair::note_end(std::size_t index, std::size_t side, const WorkerEnd& end) {
  AttemptRecord& record = cell_.attempts[index];
  end_attempt(record, end, end.variant.empty() ? "" : labelled(side, end.variant));
  const auto& declared = job_.cell.workload.variants;
  const bool known = std::ranges::find(declared, end.variant, &VariantInfo::name) != declared.end();
  const bool baseline = record.variant == labelled(0, declared.front().name);
  if (end.status == "interrupted" || !known || baseline || failed_.contains(record.variant)) {
    fatal_ = {end.status, labelled(side, " " + end.detail), record.variant};
  } else {
    failed_[record.variant] = end;
    left_out_ = record.variant;
  }
}

void BuildPair::start_over() {
  abandon_attempts(cell_);
  attempts_.clear();
  if (fatal_) return;
  earlier_.take(cell_, left_out_);
  first_attempt_ += config_.attempts;
  spec_.calls = 0;  // the windows suited the variant that is gone
  cycle_.clear();
  turns_.clear();
  if (failed_.contains(labelled(kOld, again_))) again_.clear();
  rounds_ = 0;
}

void BuildPair::measure_memory() {
  for (const VariantInfo& info : job_.cell.workload.variants) {
    for (std::size_t side = 0; side < 2; ++side) {
      const auto found = std::ranges::find(cell_.variants, labelled(side, info.name), &VariantResult::name);
      if (found == cell_.variants.end() || !found->skipped.empty()) continue;
      job_.progress(1, "memory of " + found->name);
      const auto end = measure_memory_of(*found, info.name, spec_, setups_[side], kMemoryAttempts);
      if (!end) continue;
      note_end(begin_attempt(cell_, first_attempt_ + config_.attempts), side, *end);
      if (fatal_) return;
    }
  }
}

void BuildPair::finish() {
  if (opened_) {
    fill_evidence(cell_, *opened_,
                  {.cell = job_.cell,
                   .config = config_,
                   .ceilings = job_.ceilings,
                   .hash_at_start = job_.config_hash,
                   .hash_at_end = job_.rehash ? job_.rehash() : job_.config_hash});
  }
  for (VariantResult& v : cell_.variants) {
    const auto chosen = anchors_.chosen.find(v.name.substr(v.name.find('/') + 1));
    if (chosen != anchors_.chosen.end()) v.setting = chosen->second;
  }
  mark_ends(cell_, labelled(asked_for(job_.cell.workload.variants, spec_.variants)), failed_, fatal_);
  earlier_.put_back(cell_);
  attempts_.clear();
  cell_.finished = utc_now();
  if (!fatal_) derive(cell_, config_);
}

}  // namespace

Result<CellResult> measure_builds(const BuildPairJob& job) { return BuildPair(job).run(); }

}  // namespace aisp::harness

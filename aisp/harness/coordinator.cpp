// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/coordinator.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <optional>

#include "aisp/harness/anchor_search.h"
#include "aisp/harness/audit_figures.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/cell_ends.h"
#include "aisp/harness/cell_evidence.h"
#include "aisp/harness/date.h"
#include "aisp/harness/derive.h"
#include "aisp/harness/earlier_rounds.h"
#include "aisp/harness/first_in_round.h"
#include "aisp/harness/keep_slot.h"
#include "aisp/harness/memory_figures.h"
#include "aisp/harness/merge_evidence.h"
#include "aisp/harness/scratch.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {
namespace {

using Time = std::chrono::steady_clock;
constexpr double kBlockSeconds = 0.5;  // rounds asked of one attempt before the next gets its turn
constexpr double kMemorySeconds = 2;   // slower variants are not run again just for their memory

struct Attempt {
  WorkerProcess worker;
  std::size_t record;  ///< index in CellResult::attempts
};

class CellMeasurement {
 public:
  explicit CellMeasurement(const CellJob& job) : job_(job), config_(job.config) {}
  Result<CellResult> run();

 private:
  Status open_attempts();
  bool sample();
  bool ask_rounds(Attempt& attempt, int count);
  void record(const RoundReport& report, int attempt);
  bool close_attempts();
  void measure_memory();
  void audit();
  void note_end(std::size_t record, const WorkerEnd& end);
  void start_over();
  void finish();
  double seconds() const { return std::chrono::duration<double>(Time::now() - started_).count(); }
  bool time_is_up() const { return harness::time_is_up(cell_, rounds_, seconds(), config_); }

  const CellJob& job_;
  const RunConfig& config_;
  CellResult cell_;
  CellSpec spec_;
  WorkerSetup setup_;
  AnchorSettings anchors_;
  std::optional<Opened> opened_;
  std::vector<Attempt> attempts_;
  std::map<std::string, WorkerEnd> failed_;
  std::optional<WorkerEnd> fatal_;  ///< the baseline, the problem or the reference failed; or Ctrl-C
  std::string left_out_;            ///< the latest of failed_
  EarlierRounds earlier_;           ///< sampled before it failed
  int rounds_ = 0;                  ///< since then
  Time::time_point started_;
};

Result<CellResult> CellMeasurement::run() {
  Result<Scratch> scratch = Scratch::make();
  if (!scratch) return scratch.error();
  cell_ = empty_result(job_.cell, config_);
  spec_ = spec_of(job_.cell, config_, scratch->text());
  if (job_.to_tune) spec_.seed_domain = "tune";
  setup_ = {.program = job_.program, .plugins = config_.plugins, .limits = limits_of(config_)};
  setup_.environment = environment_of(config_);
  job_.progress(0, "starting");
  anchors_ = search_anchors(job_.cell.workload, spec_, setup_);
  setup_.environment.insert(setup_.environment.end(), anchors_.environment.begin(),
                            anchors_.environment.end());

  // Each pass either measures the cell or learns of one more variant that cannot be measured.
  for (;;) {
    if (const Status opened = open_attempts(); !opened) return opened.error();
    if (fatal_) break;
    if (attempts_.empty()) continue;
    if ((skip_cell(cell_) || sample()) && close_attempts()) break;
    if (fatal_) break;
    start_over();
  }
  const bool only_timed = cell_.stopped == kSkipped || job_.to_tune;
  if (!fatal_ && !only_timed) measure_memory();
  if (!fatal_ && !only_timed && config_.audit && kind_of(config_.device) != DeviceKind::cpu) audit();
  finish();
  return cell_;
}

/// Starts every attempt. A variant that ends its worker is noted, and the loop in run() tries without it.
Status CellMeasurement::open_attempts() {
  CellSpec spec = spec_;
  spec.variants.clear();
  for (const VariantInfo& v : job_.cell.workload.variants) {
    if (is_chosen(spec_.variants, v.name) && !failed_.contains(v.name)) spec.variants.push_back(v.name);
  }
  started_ = Time::now();
  for (int i = 0; i < config_.attempts; ++i) {
    job_.progress(0, "warming up attempt " + std::to_string(i + 1));
    Result<WorkerProcess> worker = WorkerProcess::start(setup_);
    if (!worker) return worker.error();
    const std::size_t record = begin_attempt(cell_, static_cast<int>(cell_.attempts.size()));
    std::optional<Opened> opened;
    const Answer answer = worker->ask({.op = "open", .cell = spec}, "opened", [&](WorkerReply& reply) {
      opened = reply.opened;
      add_libraries(cell_.libraries, reply.libraries);
      note_containment(cell_, reply.containment);
    });
    if (answer.error) return *answer.error;
    if (answer.end) {
      note_end(record, *answer.end);
      start_over();
      return Ok{};
    }
    if (!opened) {
      note_end(record, worker->end("broke the protocol", "did not say what it opened"));
      start_over();
      return Ok{};
    }
    opened_ = std::move(opened);
    cell_.attempts[record].seed_commitment = opened_->seed_commitment;
    // Attempts with unequal windows would be samples of unequal things: the first decides for all.
    if (opened_->shape == Shape::call) spec.calls = opened_->calls;
    attempts_.push_back({std::move(*worker), record});
  }
  cell_.variants.clear();
  cell_.work_bytes = opened_->work_bytes;  // looks compare bandwidths
  cell_.paired = {.name = opened_->paired_ceiling, .bytes = opened_->paired_bytes};
  for (const OpenedVariant& o : opened_->variants) {
    VariantResult& v = cell_.at(o.name);
    v.rung = o.rung;
    v.note = o.note;
    v.skipped = o.skipped;
    v.every = o.every;
    v.prepare_ns = o.prepare_ns;
    const auto chosen = anchors_.chosen.find(o.name);
    if (chosen != anchors_.chosen.end()) v.setting = chosen->second;
  }
  started_ = Time::now();
  return Ok{};
}

/// Samples to each look in turn. False when a worker ended.
bool CellMeasurement::sample() {
  // Drawing and checking often cost more than the calls, so a block is sized by what rounds really took;
  // until every attempt has had a turn, blocks are single rounds.
  std::size_t turn = 0;
  for (std::size_t look = 0; look < config_.looks.size(); ++look) {
    const int target = config_.looks[look];
    const int share = (target - rounds_ + config_.attempts - 1) / config_.attempts;
    while (rounds_ < target && !time_is_up()) {
      const double round_seconds = std::max(seconds() / std::max(rounds_, 1), 1e-4);
      const int block =
          turn < attempts_.size() ? 1 : std::max(1, static_cast<int>(kBlockSeconds / round_seconds));
      const int count = std::min({block, share, target - rounds_});
      if (!ask_rounds(attempts_[turn++ % attempts_.size()], count)) return false;
      const double by_time = seconds() / config_.cell_seconds;
      const double by_rounds = static_cast<double>(rounds_) / config_.looks.back();
      job_.progress(std::min(1.0, std::max(by_time, by_rounds)), std::to_string(rounds_) + " rounds");
    }
    cell_.look = static_cast<int>(look);
    derive(cell_, config_);
    job_.looked(cell_);
    if (widest_half_width(cell_) <= config_.precision) {
      cell_.stopped = "precise";
      return true;
    }
    if (time_is_up()) {
      cell_.stopped = "time";
      return true;
    }
  }
  cell_.stopped = "looks";
  return true;
}

bool CellMeasurement::ask_rounds(Attempt& attempt, int count) {
  const int number = cell_.attempts[attempt.record].attempt;
  const int first = earlier_.next_round() + rounds_;
  const Answer answer = attempt.worker.ask({.op = "rounds", .first_round = first, .count = count}, "done",
                                           [&](WorkerReply& reply) {
                                             if (reply.round) record(*reply.round, number);
                                           });
  if (answer.ok()) return true;
  note_end(attempt.record, end_of(answer));
  return false;
}

void CellMeasurement::record(const RoundReport& report, int attempt) {
  RoundRecord& round = cell_.rounds.emplace_back(RoundRecord{
      .attempt = attempt, .round = report.round, .family = report.family, .discarded = report.discarded});
  for (const SlotReport& slot : report.slots) {
    if (!round.order.empty()) round.order += ' ';
    round.order += (slot.variant.empty() ? kCeilingSlot : slot.variant) + (slot.again ? "'" : "");
    keep_slot(cell_, slot, slot.variant, {attempt, report.round, report.mirrored});
  }
  ++rounds_;
  ++cell_.attempts[static_cast<std::size_t>(attempt)].rounds;
}

bool CellMeasurement::close_attempts() {
  for (Attempt& attempt : attempts_) {
    AttemptRecord& record = cell_.attempts[attempt.record];
    const Answer answer = attempt.worker.ask({.op = "close"}, "closed", [&](WorkerReply& reply) {
      if (!reply.closing) return;
      record.seed = reply.closing->seed;
      for (const ClosedVariant& closed : reply.closing->variants) merge_closed(cell_.at(closed.name), closed);
    });
    if (!answer.ok()) {
      note_end(attempt.record, end_of(answer));
      return false;
    }
    finish_attempt(record);
  }
  attempts_.clear();
  return true;
}

/// Remembers how a worker ended, and whether the cell can go on without the variant that ended it.
void CellMeasurement::note_end(std::size_t index, const WorkerEnd& end) {
  end_attempt(cell_.attempts[index], end, end.variant);
  const std::string baseline = job_.cell.workload.variants.front().name;
  const bool known = std::ranges::find(job_.cell.workload.variants, end.variant, &VariantInfo::name) !=
                     job_.cell.workload.variants.end();
  if (end.status == "interrupted" || !known || end.variant == baseline || failed_.contains(end.variant)) {
    fatal_ = end;
  } else {
    failed_[end.variant] = end;
    left_out_ = end.variant;
  }
}

/// The samples taken with a variant that later failed count for nothing: the remaining variants are measured
/// again under the conditions they will be reported with.
void CellMeasurement::start_over() {
  abandon_attempts(cell_);
  attempts_.clear();
  if (fatal_) return;
  earlier_.take(cell_, left_out_);
  rounds_ = 0;
}

void CellMeasurement::measure_memory() {
  if (kind_of(config_.device) != DeviceKind::cpu)
    return;  // the process's memory says nothing about the device's
  for (VariantResult& v : cell_.variants) {
    const bool fast = v.time_ns && v.time_ns->value < kMemorySeconds * 1e9;
    if (!v.skipped.empty() || (!fast && cell_.goal != Goal::memory)) continue;
    job_.progress(1, "memory of " + v.name);
    const int attempts = cell_.goal == Goal::memory ? kMemoryAttempts : 1;
    const auto end = measure_memory_of(v, v.name, spec_, setup_, attempts);
    if (!end) continue;
    note_end(begin_attempt(cell_, static_cast<int>(cell_.attempts.size())), *end);
    if (fatal_) return;
  }
}

/// Of those that were measured: a variant that ended its worker has no figure to audit.
void CellMeasurement::audit() {
  job_.progress(1, "audit");
  CellSpec spec = spec_;
  spec.variants.clear();
  for (const VariantResult& v : cell_.variants) {
    if (v.skipped.empty() && !failed_.contains(v.name)) spec.variants.push_back(v.name);
  }
  for (std::string& note : audit_cell(cell_, spec, setup_, config_.energy))
    cell_.notes.push_back(std::move(note));
}

void CellMeasurement::finish() {
  if (opened_ && cell_.stopped != kSkipped) {
    fill_evidence(cell_, *opened_,
                  {.cell = job_.cell,
                   .config = config_,
                   .ceilings = job_.ceilings,
                   .hash_at_start = job_.config_hash,
                   .hash_at_end = job_.rehash ? job_.rehash() : job_.config_hash});
  }
  mark_ends(cell_, asked_for(job_.cell.workload.variants, spec_.variants), failed_, fatal_);
  earlier_.put_back(cell_);
  attempts_.clear();
  cell_.finished = utc_now();
  if (!fatal_ && cell_.stopped != kSkipped) derive(cell_, config_);
}

}  // namespace

Result<CellResult> measure_cell(const CellJob& job) { return CellMeasurement(job).run(); }

}  // namespace aisp::harness

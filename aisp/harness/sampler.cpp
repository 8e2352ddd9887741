// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/sampler.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <set>

#include "aisp/core/configuration.h"
#include "aisp/device/clock.h"
#include "aisp/device/cpu/cache_flush.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/device/cpu/quiet.h"
#include "aisp/harness/contestant.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/gpu_sampler.h"
#include "aisp/harness/opened_cell.h"
#include "aisp/harness/read_ceiling.h"
#include "aisp/harness/round_order.h"
#include "aisp/harness/round_state.h"
#include "aisp/harness/sampler_limits.h"
#include "aisp/harness/seed.h"
#include "aisp/harness/start_up.h"
#include "aisp/harness/tensor_set.h"
#include "aisp/harness/variant_runner.h"
#include "aisp/harness/warm_up.h"
#include "aisp/harness/window_plan.h"
#include "aisp/probes/process_probe.h"
#include "aisp/probes/system_probe.h"

namespace aisp::harness {
namespace {

constexpr int kPreparationRound = 1 << 25;
// Sets whose inputs are worth locking for a window of some 20 us: each tensor costs 11 us (Xeon at 2.8 GHz).
constexpr int kMostLocked = 64;

class CpuSampler : public Sampler {
 public:
  CpuSampler(const Workload& workload, const CellSpec& spec, Problem problem, Announce announce)
      : workload_(workload),
        spec_(spec),
        params_(spec.sizes()),
        problem_(std::move(problem)),
        announce_(std::move(announce)),
        seed_(Seed::draw(spec.seed_domain)),
        team_(threads_of(params_), {.pin_caller = spec.pin}) {}

  void open();
  const Opened& opened() const override { return opened_; }
  RoundReport round(int index) override;
  Closing close() override;

 private:
  void add_variants();
  void warm_up(Contestant& contestant, int& warm_round);
  void choose_calls();
  double preparation_ns();
  void choose_every();
  void choose_ceiling();
  int family_of(int index) const;
  bool starts_awake(double window_ns) const;
  void make_sets(std::size_t count);
  std::unique_ptr<AnswerChecker> make_checker(const TensorSet& set, int round, int index) const;
  void set_caches();
  SlotReport sample_ceiling();
  SlotReport sample(Contestant& contestant, bool again, const RoundReport& round);
  void note_process(Contestant& contestant, int threads_before);

  const Workload& workload_;
  CellSpec spec_;
  Params params_;
  Problem problem_;
  Announce announce_;
  Seed seed_;
  device::PinnedTeam team_;
  Opened opened_;
  std::vector<std::unique_ptr<Contestant>> contestants_;
  std::vector<std::unique_ptr<TensorSet>> sets_;
  std::optional<StartUp> start_up_;  ///< where some window is short
  std::vector<std::unique_ptr<AnswerChecker>> checkers_;
  std::optional<device::CacheFlusher> flusher_;
  std::optional<ReadCeiling> ceiling_;
  Contestant* twice_ = nullptr;  ///< sampled twice a round, for the A/A calibration
  RoundState state_;
  probes::SystemSnapshot system_start_ = probes::SystemSnapshot::take();
  device::ClockSnapshot clock_start_ = device::Clock::instance().snapshot();
  std::set<std::uint64_t> inputs_seen_;
  std::uint64_t fresh_rounds_ = 0;  ///< rounds all of whose inputs were new
  int local_round_ = 0;
  std::uint64_t windows_ = 0;
};

void CpuSampler::open() {
  opened_ = opened_cell(workload_, problem_, seed_.commitment());
  make_sets(1);
  add_variants();
  int warm_round = kWarmUpRound;
  for (const auto& contestant : contestants_) warm_up(*contestant, warm_round);
  choose_calls();
  choose_every();
  choose_ceiling();
  if (spec_.cache == CacheMode::cold) flusher_.emplace();
  const auto woken = [&](const auto& c) { return starts_awake(c->opened->estimate_ns * opened_.calls); };
  if (std::ranges::any_of(contestants_, woken) || (ceiling_ && starts_awake(ceiling_->typical_ns()))) {
    start_up_.emplace(problem_, params_, spec_.huge_pages, seed_);
  }
}

void CpuSampler::add_variants() {
  opened_.variants.reserve(workload_.variants.size());
  for (const Variant& variant : workload_.variants) {
    if (!is_chosen(spec_.variants, variant.name)) continue;
    OpenedVariant& opened = opened_.variants.emplace_back(
        OpenedVariant{.name = variant.name, .rung = variant.rung, .note = variant.note});
    announce_(variant.name);
    opened.skipped = why_unavailable(variant, params_).value_or("");
    if (!opened.skipped.empty()) continue;
    auto contestant = std::make_unique<Contestant>();
    contestant->runner = std::make_unique<VariantRunner>(workload_, variant, params_, team_, spec_.scratch);
    contestant->opened = &opened;
    contestant->threads_before = probes::thread_count();
    opened.prepare_ns = contestant->runner->prepare();
    contestant->threads_kept = std::max(0, probes::thread_count() - contestant->threads_before);
    contestants_.push_back(std::move(contestant));
  }
}

void CpuSampler::warm_up(Contestant& contestant, int& warm_round) {
  announce_(contestant.opened->name);
  const int threads_before = probes::thread_count();
  const auto checker = [&](int round) {
    announce_("");  // a reference that fails is not the variant's doing
    auto made = make_checker(*sets_.front(), round, 0);
    announce_(contestant.opened->name);
    return made;
  };
  const bool judged = workload_.shape == Shape::call && !spec_.wrong_counts;
  const double batched_below = judged ? shortest_window_ns() : 0;
  const WarmUp warm = harness::warm_up(
      *contestant.runner,
      {.sets = sets_, .seed = seed_, .checker = checker, .batched_below_ns = batched_below}, warm_round);
  contestant.opened->estimate_ns = warm.call_ns;
  contestant.wrong_at_once = warm.wrong;
  const int threads = device::wait_until_quiet(kQuietLimit).threads;
  contestant.threads_kept += std::max(0, threads - threads_before - warm.reference_threads);
}

void CpuSampler::make_sets(std::size_t count) {
  while (sets_.size() < count)
    sets_.push_back(std::make_unique<TensorSet>(problem_, params_, spec_.huge_pages));
}

void CpuSampler::choose_calls() {
  if (workload_.shape != Shape::call || contestants_.empty()) return;
  double fastest = HUGE_VAL;
  // Where every one answers wrongly there is nobody to protect, and their windows must still be timed.
  const bool all = std::ranges::all_of(contestants_, [](const auto& c) { return c->wrong_at_once; });
  for (const auto& c : contestants_) {
    if (all || !c->wrong_at_once) fastest = std::min(fastest, c->opened->estimate_ns);
  }
  opened_.calls = calls_per_window(spec_, {.fastest_call_ns = fastest,
                                           .set_bytes = problem_.bytes(),
                                           .tensors = problem_.tensors.size(),
                                           .free_bytes = free_memory_bytes()});
  make_sets(static_cast<std::size_t>(opened_.calls));
}

/// Drawing the inputs of a call and finding its answer: what every round takes, whoever is in it.
double CpuSampler::preparation_ns() {
  const auto& clock = device::Clock::instance();
  const double start = clock.now_ns();
  sets_.front()->draw(seed_, kPreparationRound, 0);
  static_cast<void>(make_checker(*sets_.front(), kPreparationRound, 0));
  return clock.now_ns() - start;
}

/// Also chooses which variant is sampled twice: the baseline, unless it is one of those that take the time.
void CpuSampler::choose_every() {
  std::vector<double> window_ns;
  for (const auto& c : contestants_) window_ns.push_back(c->opened->estimate_ns * opened_.calls);
  std::vector<int> periods = sampling_periods(window_ns, spec_.seconds);
  const auto rare = [](int period) { return period > 1; };
  if (std::ranges::any_of(periods, rare))
    periods = sampling_periods(window_ns, spec_.seconds, preparation_ns() * opened_.calls);
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    contestants_[i]->opened->every = periods[i];
    if (periods[i] == 1 && twice_ == nullptr) twice_ = contestants_[i].get();
    opened_.round_ns += window_ns[i] / periods[i];
  }
}

/// Work that is bound by reading is held to reading, in the same rounds.
void CpuSampler::choose_ceiling() {
  if (workload_.shape != Shape::call || problem_.work.traffic != Traffic::read) return;
  if (ReadCeiling::bytes_of(*sets_.front()) <= 0) return;
  ceiling_.emplace(team_);
  ceiling_->choose(sets_);
  opened_.paired_ceiling = ceiling_->name();
  opened_.paired_bytes = ReadCeiling::bytes_of(*sets_.front());
}

std::unique_ptr<AnswerChecker> CpuSampler::make_checker(const TensorSet& set, int round, int index) const {
  Rng rng(seed_.stream("check", round, index));
  return harness::make_checker(workload_, {params_, problem_, set.inputs(), set.state(), rng});
}

/// The two rounds of a mirrored pair get different families, and the next pair the other way round. `index`
/// counts over all attempts: even where each gets one round, they differ.
int CpuSampler::family_of(int index) const { return (index + local_round_ / 2) % problem_.families(); }

RoundReport CpuSampler::round(int index) {
  RoundReport report{.round = index, .family = family_of(index), .mirrored = local_round_ % 2};
  state_.begin();
  announce_("");  // until a variant's turn comes, the workload's own code runs: its draws and its reference
  checkers_.clear();
  bool fresh = true;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    const int set = static_cast<int>(s);
    sets_[s]->draw(seed_, index, set, report.family);
    checkers_.push_back(make_checker(*sets_[s], index, set));
    fresh = inputs_seen_.insert(sets_[s]->input_checksum()).second && fresh;
  }
  if (fresh) ++fresh_rounds_;
  // The reference may use every core and leave threads spinning.
  device::wait_until_quiet(kQuietLimit);
  const Turns turns{.contestants = contestants_, .twice = twice_, .ceiling = ceiling_.has_value()};
  for (const auto& [contestant, again] : round_order(turns, seed_, local_round_)) {
    report.slots.push_back(contestant ? sample(*contestant, again, report) : sample_ceiling());
  }
  report.discarded = state_.end();
  ++local_round_;
  return report;
}

bool CpuSampler::starts_awake(double window_ns) const {
  return !flusher_ && workload_.shape == Shape::call && opened_.calls <= kMostLocked &&
         StartUp::matters(window_ns);
}

void CpuSampler::set_caches() {
  if (flusher_) {
    flusher_->flush(team_);
  } else if (spec_.cache == CacheMode::hot) {
    for (const auto& set : sets_) {
      for (const auto& tensors : {set->inputs(), set->outputs()}) {
        for (const TensorView& tensor : tensors) device::CacheFlusher::touch({tensor.data, tensor.bytes()});
      }
    }
  }
}

/// As any variant: both sides of the ratio start alike.
SlotReport CpuSampler::sample_ceiling() {
  announce_("");
  if (starts_awake(ceiling_->typical_ns()))
    start_up_->before(sets_, [&](StartUp::Sets own) { return ceiling_->run(own); });
  set_caches();
  const double ns = ceiling_->run(sets_);
  return {
      .variant = "", .ns = ns / static_cast<double>(sets_.size()), .calls = static_cast<int>(sets_.size())};
}

SlotReport CpuSampler::sample(Contestant& contestant, bool again, const RoundReport& round) {
  announce_(contestant.opened->name);
  for (const auto& set : sets_) set->arm(seed_.stream("poison", static_cast<std::int64_t>(windows_++)));
  const int threads_before = probes::thread_count();
  if (starts_awake(contestant.opened->estimate_ns * opened_.calls)) {
    probes::ProcessProbe untimed;
    contestant.threads_kept +=
        start_up_->before(sets_, [&](StartUp::Sets own) { return contestant.runner->run(own, untimed).ns; });
    contestant.probe.note_changes(untimed);
  }
  set_caches();
  const Window window = contestant.runner->run(sets_, contestant.probe);
  note_process(contestant, threads_before);
  contestant.families |= std::uint64_t{1} << std::min(round.family, 63);
  if (workload_.shape == Shape::stateful) {
    contestant.finish_share = std::max(contestant.finish_share.value_or(0), window.finish_ns / window.ns);
  }
  contestant.shortest_window_ns = std::min(contestant.shortest_window_ns, window.ns);
  contestant.answers.evidence().unanswered += window.unanswered;
  contestant.answers.evidence().answered_twice += window.improper_answers;
  for (const auto& [name, value] : contestant.runner->metrics()) {
    contestant.metrics[name].first += value;
    ++contestant.metrics[name].second;
  }
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    if (!contestant.answers.record(*sets_[s], s, *checkers_[s]))
      sets_[s]->draw(seed_, round.round, static_cast<int>(s), round.family);
  }
  return {.variant = contestant.opened->name,
          .again = again,
          .ns = window.ns / window.calls,
          .calls = window.calls,
          .items = window.items};
}

/// Looks for threads and CPU time that outlive the call. Library pools spin for a while after returning; what
/// matters to the guard is work that goes on while nothing should run.
void CpuSampler::note_process(Contestant& contestant, int threads_before) {
  const device::Quiet quiet = device::wait_until_quiet(kQuietLimit);
  contestant.probe.note_quiet(quiet);
  contestant.threads_kept += std::max(0, quiet.threads - threads_before);
}

Closing CpuSampler::close() {
  Closing closing{.seed = seed_.hex()};
  const ClosingFacts facts{.workload = workload_,
                           .threads = threads_of(params_),
                           .fresh_rounds = fresh_rounds_,
                           .clock_start = clock_start_,
                           .system_start = system_start_,
                           .system_end = probes::SystemSnapshot::take()};
  for (const auto& contestant : contestants_)
    closing.variants.push_back(close_contestant(*contestant, facts));
  return closing;
}

}  // namespace

Result<std::unique_ptr<Sampler>> Sampler::open(const Workload& workload, const CellSpec& spec,
                                               Announce announce) {
  const Params params = spec.sizes();
  announce("");
  Problem problem = workload.problem(params);
  if (const Status valid = validate(problem); !valid) return valid.error();
  if (workload.device != DeviceKind::cpu)
    return open_gpu_sampler(workload, spec, std::move(problem), std::move(announce));
  if (const Status fits = fits_memory(needed_bytes(problem), spec.memory_limit); !fits) return fits.error();
  auto sampler = std::make_unique<CpuSampler>(workload, spec, std::move(problem), std::move(announce));
  sampler->open();
  return Result<std::unique_ptr<Sampler>>(std::move(sampler));
}

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_sampler.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>
#include <vector>

#include "aisp/core/configuration.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/device/cpu/quiet.h"
#include "aisp/harness/contestant.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/gpu_checker.h"
#include "aisp/harness/gpu_readings.h"
#include "aisp/harness/gpu_variant.h"
#include "aisp/harness/notice_board.h"
#include "aisp/harness/opened_cell.h"
#include "aisp/harness/round_order.h"
#include "aisp/harness/round_state.h"
#include "aisp/harness/sampler_limits.h"
#include "aisp/harness/window_plan.h"
#include "aisp/probes/device_watch.h"
#include "aisp/probes/system_probe.h"

namespace aisp::harness {
namespace {

constexpr int kWarmUpCalls = 5;
constexpr double kWarmUpNs = 200e6;  ///< slower calls get fewer
// In steady mode: enough calls that filling and draining the device is little of the window, and no more than
// the queue in front of it holds.
constexpr double kFewestSteadyCalls = 8;
constexpr double kMostSteadyCalls = 256;

// Sensors are looked at in the middle of a window that is long enough to be met there: a host's sleep is off
// by some tens of microseconds, and a look takes some, too.
constexpr double kLookNs = 300e3;
// Full readings take up to milliseconds, and whoever else computes on the device for long is seen by a few.
constexpr int kRoundsPerFullLook = 16;

/// Tensors of one call, and the reference of one output in double with its scale.
double set_bytes(const Problem& problem) {
  double bytes = static_cast<double>(problem.bytes());
  for (const TensorSpec& spec : problem.tensors) {
    if (spec.role == Role::output) bytes += 2.0 * sizeof(double) * static_cast<double>(spec.size());
  }
  return bytes;
}

class GpuSampler : public Sampler {
 public:
  GpuSampler(const Workload& workload, const CellSpec& spec, Problem problem, Announce announce,
             std::unique_ptr<device::Gpu> gpu)
      : workload_(workload),
        spec_(spec),
        params_(spec.sizes()),
        problem_(std::move(problem)),
        announce_(std::move(announce)),
        gpu_(std::move(gpu)),
        seed_(Seed::draw(spec.seed_domain)),
        team_(1, {.pin_caller = spec.pin}) {}

  void open();
  const Opened& opened() const override { return opened_; }
  RoundReport round(int index) override;
  Closing close() override;

 private:
  void add_variants();
  void warm_up();
  void drop_skipped();
  void make_sets();
  void choose_every();
  std::size_t index_of(const Contestant& contestant) const;
  void draw(std::size_t set, int round, int family) {
    sets_[set]->draw(seed_, round, static_cast<int>(set), family);
  }
  void set_cache();
  SlotReport sample(Contestant& contestant, bool again, RoundReport& round);

  const Workload& workload_;
  CellSpec spec_;
  Params params_;
  Problem problem_;
  Announce announce_;
  std::unique_ptr<device::Gpu> gpu_;
  Seed seed_;
  device::PinnedTeam team_;
  Opened opened_;
  std::vector<std::unique_ptr<Contestant>> contestants_;
  std::vector<std::unique_ptr<GpuVariant>> variants_;  ///< one for each contestant
  std::vector<GpuReadings> readings_;                  ///< one for each contestant
  probes::AttemptWatch watch_;
  std::vector<std::unique_ptr<GpuTensorSet>> sets_;
  std::vector<std::unique_ptr<GpuChecker>> checkers_;  ///< one for each set
  Contestant* twice_ = nullptr;
  RoundState state_;
  probes::SystemSnapshot system_start_ = probes::SystemSnapshot::take();
  device::ClockSnapshot clock_start_ = device::Clock::instance().snapshot();
  std::set<std::uint64_t> inputs_seen_;
  std::uint64_t fresh_rounds_ = 0;
  int local_round_ = 0;
  std::uint64_t windows_ = 0;
  std::optional<double> rotation_over_cache_;  ///< steady only
};

void GpuSampler::open() {
  opened_ = opened_cell(workload_, problem_, seed_.commitment());
  gpu_->timing().expect_flushes(spec_.cache == CacheMode::cold);
  make_sets();
  watch_.look(gpu_->sensors());  // once the device lists this process
  add_variants();
  warm_up();
  choose_every();
}

/// One set, or in steady mode so many that a call finds nothing of its own in the cache.
void GpuSampler::make_sets() {
  double count = 1;
  if (spec_.cache == CacheMode::steady) {
    const double rotation = 2.0 * static_cast<double>(gpu_->timing().cache_bytes());
    count = std::max(kFewestSteadyCalls, std::ceil(rotation / static_cast<double>(problem_.bytes())) + 1);
    const double room = 0.8 * static_cast<double>(gpu_->memory().free_bytes()) / set_bytes(problem_);
    count = std::floor(std::clamp(std::min(count, room), 1.0, kMostSteadyCalls));
    if (spec_.calls > 0) count = spec_.calls;
    rotation_over_cache_ = 2 * count * static_cast<double>(problem_.bytes()) / rotation;
  }
  opened_.calls = static_cast<int>(count);
  for (int i = 0; i < opened_.calls; ++i) {
    sets_.push_back(std::make_unique<GpuTensorSet>(*gpu_, workload_, problem_, params_));
    checkers_.push_back(std::make_unique<GpuChecker>(*gpu_, workload_, problem_, params_));
  }
}

void GpuSampler::add_variants() {
  const Instrument instrument = instrument_of(workload_, spec_, params_, announce_);
  opened_.variants.reserve(workload_.variants.size());
  for (const Variant& variant : workload_.variants) {
    if (!is_chosen(spec_.variants, variant.name)) continue;
    OpenedVariant& opened = opened_.variants.emplace_back(
        OpenedVariant{.name = variant.name, .rung = variant.rung, .note = variant.note});
    announce_(variant.name);
    opened.skipped = why_unavailable(variant, params_).value_or("");
    if (!opened.skipped.empty()) continue;
    auto contestant = std::make_unique<Contestant>();
    contestant->opened = &opened;
    contestant->threads_before = probes::thread_count();
    auto prepared = std::make_unique<GpuVariant>(*gpu_, variant, params_, team_, instrument);
    opened.prepare_ns = prepared->prepare();
    announce_(still_on_device(variant.name));
    gpu_->timing().run([](void*) {});  // a kernel that stays is this variant's doing, not the next one's
    announce_(variant.name);
    contestant->threads_kept = std::max(0, probes::thread_count() - contestant->threads_before);
    contestants_.push_back(std::move(contestant));
    variants_.push_back(std::move(prepared));
    readings_.emplace_back();
  }
}

std::size_t GpuSampler::index_of(const Contestant& contestant) const {
  const auto same = [&](const auto& c) { return c.get() == &contestant; };
  return static_cast<std::size_t>(std::ranges::find_if(contestants_, same) - contestants_.begin());
}

/// Loads what is called for the first time, learns what the instrument adds, and estimates a window.
void GpuSampler::warm_up() {
  int round = kWarmUpRound;
  for (const auto& contestant : contestants_) {
    announce_("");
    for (std::size_t s = 0; s < sets_.size(); ++s) {
      draw(s, round, round % problem_.families());
      sets_[s]->arm(seed_.stream("warm-up", round, static_cast<std::int64_t>(s)));
    }
    ++round;
    announce_(contestant->opened->name);
    GpuVariant& variant = *variants_[index_of(*contestant)];
    variant.run(sets_, [&] { announce_(still_on_device(contestant->opened->name)); });
    announce_(contestant->opened->name);
    if (const Status ready = variant.calibrate(sets_); !ready) {
      contestant->opened->skipped = ready.error().message;
      continue;
    }
    readings_[index_of(*contestant)].look_into(variant, sets_);
    double fastest = HUGE_VAL;
    double spent = 0;
    for (int i = 0; i < kWarmUpCalls && spent < kWarmUpNs; ++i) {
      set_cache();
      const double ns = variant.time(sets_).ns;
      fastest = std::min(fastest, ns);
      spent += ns;
    }
    contestant->opened->estimate_ns = std::max(fastest / opened_.calls, 1.0);
  }
  drop_skipped();
}

/// Those that turned out to be impossible to time as asked.
void GpuSampler::drop_skipped() {
  const auto from = [&](auto& list, std::size_t i) {
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  };
  for (std::size_t i = contestants_.size(); i-- > 0;) {
    if (contestants_[i]->opened->skipped.empty()) continue;
    from(contestants_, i);
    from(variants_, i);
    from(readings_, i);
  }
}

/// Also chooses which variant is sampled twice: the baseline, unless it is one of those that take the time.
void GpuSampler::choose_every() {
  std::vector<double> window_ns;
  for (const auto& c : contestants_) window_ns.push_back(c->opened->estimate_ns * opened_.calls);
  const std::vector<int> periods = sampling_periods(window_ns, spec_.seconds);
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    contestants_[i]->opened->every = periods[i];
    if (periods[i] == 1 && twice_ == nullptr) twice_ = contestants_[i].get();
    opened_.round_ns += window_ns[i] / periods[i];
  }
}

RoundReport GpuSampler::round(int index) {
  RoundReport report{.round = index,
                     .family = (index + local_round_ / 2) % problem_.families(),
                     .mirrored = local_round_ % 2};
  state_.begin();
  announce_("");
  if (local_round_ % kRoundsPerFullLook == kRoundsPerFullLook - 1) watch_.look(gpu_->sensors());
  bool fresh = true;
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    draw(s, index, report.family);
    checkers_[s]->find_answer(*sets_[s]);
    fresh = inputs_seen_.insert(sets_[s]->input_checksum()).second && fresh;
  }
  if (fresh) ++fresh_rounds_;
  const Turns turns{.contestants = contestants_, .twice = twice_};
  for (const auto& [contestant, again] : round_order(turns, seed_, local_round_))
    report.slots.push_back(sample(*contestant, again, report));
  if (const std::string reason = state_.end(); !reason.empty())
    report.discarded += (report.discarded.empty() ? "" : ", ") + reason;
  ++local_round_;
  return report;
}

void GpuSampler::set_cache() {
  if (spec_.cache == CacheMode::cold) gpu_->timing().flush_cache();
  if (spec_.cache == CacheMode::hot) sets_.front()->touch();
  gpu_->timing().settle();
}

SlotReport GpuSampler::sample(Contestant& contestant, bool again, RoundReport& round) {
  announce_(contestant.opened->name);
  for (const auto& set : sets_) set->arm(seed_.stream("poison", static_cast<std::int64_t>(windows_++)));
  GpuVariant& variant = *variants_[index_of(contestant)];
  const int threads_before = probes::thread_count();
  set_cache();
  GpuReadings& readings = readings_[index_of(contestant)];
  const auto look = [&] { readings.look(gpu_->sensors()); };
  const std::string waiting = still_on_device(contestant.opened->name);
  // The shortest so far: who is slow in the warm-up alone must not make the host sleep past its work.
  const double expected =
      std::min(contestant.opened->estimate_ns * opened_.calls, contestant.shortest_window_ns);
  const std::chrono::duration<double, std::nano> middle(expected / 2);
  const bool outlasts_look = variant.instrument() != Instrument::call && expected >= kLookNs;
  GpuWindow window;
  {
    const probes::ProcessProbe::Turn turn(contestant.probe);
    contestant.probe.before_window();
    window = variant.time(sets_, [&] {
      announce_(waiting);
      if (!outlasts_look) return;
      std::this_thread::sleep_for(middle);
      look();
    });
    contestant.probe.after_window();
  }
  announce_(contestant.opened->name);
  if (!outlasts_look) look();
  const device::Quiet quiet = device::wait_until_quiet(kQuietLimit);
  contestant.probe.note_quiet(quiet);
  contestant.threads_kept += std::max(0, quiet.threads - threads_before);
  contestant.families |= std::uint64_t{1} << std::min(round.family, 63);
  contestant.shortest_window_ns = std::min(contestant.shortest_window_ns, window.ns);
  if (!window.reading.held && round.discarded.empty()) round.discarded = "the gate did not hold the device";
  readings.note(variant, window);
  for (const auto& [name, value] : variant.metrics()) {
    contestant.metrics[name].first += value;
    ++contestant.metrics[name].second;
  }
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    if (!contestant.answers.record(checkers_[s]->inspect(*sets_[s]), s)) draw(s, round.round, round.family);
  }
  return {.variant = contestant.opened->name,
          .again = again,
          .ns = window.ns / window.calls,
          .calls = window.calls};
}

Closing GpuSampler::close() {
  Closing closing{.seed = seed_.hex()};
  const ClosingFacts facts{.workload = workload_,
                           .threads = 1,
                           .fresh_rounds = fresh_rounds_,
                           .clock_start = clock_start_,
                           .system_start = system_start_,
                           .system_end = probes::SystemSnapshot::take()};
  watch_.look(gpu_->sensors());
  for (std::size_t i = 0; i < contestants_.size(); ++i) {
    ClosedVariant closed = close_contestant(*contestants_[i], facts);
    closed.evidence.device = workload_.device;
    TimingEvidence& timing = closed.evidence.timing;
    timing.instrument = variants_[i]->instrument();
    if (timing.instrument != Instrument::call) {  // else it is the host's clock, as on a CPU
      timing.clock_resolution_ns = gpu_->timing().resolution_ns();
      timing.clock_cost_ns = 0;  // events are taken by the device, outside what they time
    }
    readings_[i].record(closed.evidence);
    closed.evidence.accelerator.rotation_over_cache = rotation_over_cache_;
    watch_.record(closed.evidence.accelerator);
    closing.variants.push_back(std::move(closed));
  }
  return closing;
}

/// What a cell takes of the device, and of the host, where references without a device's version run.
Status fits(const Problem& problem, device::Gpu& gpu) {
  const double needed = set_bytes(problem);
  const double free = static_cast<double>(gpu.memory().free_bytes());
  if (needed <= 0.9 * free) return Ok{};
  return Error{ErrorCode::environment,
               "this size needs " + std::to_string(static_cast<long long>(needed / 1e6)) +
                   " MB of the device's memory, and " + std::to_string(static_cast<long long>(free / 1e6)) +
                   " MB are free",
               "choose a smaller size with --param, or free the device"};
}

}  // namespace

Result<std::unique_ptr<Sampler>> open_gpu_sampler(const Workload& workload, const CellSpec& spec,
                                                  Problem problem, Sampler::Announce announce) {
  Result<std::unique_ptr<device::Gpu>> gpu = device::open_gpu(spec.device);
  if (!gpu) return gpu.error();
  if (const Status room = fits(problem, **gpu); !room) return room.error();
  auto sampler =
      std::make_unique<GpuSampler>(workload, spec, std::move(problem), std::move(announce), *std::move(gpu));
  sampler->open();
  return Result<std::unique_ptr<Sampler>>(std::move(sampler));
}

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_audit.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include <unistd.h>

#include "aisp/core/configuration.h"
#include "aisp/device/clock.h"
#include "aisp/harness/audit_ledger.h"
#include "aisp/harness/gpu_checker.h"
#include "aisp/harness/gpu_variant.h"
#include "aisp/probes/energy_probe.h"
#include "aisp/probes/window_activity.h"

namespace aisp::harness {
namespace {

constexpr int kWindows = 4;
// Work that a callback starts when everything seems over is recorded, if it starts within this.
constexpr std::chrono::milliseconds kAfterwards{2};
// Of the energy counter, ten a second on an H200, which takes 3 ms and more to read: known to 1 to 6 %.
constexpr int kEnergySteps = 11, kIdleSteps = 6;
constexpr double kEnergyPatienceNs = 4e9;
// Calls between two waits for the device, so that waiting is nothing beside them.
constexpr double kBatchNs = 20e6;
constexpr int kMostInBatch = 4096;
// Numbered far from measured rounds.
constexpr int kFirstRound = 1 << 26;

class Audit {
 public:
  Audit(device::Gpu& gpu, const Workload& workload, const CellSpec& spec, const Problem& problem,
        const Params& params)
      : gpu_(gpu),
        workload_(workload),
        spec_(spec),
        problem_(problem),
        params_(params),
        team_(1, {.pin_caller = spec.pin}),
        checker_(gpu, workload, problem, params) {
    gpu.timing().expect_flushes(spec.cache == CacheMode::cold);
    sets_.push_back(std::make_unique<GpuTensorSet>(gpu, workload, problem, params));
  }

  void run(const AuditTask& task, const std::function<void(const std::string&)>& announce,
           const std::function<void(const AuditReport&)>& tell);

 private:
  GpuTensorSet& set() { return *sets_.front(); }
  void arm(int round);
  void learn_own_work();
  void record(GpuVariant& variant, AuditedVariant& audited, std::vector<std::string>& notes);
  std::optional<std::string> start_recording();
  void prepare_window(int family);
  std::optional<std::string> record_window(GpuVariant& variant, int family, AuditLedger& ledger);
  void count(GpuVariant& variant, AuditedVariant& audited, std::vector<std::string>& notes);
  std::optional<double> idle_watts();
  void count_energy(GpuVariant& variant, AuditedVariant& audited, std::vector<std::string>& notes);

  device::Gpu& gpu_;
  const Workload& workload_;
  const CellSpec& spec_;
  const Problem& problem_;
  const Params& params_;
  device::PinnedTeam team_;
  GpuChecker checker_;
  Seed seed_ = Seed::draw();
  std::vector<std::unique_ptr<GpuTensorSet>> sets_;
  std::vector<probes::Preparation> own_;  ///< of each family: they are drawn by different kernels
  int round_ = kFirstRound;
};

void Audit::run(const AuditTask& task, const std::function<void(const std::string&)>& announce,
                const std::function<void(const AuditReport&)>& tell) {
  std::optional<double> idle;
  if (task.what == AuditOf::energy) {
    if (!gpu_.sensors().joules()) return tell({.notes = {"energy: the device has no counter of it"}});
    idle = idle_watts();
  }
  const Instrument instrument = instrument_of(workload_, spec_, params_, announce);
  if (task.what == AuditOf::activity) learn_own_work();
  for (const Variant& variant : workload_.variants) {
    if (!is_chosen(spec_.variants, variant.name)) continue;
    if (!task.left_out.empty() && is_chosen(task.left_out, variant.name)) continue;
    announce(variant.name);
    if (why_unavailable(variant, params_)) continue;
    AuditReport report;
    AuditedVariant& audited = report.variants.emplace_back(AuditedVariant{.name = variant.name});
    GpuVariant runner(gpu_, variant, params_, team_, instrument);
    if (task.what == AuditOf::activity) {
      record(runner, audited, report.notes);
    } else {
      runner.prepare();
      if (task.what == AuditOf::counters) {
        count(runner, audited, report.notes);
      } else {
        count_energy(runner, audited, report.notes);
        audited.energy.idle_watts = idle;
      }
    }
    tell(report);
  }
}

void Audit::arm(int round) {
  set().arm(seed_.stream("poison", round));
  if (spec_.cache == CacheMode::hot) set().touch();
  if (spec_.cache == CacheMode::cold) gpu_.timing().flush_cache();
  gpu_.timing().settle();
}

/// What the harness itself does before a call. Learnt before any code of a variant ran, which could work
/// beside it and have its own work taken for the harness's.
void Audit::learn_own_work() {
  prepare_window(0);  // takes what is needed only once
  for (int family = 0; family < std::min(kWindows, problem_.families()); ++family) {
    static_cast<void>(start_recording());
    prepare_window(family);
    own_.push_back(probes::preparation_of(gpu_.recorder().stop()));
  }
}

void Audit::record(GpuVariant& variant, AuditedVariant& audited, std::vector<std::string>& notes) {
  device::ActivityRecorder& recorder = gpu_.recorder();
  recorder.record_driver_calls(variant.instrument() == Instrument::call);
  set().draw(seed_, round_, 0, 0);
  set().arm(seed_.stream("poison", round_));
  gpu_.timing().run([](void*) {});
  // From before its plan until after its first call: what it holds on the device. The first recording of a
  // stream waits for buffers, too.
  gpu_.memory().watch_pool();
  const auto why_not = recorder.start();
  variant.prepare();
  if (why_not) {
    notes.push_back(variant.variant().name + ": nothing was recorded: " + *why_not);
    return;
  }
  variant.run(sets_);
  const device::RecordedMemory memory = device::memory_of(recorder.stop());
  audited.memory.peak_bytes = static_cast<double>(memory.peak);
  audited.memory.current_bytes = static_cast<double>(memory.held);
  if (const auto pool = gpu_.memory().pool_peak_bytes())
    audited.memory.reserved_bytes = static_cast<double>(*pool);
  if (const Status ready = variant.calibrate(sets_); !ready) {
    notes.push_back(variant.variant().name + ": nothing was recorded: " + ready.error().message);
    return;
  }
  AnswerLedger answers;
  AuditLedger ledger;
  for (int window = 0; window < kWindows; ++window, ++round_) {
    const int family = window % problem_.families();
    if (const auto problem = record_window(variant, family, ledger))
      notes.push_back(variant.variant().name + ": " + *problem);
    answers.record(checker_.inspect(set()), 0);
  }
  audited.answers = answers.evidence();
  audited.device = ledger.evidence();
  audited.device.tensors_on_host =
      std::ranges::any_of(problem_.tensors, [](const TensorSpec& spec) { return spec.place == Place::host; });
  audited.device.declares_cooperative = variant.variant().cooperative;
  audited.device.declares_device_launches = variant.variant().launches_from_device;
  audited.device.declares_managed_memory = variant.variant().managed_memory;
}

/// From one place among launches: how many settle() makes depends on it, and what is learnt must be what
/// comes before a call.
std::optional<std::string> Audit::start_recording() {
  gpu_.timing().settle();
  gpu_.timing().run([](void*) {});
  return gpu_.recorder().start();
}

/// All that the harness does itself before a call. From when the inputs are there, code could work on them.
void Audit::prepare_window(int family) {
  set().draw(seed_, round_, 0, family);
  checker_.find_answer(set());
  arm(round_);
  gpu_.timing().run([](void*) {});
}

std::optional<std::string> Audit::record_window(GpuVariant& variant, int family, AuditLedger& ledger) {
  device::ActivityRecorder& recorder = gpu_.recorder();
  const probes::Preparation& own = own_[static_cast<std::size_t>(family)];
  if (auto why_not = start_recording()) return why_not;
  prepare_window(family);
  const HostTensors as_declared(sets_, variant.variant().pinned);
  const double called = recorder.now_ns();
  const GpuWindow window = variant.time(sets_);
  const double returned = recorder.now_ns();
  std::this_thread::sleep_for(kAfterwards);
  gpu_.timing().run([](void*) {});
  const double stopped = recorder.now_ns();
  const std::vector<device::Activity> records = recorder.stop();
  if (recorder.dropped() + recorder.unrecorded_launches() > 0) return "records were lost";
  const auto stream = recorder.number_of(gpu_.timing().stream());
  if (!stream) return "the timed stream is not known to the recorder";
  const bool ungated = variant.instrument() == Instrument::call;
  const probes::WindowActivity found =
      probes::activity_of({.records = records,
                           .stream = *stream,
                           .device = recorder.device(),
                           .called_ns = called,
                           .device_ns = window.reading.device_ns,
                           .returned_ns = ungated ? std::optional(returned) : std::nullopt,
                           .thread = static_cast<std::uint32_t>(gettid()),
                           .stopped_ns = stopped,
                           .trusted = own.pieces,
                           .trusted_ns = own.ns});
  ledger.add(found, recorder, variant.device_ns(window));
  if (const auto blind = recorder.blind_to(); !blind.empty()) return "unseen: " + blind.front();
  return std::nullopt;
}

void Audit::count(GpuVariant& variant, AuditedVariant& audited, std::vector<std::string>& notes) {
  device::CounterReader& counters = gpu_.counters();
  set().draw(seed_, round_, 0, 0);
  variant.run(sets_);
  // Traffic and cache are what guards ask for; the rest explains a rung, and not every device counts all of
  // it.
  const std::vector<device::CounterGroup> judged{device::CounterGroup::traffic, device::CounterGroup::cache};
  auto why_not = counters.open({device::CounterGroup::traffic, device::CounterGroup::cache,
                                device::CounterGroup::access, device::CounterGroup::occupancy,
                                device::CounterGroup::tensor, device::CounterGroup::stalls});
  if (why_not) why_not = counters.open(judged);
  if (why_not) {
    notes.push_back(variant.variant().name + ": no counters: " + *why_not);
    return;
  }
  const device::Counters seen = counters.measure([&] { variant.run(sets_); },
                                                 [&] {
                                                   arm(round_++);
                                                   gpu_.timing().run([](void*) {});
                                                 });
  audited.counters = device::named(seen);
  audited.device.dram_bytes = seen.dram_read_bytes;
  audited.device.cold_hit_rate = spec_.cache == CacheMode::cold ? seen.l2_hit_rate : std::nullopt;
  double read = problem_.work.bytes;
  for (const TensorSpec& spec : problem_.tensors) {
    if (spec.role == Role::output) read -= static_cast<double>(spec.bytes());
  }
  if (spec_.cache == CacheMode::cold && read > 0) audited.device.compulsory_bytes = read;
}

std::optional<double> Audit::idle_watts() {
  const auto& clock = device::Clock::instance();
  probes::EnergyProbe probe([this] { return gpu_.sensors().joules(); });
  for (const double end = clock.now_ns() + kEnergyPatienceNs;
       probe.steps() < kIdleSteps && clock.now_ns() < end;)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const auto power = probe.stop();
  return power ? std::optional(power->watts) : std::nullopt;
}

void Audit::count_energy(GpuVariant& variant, AuditedVariant& audited, std::vector<std::string>& notes) {
  const auto& clock = device::Clock::instance();
  set().draw(seed_, round_, 0, 0);
  checker_.find_answer(set());
  set().arm(seed_.stream("poison", round_++));
  variant.run(sets_);  // loads what is called for the first time
  const double once = clock.now_ns();
  variant.run(sets_);
  const double call_ns = std::max(clock.now_ns() - once, 1.0);
  const int batch = static_cast<int>(std::clamp(kBatchNs / call_ns, 1.0, double{kMostInBatch}));

  std::optional<probes::EnergyProbe> probe;  // from when the calls begin
  double begin = 0, now = 0;
  const auto calls = static_cast<double>(variant.repeat(sets_, batch, [&] {
    now = clock.now_ns();
    if (!probe) {
      begin = now;
      probe.emplace([this] { return gpu_.sensors().joules(); });
    }
    return probe->steps() < kEnergySteps && now - begin < kEnergyPatienceNs;
  }));
  const auto power = probe->stop();
  AnswerLedger answers;
  answers.record(checker_.inspect(set()), 0);
  audited.answers = answers.evidence();
  if (!power) {
    notes.push_back(variant.variant().name + ": no energy: its counter did not move");
    return;
  }
  audited.energy = {.joules_per_call = power->watts * (now - begin) * 1e-9 / calls,
                    .uncertainty = power->uncertainty,
                    .watts = power->watts,
                    .counter = gpu_.sensors().energy_counter()};
}

}  // namespace

Status audit(const Workload& workload, const CellSpec& spec, const AuditTask& task,
             const std::function<void(const std::string&)>& announce,
             const std::function<void(const AuditReport&)>& tell) {
  const Params params = spec.sizes();
  announce("");
  const Problem problem = workload.problem(params);
  Result<std::unique_ptr<device::Gpu>> gpu = device::open_gpu(
      spec.device, task.what == AuditOf::activity ? device::GpuUse::audit : device::GpuUse::timing);
  if (!gpu) return gpu.error();
  Audit(**gpu, workload, spec, problem, params).run(task, announce, tell);
  return Ok{};
}

}  // namespace aisp::harness

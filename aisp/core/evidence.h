// SPDX-License-Identifier: Apache-2.0
/// \file
/// Facts about how one variant of one cell was measured. Probes record them, guards judge them, the store
/// keeps them, and a better guard can be run over old evidence. An empty optional means the fact could not be
/// established here; it never means "fine".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/fields.h"
#include "aisp/core/workload.h"

namespace aisp {

/// What the answers showed. Counts are over all timed calls of all attempts.
struct AnswerEvidence {
  std::uint64_t calls = 0;       ///< timed calls
  std::uint64_t checked = 0;     ///< of them, checked
  std::uint64_t wrong = 0;       ///< answers beyond the tolerance
  std::uint64_t not_finite = 0;  ///< answers with a NaN or Inf the reference does not have
  std::uint64_t unwritten = 0;   ///< answers in which poison survived
  std::uint64_t stale = 0;       ///< answers equal to the one for the previous round's inputs, and wrong now
  std::uint64_t constant = 0;    ///< wrong answers with one value in every element
  std::uint64_t out_of_bounds = 0;    ///< calls after which a guard word had changed
  std::uint64_t inputs_changed = 0;   ///< calls after which an input had changed
  std::uint64_t unanswered = 0;       ///< trace: requests without an answer
  std::uint64_t answered_twice = 0;   ///< trace: requests answered more than once, or never asked
  double worst_error = 0;             ///< largest error as a multiple of the tolerance
  std::string first_wrong;            ///< the first wrong element, in words
  double miss_probability = 0;        ///< of the checker; 0 for a full comparison
  int families = 0;                   ///< input families this variant was timed with
  std::uint64_t family_mask = 0;      ///< which ones: bit i for family i
  std::uint64_t distinct_inputs = 0;  ///< rounds whose inputs differed from every earlier round's
  AISP_FIELDS(calls, checked, wrong, not_finite, unwritten, stale, constant, out_of_bounds, inputs_changed,
              unanswered, answered_twice, worst_error, first_wrong, miss_probability, families, family_mask,
              distinct_inputs)
};

/// What timed the calls of a GPU's variant: figures that are never compared with each other.
enum class Instrument : std::uint8_t {
  isolated,  ///< the device's time for one call, everything queued before it began
  steady,    ///< the device's period of calls back to back
  call,      ///< from the call until the whole device is idle, by the host's clock
  graph      ///< isolated or steady, all that a window does launched at once as a graph
};
std::string_view name_of(Instrument instrument);

/// What the clock can resolve and how it behaved.
struct TimingEvidence {
  double clock_resolution_ns = 0;                ///< smallest step seen between two readings
  double clock_cost_ns = 0;                      ///< median cost of one reading
  double shortest_window_ns = 0;                 ///< shortest timed window (a batch of calls)
  std::optional<double> clock_disagreement_ppm;  ///< between two independent clocks over the attempt
  std::optional<Instrument> instrument;          ///< GPUs only; empty in older records
  AISP_FIELDS(clock_resolution_ns, clock_cost_ns, shortest_window_ns, clock_disagreement_ppm, instrument)
};

/// What the process did in and around the timed windows of this variant.
struct ProcessEvidence {
  std::optional<int> threads_before;  ///< before the first call
  std::optional<int> threads_after;   ///< most seen after a call
  std::optional<double>
      cpu_after_return_ns;  ///< of other threads after the return, at three quarters of the windows
  std::optional<double> cpu_in_windows_ns;         ///< CPU time of the process inside timed windows
  std::optional<double> others_cpu_in_windows_ns;  ///< of that, of threads other than the measuring one
  std::optional<double> wall_in_windows_ns;
  std::optional<std::uint64_t> minor_faults;  ///< inside timed windows
  std::optional<std::uint64_t> major_faults;
  std::optional<std::uint64_t> involuntary_switches;
  std::optional<std::uint64_t> swapped_pages;      ///< system-wide during the attempt
  std::optional<std::uint64_t> throttled_periods;  ///< CPU quota of the cgroup, during the attempt
  std::optional<double> steal_ns;                  ///< taken by the hypervisor during the attempt
  std::optional<std::uint64_t> migrations;         ///< timed windows that ended on another core
  std::optional<bool> rounding_mode_changed;       ///< MXCSR/FPCR differed after a call
  std::optional<bool> cores_changed;               ///< the allowed cores differed after a call
  std::optional<bool> handlers_changed;            ///< a signal's handler or a timer differed after a call
  std::optional<double> finish_share;              ///< stateful: Session::finish over its window, the largest
  AISP_FIELDS(threads_before, threads_after, cpu_after_return_ns, cpu_in_windows_ns, others_cpu_in_windows_ns,
              wall_in_windows_ns, minor_faults, major_faults, involuntary_switches, swapped_pages,
              throttled_periods, steal_ns, migrations, rounding_mode_changed, cores_changed, handlers_changed,
              finish_share)
};

/// The physical floor for the declared work, from measured ceilings.
struct FloorEvidence {
  std::optional<double> floor_ns;  ///< no implementation can be faster than this
  std::string bound;               ///< "read bandwidth of L3, 1 thread"
  double fastest_ns = 0;           ///< lower end of the interval of this variant's time
  AISP_FIELDS(floor_ns, bound, fastest_ns)
};

/// Parts of a reason to discard a round that guards look for.
inline constexpr std::string_view kRoundThrottled = "the CPU quota throttled the process";
inline constexpr std::string_view kRoundSwapped = "pages were swapped";

/// How the samples came about.
struct SamplingEvidence {
  int attempts_planned = 0;
  int attempts_finished = 0;
  int rounds = 0;            ///< kept, with this variant in them
  int rounds_required = 0;   ///< the fewest that support an interval
  int rounds_discarded = 0;  ///< by a declared state rule
  std::vector<std::string> discard_reasons;
  std::optional<double> aa_low, aa_high;  ///< baseline against itself in the same rounds
  std::optional<double> equivalence;      ///< the relative difference this run calls practically equal
  std::optional<double> drift_per_run;    ///< relative change first to last, where significant
  std::optional<bool> two_modes;
  std::optional<double> attempt_spread;  ///< relative spread of the attempts' medians
  std::optional<double> first_in_round;  ///< times as the first variant of a round over those after another
  AISP_FIELDS(attempts_planned, attempts_finished, rounds, rounds_required, rounds_discarded, discard_reasons,
              aa_low, aa_high, equivalence, drift_per_run, two_modes, attempt_spread, first_in_round)

  /// Whether some round of the cell was discarded for this among its reasons.
  bool discarded_for(std::string_view reason) const {
    for (const std::string& given : discard_reasons)
      if (given.find(reason) != std::string::npos) return true;
    return false;
  }
};

/// What was promised and what was found at the end.
struct ConfigEvidence {
  std::string hash_at_start;
  std::string hash_at_end;
  std::string seed_commitment;       ///< published before the first round
  std::optional<bool> seed_matches;  ///< the seed revealed afterwards hashes to the commitment
  std::optional<bool>
      binary_unchanged;  ///< the program, its plugins and builds hold what they held at the start
  AISP_FIELDS(hash_at_start, hash_at_end, seed_commitment, seed_matches, binary_unchanged)
};

/// The machine while it measured.
struct EnvironmentEvidence {
  std::optional<bool> traced;           ///< a debugger or tracer was attached
  std::optional<std::string> injected;  ///< LD_PRELOAD, CUDA_INJECTION64_PATH and the like
  std::optional<std::string> governor;
  std::optional<bool> governor_changed;
  std::optional<std::string> virtualised;  ///< hypervisor's name; "none" on bare metal
  std::optional<double> load_before;       ///< runnable tasks per core before the run
  std::optional<std::string> cpu_quota;    ///< "none" or the limit
  std::optional<std::string> affinity;
  std::optional<bool> priority_raised;  ///< nice below zero or a real-time class
  std::optional<std::uint64_t> thermal_throttles;
  /// Enforced on what ran the calls, the GPU or the CPU's packages: the lowest and the highest of all
  /// attempts and, once the cell is complete, of all its variants.
  std::optional<double> lowest_power_limit_w, highest_power_limit_w;
  AISP_FIELDS(traced, injected, governor, governor_changed, virtualised, load_before, cpu_quota, affinity,
              priority_raised, thermal_throttles, lowest_power_limit_w, highest_power_limit_w)
};

/// The audit of an accelerator; empty on the CPU.
struct DeviceEvidence {
  std::optional<double> work_outside_window_ns;  ///< kernels, copies, callbacks not inside a timed window
  std::optional<double>
      device_over_wall;  ///< what more calls add to its time, over what they add by the wall
  std::optional<std::uint64_t> undeclared_streams;
  std::optional<std::uint64_t> compilations_in_window;
  std::optional<std::uint64_t> allocations_in_window;
  std::optional<std::uint64_t> foreign_processes;
  std::optional<double> clock_change;  ///< relative change of the core clock between variants
  std::optional<std::string> throttle_reasons;
  std::optional<std::string> baseline_throttle_reasons;
  std::optional<double> dram_bytes;  ///< measured, per call
  std::optional<double> compulsory_bytes;
  std::optional<double> cold_hit_rate;          ///< of a run declared cold
  std::optional<double> late_ns;                ///< busy after the timed work, median of windows
  std::optional<std::uint64_t> waited;          ///< calls that waited for the device while it was held
  std::optional<std::uint64_t> host_functions;  ///< queued in a window
  /// Of a call on the host, over the longer of what its launches and what the device take; the median.
  std::optional<double> host_over_launching;
  std::optional<double> core_mhz;    ///< while this variant ran, or right after short calls
  std::optional<double> memory_mhz;  ///< at the same moments
  std::optional<double> highest_celsius;
  std::optional<double> mean_watts;  ///< of momentary readings at the same moments: no measure of energy
  std::optional<bool> ecc;           ///< the device's memory corrects errors
  /// Errors of its memory during an attempt, the most of all attempts: these overlap.
  std::optional<std::uint64_t> new_ecc_corrected, new_ecc_uncorrected;
  std::optional<std::uint64_t> work_on_other_devices;  ///< pieces of it, around a window
  std::optional<std::uint64_t> cooperative_launches;   ///< in a window
  /// In a window: work that the device launched, and kernels that can launch some without a record of it.
  std::optional<std::uint64_t> device_launches;
  std::optional<std::uint64_t> unified_memory_moves;  ///< faults and migrations of its pages, in a window
  /// Kernels of a call, those of graphs that it launches too: where it is timed, by capturing a call, the
  /// most and the fewest of all attempts; and in the audit's windows, where all of them agree.
  std::optional<std::uint64_t> captured_kernels, fewest_captured_kernels, audited_kernels;
  /// Kernels, copies and sets of a call: where it is timed, and of an audited window.
  std::optional<std::uint64_t> captured_pieces, audited_pieces;
  std::optional<double> timed_ns;                 ///< the median of this variant's times, for one call
  std::optional<double> audited_ns;               ///< on the device while it was recorded, the lower median
  std::optional<std::uint64_t> persisting_calls;  ///< that asked for cache that survives a flush
  /// Of a call that the host's clock times: the share in which the device was idle and the driver not called.
  std::optional<double> host_alone_share;
  std::optional<bool> tensors_on_host;        ///< the problem has some: the host may work on them
  std::optional<double> rotation_over_cache;  ///< steady: bytes of all sets over the last-level cache
  /// What the variant says of itself (core/workload.h).
  std::optional<bool> declares_cooperative, declares_device_launches, declares_managed_memory;
  AISP_FIELDS(work_outside_window_ns, device_over_wall, undeclared_streams, compilations_in_window,
              allocations_in_window, foreign_processes, clock_change, throttle_reasons, dram_bytes,
              compulsory_bytes, cold_hit_rate, late_ns, waited, host_functions, host_over_launching, core_mhz,
              work_on_other_devices, cooperative_launches, device_launches, unified_memory_moves,
              captured_kernels, fewest_captured_kernels, audited_kernels, captured_pieces, audited_pieces,
              timed_ns, audited_ns, persisting_calls, host_alone_share, tensors_on_host, rotation_over_cache,
              declares_cooperative, declares_device_launches, declares_managed_memory,
              baseline_throttle_reasons, memory_mhz, highest_celsius, mean_watts, ecc, new_ecc_corrected,
              new_ecc_uncorrected)
};

/// What an energy counter of the machine showed for the calls of this variant; never computed from a
/// reading of power, and never what a variant says of itself.
struct EnergyEvidence {
  std::optional<double> joules_per_call;  ///< of calls that followed each other, nothing taken off
  std::optional<double> uncertainty;      ///< of it and of the watts, relative: the counter moves in steps
  std::optional<double> watts;            ///< mean, while those calls ran
  std::optional<double> idle_watts;       ///< by the same counter, before any of them
  std::string counter;                    ///< which: "NVML total energy", "RAPL package-0"
  AISP_FIELDS(joules_per_call, uncertainty, watts, idle_watts, counter)
};

/// What the ranks of collective work did, seen by whoever launched them.
struct RankEvidence {
  std::optional<int> planned;
  std::optional<int> right;                ///< ranks all of whose outputs were verified and right
  std::optional<double> least_busy_share;  ///< of the idlest rank, over the mean: a rank that skips its part
  std::optional<double> wire_bytes;        ///< that crossed between ranks, per call
  std::optional<double> compulsory_wire_bytes;  ///< the fewest any algorithm can do with
  std::optional<std::string> topology_claimed;
  std::optional<std::string> topology_found;      ///< hosts, devices and links as gathered from every rank
  std::optional<double> last_over_reported;       ///< end of the last rank over the end that was reported
  std::optional<bool> same_messages;              ///< sizes and order of messages as declared
  std::optional<double> in_flight_ns;             ///< collectives that went on after the reported end
  std::optional<double> left_out_share;           ///< fill and drain of a pipeline that the window left out
  std::optional<std::uint64_t> elements_missing;  ///< of the whole that no rank's shard held
  AISP_FIELDS(planned, right, least_busy_share, wire_bytes, compulsory_wire_bytes, topology_claimed,
              topology_found, last_over_reported, same_messages, in_flight_ns, left_out_share,
              elements_missing)
};

/// What a judge of code it does not trust established beyond a trusted author's run.
struct JudgeEvidence {
  std::optional<bool> apart;               ///< clock, seed and reference were in another process
  std::optional<std::uint64_t> forbidden;  ///< attempts to reach files, memory or processes, all denied
  std::optional<int> unseen_shapes;        ///< sizes drawn by the judge, near and far from the declared ones
  std::optional<int> unseen_wrong;         ///< of them, answered wrong
  std::optional<double> worst_cliff;       ///< slowest unseen size over what its neighbours promise
  std::optional<double> holdout_loss;      ///< relative loss of speed-up on families held back
  std::optional<bool> holdout_declared;    ///< the workload has families that are held back
  AISP_FIELDS(apart, forbidden, unseen_shapes, unseen_wrong, worst_cliff, holdout_loss, holdout_declared)
};

struct Evidence {
  std::string workload;
  std::string variant;
  Shape shape = Shape::call;
  DeviceKind device = DeviceKind::cpu;
  int threads = 1;  ///< declared
  AnswerEvidence answers;
  TimingEvidence timing;
  ProcessEvidence process;
  FloorEvidence floor;
  SamplingEvidence sampling;
  ConfigEvidence config;
  EnvironmentEvidence environment;
  DeviceEvidence accelerator;
  EnergyEvidence energy;
  std::optional<RankEvidence> ranks;   ///< collective work
  std::optional<JudgeEvidence> judge;  ///< candidates
  AISP_FIELDS(workload, variant, shape, device, threads, answers, timing, process, floor, sampling, config,
              environment, accelerator, energy, ranks, judge)
};

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A workload: one problem, one trusted reference and a ladder of variants, the first of which is the
/// baseline. A workload file declares exactly one and registers it (core/registry.h).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "aisp/core/checker.h"
#include "aisp/core/collective.h"
#include "aisp/core/on_device.h"
#include "aisp/core/params.h"
#include "aisp/core/problem.h"
#include "aisp/core/session.h"
#include "aisp/core/trace.h"
#include "aisp/core/tunable.h"

namespace aisp {

enum class Shape : std::uint8_t { call, stateful, trace, collective };
enum class Bound : std::uint8_t { memory, compute, latency, cache, synchronisation, io };
/// Which figure is compared: time of the call; latency of an item (p99 for traces); items per second; peak
/// bytes.
enum class Goal : std::uint8_t { speed, latency, throughput, memory };
enum class DeviceKind : std::uint8_t { cpu, cuda };
enum class Rung : std::uint8_t {
  step,    ///< a rung of the ladder
  anchor,  ///< a library at its fastest documented setting; "x of anchor" compares with the best of them
  informational,  ///< worth reading, not expected to win; kept off leaderboards
};

std::string_view name_of(Shape shape);
std::string_view name_of(Bound bound);
std::string_view name_of(Goal goal);
std::string_view name_of(DeviceKind device);
/// Of a device's name: "cpu", or "cuda:0".
DeviceKind kind_of(std::string_view device);
std::string_view name_of(Rung rung);

using CallFunction = std::function<void(const Call&)>;

/// A variant's code. A function or lambda is enough: what it takes says which shape of work it is.
struct Run {
  std::variant<CallFunction, SessionFactory, TraceFunction, CollectiveFunction> code;

  Run() = default;
  template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, Run>)
  Run(F&& function) {  // NOLINT(google-explicit-constructor)
    // A function of `const Call&` could be called with a TraceCall too, so the plainest shape is asked first.
    if constexpr (std::is_invocable_r_v<std::unique_ptr<Session>, F, const Setup&>) {
      code.template emplace<SessionFactory>(std::forward<F>(function));
    } else if constexpr (std::is_invocable_v<F, const Call&>) {
      code.template emplace<CallFunction>(std::forward<F>(function));
    } else if constexpr (std::is_invocable_v<F, TraceCall&>) {
      code.template emplace<TraceFunction>(std::forward<F>(function));
    } else {
      code.template emplace<CollectiveFunction>(std::forward<F>(function));
    }
  }
};

/// Builds a variant's plan from shapes. Not timed; reported as set-up.
using PrepareFunction = std::function<std::shared_ptr<void>(const Setup&)>;

/// An environment variable whose values are searched, each in a worker of its own, before an anchor is
/// measured.
struct Search {
  std::string variable;
  std::vector<std::string> values;
};

struct Variant {
  std::string name;
  Run run;
  std::string note = {};  ///< what this rung changes, one line
  PrepareFunction prepare = {};
  Rung rung = Rung::step;
  bool host_sync = false;             ///< waits for the device inside its call
  bool pinned = false;                ///< gets inputs that lie on the host in pages that are locked in memory
  bool cooperative = false;           ///< launches grids that can wait for all of their blocks
  bool launches_from_device = false;  ///< its kernels launch kernels or graphs
  bool managed_memory = false;        ///< uses memory whose pages move between host and device
  /// Why this variant cannot run here at this size (a library is missing, the CPU lacks an instruction set),
  /// or nothing. Such a variant is listed with the reason.
  std::function<std::optional<std::string>(const Params&)> unavailable = {};
  std::optional<Search> search = {};
  std::vector<Tunable> tunables = {};  ///< what its code reads as call.params()["tile"]; see core/tunable.h
};

struct Workload {
  std::string id;     ///< "ch07/transpose"
  std::string title;  ///< "Transpose"
  std::string idea;   ///< one sentence
  Shape shape = Shape::call;
  Bound bound = Bound::memory;
  Goal goal = Goal::speed;
  std::vector<std::string> tags = {};
  DeviceKind device = DeviceKind::cpu;  ///< of all its variants; other devices have ladders (core/ladder.h)
  std::vector<Axis> axes;               ///< an axis named "threads" sets the size of the team
  std::function<Problem(const Params&)> problem;
  ReferenceFunction reference;
  /// Used instead of the reference where `reference_is_slow` says so. Its miss probability is at most 1e-9.
  CheckFactory check = {};
  std::function<bool(const Params&)> reference_is_slow = {};
  DeviceReference device_reference = {};  ///< on a device with memory of its own
  DeviceDraws device_draws = {};
  bool per_operation = false;       ///< stateful: time every operation
  double latency_objective_ns = 0;  ///< trace: answers later than this do not count as goodput; 0 = none
  std::vector<Variant> variants;
  std::string source = {};  ///< file that registered it; filled in by Registration
};

/// Names what is wrong with a declaration: empty id or idea, duplicate variants, a run of another shape, no
/// baseline.
Status validate(const Workload& workload);

/// The team size a cell asks for: its "threads" parameter, else 1.
int threads_of(const Params& params);

}  // namespace aisp

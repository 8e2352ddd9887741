// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/run_ceilings.h"

#include <algorithm>
#include <set>

#include "aisp/cli/hardware.h"
#include "aisp/cli/raise_ceilings.h"
#include "aisp/device/cpu/peak.h"
#include "aisp/harness/date.h"

namespace aisp::cli {
namespace {

/// The floor, and nothing else, says no.
bool only_the_floor_rejects(const VariantResult& variant) {
  bool floor = false;
  for (const Finding& finding : variant.findings) {
    if (finding.level != Level::reject || finding.waived) continue;
    if (finding.guard != "not_faster_than_floor") return false;
    floor = true;
  }
  return floor;
}

/// What the machine did at either time it can do. True when one of those asked about is higher now.
bool take_the_higher(const Ceilings& fresh, Ceilings& ceilings, const std::set<std::string>& asked) {
  const Ceilings before = ceilings;
  for (Ceiling& ceiling : ceilings.entries) {
    const Ceiling* again = fresh.find(ceiling.name, ceiling.level, ceiling.threads);
    if (again == nullptr || again->unit != ceiling.unit || ceiling.unit == "ns") continue;
    if (again->value > ceiling.value) ceiling = *again;
  }
  return std::ranges::any_of(asked, [&](const std::string& bound) {
    const Ceiling *then = before.find_bound(bound), *now = ceilings.find_bound(bound);
    return then != nullptr && now != nullptr && now->value > then->value;
  });
}

}  // namespace

RunCeilings::RunCeilings(store::Store& results, std::string device, std::string hardware, Progress& progress)
    : results_(results), device_(std::move(device)), hardware_(std::move(hardware)), progress_(progress) {
  const auto stored = results_.latest_ceilings(hardware_);
  known_ = stored && stored->has_value();
  if (known_) ceilings_ = **stored;
}

void RunCeilings::know() {
  if (known_) return;
  known_ = true;
  const bool cpu = kind_of(device_) == DeviceKind::cpu;
  const std::string busy = cpu ? busy_machine() : "";
  progress_.note("measuring the ceilings of " + (cpu ? "this machine" : hardware_) + " once (`aisp peak" +
                 (cpu ? "" : " --device " + device_) + "` repeats it" +
                 (busy.empty() ? ")" : ", and should: " + busy + ")"));
  const Result<Ceilings> measured = measure();
  if (measured) {
    ceilings_ = *measured;
    for (const std::string& note : ceilings_.notes) progress_.note("ceilings: " + note);
  } else {
    progress_.note("aisp: " + measured.error().message + "; there will be no percentages");
  }
  ceilings_.hardware = hardware_;
  ceilings_.date = harness::utc_now();
  if (const Status kept = results_.ceilings_measured(ceilings_); !kept)
    progress_.note("aisp: " + kept.error().message);
}

Result<Ceilings> RunCeilings::measure() const {
  if (kind_of(device_) != DeviceKind::cpu) return measure_gpu_ceilings(device_);
  return device::measure_ceilings({},
                                  [&](double done, const std::string& what) { progress_.show(done, what); });
}

bool RunCeilings::were_too_low(const CellResult& cell) {
  std::set<std::string> beaten;
  for (const VariantResult& variant : cell.variants)
    if (only_the_floor_rejects(variant)) beaten.insert(variant.evidence.floor.bound);
  if (beaten.empty() || measured_again_) return false;
  measured_again_ = true;
  progress_.note("a variant is faster than the ceilings allow: measuring them again");
  const Result<Ceilings> fresh = measure();
  if (!fresh || !take_the_higher(*fresh, ceilings_, beaten)) return false;
  ceilings_.date = harness::utc_now();
  if (const Status kept = results_.ceilings_measured(ceilings_); !kept)
    progress_.note("aisp: " + kept.error().message);
  progress_.note("they were too low (a busy machine?): measuring " + cell.workload + " " + cell.parameters +
                 " again");
  return true;
}

Status RunCeilings::raise_by(const CellResult& cell) {
  if (!raise_ceilings(cell, ceilings_)) return Ok{};
  return results_.ceilings_measured(ceilings_);
}

}  // namespace aisp::cli

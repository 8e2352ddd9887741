// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/audit_figures.h"

#include <algorithm>
#include <cmath>

#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/merge_evidence.h"

namespace aisp::harness {
namespace {

template <class T>
void take(std::optional<T>& into, const std::optional<T>& from) {
  if (from) into = from;
}

void add_audit(DeviceEvidence& into, const DeviceEvidence& from) {
  take(into.work_outside_window_ns, from.work_outside_window_ns);
  take(into.undeclared_streams, from.undeclared_streams);
  take(into.compilations_in_window, from.compilations_in_window);
  take(into.allocations_in_window, from.allocations_in_window);
  take(into.host_functions, from.host_functions);
  take(into.work_on_other_devices, from.work_on_other_devices);
  take(into.cooperative_launches, from.cooperative_launches);
  take(into.device_launches, from.device_launches);
  take(into.unified_memory_moves, from.unified_memory_moves);
  take(into.audited_kernels, from.audited_kernels);
  take(into.audited_pieces, from.audited_pieces);
  take(into.audited_ns, from.audited_ns);
  take(into.host_alone_share, from.host_alone_share);
  take(into.tensors_on_host, from.tensors_on_host);
  take(into.declares_cooperative, from.declares_cooperative);
  take(into.declares_device_launches, from.declares_device_launches);
  take(into.declares_managed_memory, from.declares_managed_memory);
  take(into.dram_bytes, from.dram_bytes);
  take(into.compulsory_bytes, from.compulsory_bytes);
  take(into.cold_hit_rate, from.cold_hit_rate);
}

/// How far each variant's clock was from the baseline's, and what held that one back.
void compare_clocks(CellResult& cell) {
  if (cell.variants.empty()) return;
  const DeviceEvidence baseline = cell.variants.front().evidence.accelerator;
  for (VariantResult& v : cell.variants) {
    DeviceEvidence& device = v.evidence.accelerator;
    if (baseline.core_mhz && device.core_mhz && *baseline.core_mhz > 0)
      device.clock_change = std::fabs(*device.core_mhz / *baseline.core_mhz - 1);
    device.baseline_throttle_reasons = baseline.throttle_reasons;
  }
}

void add_audit(CellResult& cell, const AuditedVariant& audited) {
  const auto variant = std::ranges::find(cell.variants, audited.name, &VariantResult::name);
  if (variant == cell.variants.end()) return;
  add_audit(variant->evidence.accelerator, audited.device);
  if (variant->time_ns) variant->evidence.accelerator.timed_ns = variant->time_ns->value;
  if (!audited.counters.empty()) variant->counters = audited.counters;
  if (audited.energy.joules_per_call) variant->evidence.energy = audited.energy;
  if (audited.memory.peak_bytes) {
    variant->memory = audited.memory;
    variant->memory_peaks = {*audited.memory.peak_bytes};
  }
  if (audited.answers.calls > 0) merge_answers(variant->evidence.answers, audited.answers);
}

/// One look at all variants. Whoever ends the worker is left out, and another worker looks at those that it
/// did not come to. False: there is no use in asking for anything else.
bool audit_once(const char* op, CellResult& cell, const CellSpec& spec, const WorkerSetup& setup,
                std::vector<std::string>& notes) {
  std::vector<std::string> done;
  while (done.size() < spec.variants.size()) {
    Result<WorkerProcess> worker = WorkerProcess::start(setup);
    if (!worker) {
      notes.push_back(worker.error().message);
      return false;
    }
    const std::size_t before = done.size();
    const WorkerRequest request{.op = op, .cell = spec, .left_out = done};
    const Answer answer = worker->ask(request, "done", [&](WorkerReply& reply) {
      if (!reply.audit) return;
      for (const AuditedVariant& audited : reply.audit->variants) {
        add_audit(cell, audited);
        done.push_back(audited.name);
      }
      notes.insert(notes.end(), reply.audit->notes.begin(), reply.audit->notes.end());
    });
    if (answer.ok()) return true;
    const WorkerEnd end = end_of(answer);
    const std::string who = end.variant.empty() ? "" : end.variant + ": ";
    notes.push_back(who + op + " " + end.status + ": " + end.detail);
    if (end.status == "interrupted") return false;
    if (is_chosen(spec.variants, end.variant) && std::ranges::find(done, end.variant) == done.end())
      done.push_back(end.variant);
    if (done.size() == before) return true;  // nobody to be left out: it would end the same way
  }
  return true;
}

}  // namespace

std::vector<std::string> audit_cell(CellResult& cell, const CellSpec& spec, const WorkerSetup& setup,
                                    bool energy) {
  std::vector<std::string> notes;
  std::vector<const char*> looks = {"audit", "counters"};
  if (energy) looks.push_back("energy");
  for (const char* op : looks) {
    if (!audit_once(op, cell, spec, setup, notes)) break;
  }
  compare_clocks(cell);
  return notes;
}

}  // namespace aisp::harness

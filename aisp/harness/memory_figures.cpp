// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/memory_figures.h"

#include <algorithm>

#include "aisp/harness/merge_evidence.h"

namespace aisp::harness {

std::optional<WorkerEnd> measure_memory_of(VariantResult& variant, const std::string& name, CellSpec spec,
                                           const WorkerSetup& setup, int attempts) {
  spec.variants = {name};
  std::vector<MemoryFigures> figures;
  for (int i = 0; i < attempts; ++i) {
    Result<WorkerProcess> worker = WorkerProcess::start(setup);
    if (!worker) return std::nullopt;
    std::optional<MemoryReport> report;
    const Answer answer = worker->ask({.op = "memory", .cell = spec}, "memory",
                                      [&](WorkerReply& reply) { report = std::move(reply.memory); });
    if (answer.end) return answer.end;
    if (!report) return std::nullopt;  // it declined: not enough free memory now, say
    merge_answers(variant.evidence.answers, report->answers);
    figures.push_back(report->figures);
    if (report->figures.peak_bytes) variant.memory_peaks.push_back(*report->figures.peak_bytes);
  }
  std::ranges::sort(figures, {}, [](const MemoryFigures& f) { return f.peak_bytes.value_or(0); });
  if (!figures.empty()) variant.memory = figures[figures.size() / 2];
  return std::nullopt;
}

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The coordinator's side of a variant's memory: attempts in workers of their own, their peaks, and what
/// their answers were.
///
///   if (const auto end = measure_memory_of(variant, spec, setup, kMemoryAttempts)) ...   // it crashed there
#pragma once

#include <optional>

#include "aisp/core/record.h"
#include "aisp/harness/cell.h"
#include "aisp/harness/worker_process.h"

namespace aisp::harness {

/// Fewer say nothing about how much a peak differs from process to process.
inline constexpr int kMemoryAttempts = 3;

/// Fills the variant's memory figures and adds to the evidence about its answers. `name` is what the worker
/// calls the variant. Returns how a worker ended that did not answer; where none could be started, nothing is
/// known and nothing is filled.
std::optional<WorkerEnd> measure_memory_of(VariantResult& variant, const std::string& name, CellSpec spec,
                                           const WorkerSetup& setup, int attempts);

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A ceiling is never below what a valid workload of this program reached.
#pragma once

#include "aisp/core/ceiling.h"
#include "aisp/core/record.h"

namespace aisp::cli {

/// Raises the ceilings that the cell's valid variants went beyond; true when there was one. Percentages refer
/// to the ceilings that the cell was measured with, not to what an earlier variant of it has raised them to.
bool raise_ceilings(const CellResult& cell, Ceilings& ceilings);

/// Whether a workload of this program raised the ceiling: its `probe` then begins with the workload's id.
bool raised_by_workload(const Ceiling& ceiling);

/// Newly measured ceilings keep what workloads had reached before, where that is more: the machine can do it,
/// whether the probes find it again or not. Raises by plugins, which older versions made, are forgotten.
void carry_over(const Ceilings& earlier, Ceilings& fresh);

}  // namespace aisp::cli

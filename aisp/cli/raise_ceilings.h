// SPDX-License-Identifier: Apache-2.0
/// \file
/// A ceiling is never below what a valid workload reached.
#pragma once

#include "aisp/core/ceiling.h"
#include "aisp/core/record.h"

namespace aisp::cli {

/// Raises the ceilings that the cell's valid variants went beyond; true when there was one. Percentages refer
/// to the ceilings that the cell was measured with, not to what an earlier variant of it has raised them to.
bool raise_ceilings(const CellResult& cell, Ceilings& ceilings);

}  // namespace aisp::cli

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Every raw sample of a run as RFC 4180 CSV, one line per timed window, discarded rounds included and
/// marked.
///
///   run,workload,parameters,variant,attempt,round,pass,calls,ns,discarded,items_ns
///   20261115-142301-9f3a,ch07/transpose,n=4096,tiled,1,0,0,16,41203.5,,
///
/// ns is the time of one call, with every digit. items_ns holds the latencies of the window's requests or
/// operations, separated by spaces, where the workload has such; one line stays one window. The calibration's
/// samples carry the variant name "A/A <baseline>". Text fields are written visibly (text.h) and never begin
/// like a spreadsheet formula.
#pragma once

#include <string>
#include <string_view>

#include "aisp/core/record.h"

namespace aisp::report {

std::string render_csv(const RunRecord& run);

/// One text field: quoted where it holds a comma or a quote; an apostrophe before a leading = + - or @.
std::string csv_field(std::string_view text);

}  // namespace aisp::report

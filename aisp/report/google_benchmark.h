// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run as Google Benchmark's JSON, for dashboards and scripts that read that format: every kept window is a
/// repetition, followed by mean, median and stddev aggregates.
///
///   {"context": {...}, "benchmarks": [{"name": "ch07/transpose/tiled/n:4096", "real_time": 41203.5, ...}]}
///
/// The format has no place for verdicts: a rejected variant becomes an entry with error_occurred and the
/// reason, so that its times cannot be taken for results. cpu_time is derived from the mean CPU use over the
/// timed windows where that is known, and repeats real_time where it is not; the context says so.
#pragma once

#include <string>

#include "aisp/core/record.h"

namespace aisp::report {

std::string render_google_benchmark(const RunRecord& run);

}  // namespace aisp::report

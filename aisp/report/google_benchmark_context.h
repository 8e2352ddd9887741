// SPDX-License-Identifier: Apache-2.0
/// \file
/// The machine in the words of Google Benchmark's JSON: num_cpus, mhz_per_cpu, cpu_scaling_enabled, caches.
/// What the run does not know is absent; load_avg always is, as no run records that average. Every fact of
/// the manifest follows under its own name with "aisp_" before it.
#pragma once

#include "aisp/core/record.h"
#include "aisp/wire/json.h"

namespace aisp::report {

Json google_benchmark_context(const RunRecord& run);

}  // namespace aisp::report

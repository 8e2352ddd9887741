// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is measured on, by the name under which results and ceilings are kept. A GPU is asked by a worker:
/// the coordinator itself never opens one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/probes/doctor.h"

namespace aisp::cli {

/// An error where there is no such device, or this build cannot use it.
Status check_device(const std::string& device);
/// Of "cpu": the machine. Of "cuda:0": the device's name as its driver says it.
Result<std::string> hardware_of(const std::string& device);
/// What there is to say about the GPUs of this machine: nothing in a build without a backend for them.
std::vector<probes::Advice> examine_gpu();
/// Of libraries that GPU code loads while it runs: each that was not found, with where it was looked for.
std::vector<probes::Advice> advice_on_libraries(std::span<const Fact> missing);
/// Why nothing can be measured on a GPU here, as far as a look at the machine tells; empty: perhaps it can.
/// Takes microseconds, for lists.
std::string why_no_gpu();
/// "2.00 other runnable tasks per processor"; empty: the machine is quiet, or does not say.
std::string busy_machine();
/// Takes about a quarter of a minute.
Result<Ceilings> measure_gpu_ceilings(const std::string& device);

}  // namespace aisp::cli

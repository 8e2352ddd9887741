// SPDX-License-Identifier: Apache-2.0
/// \file
/// The catalogue's eleven groups, each in the file of its name. Only catalogue.cpp puts them together:
///
///   std::span<const Issue> timing = timing_issues();  // issues 1 to 7
///
/// Not for other code: use catalogue().
#pragma once

#include <span>

#include "aisp/guards/catalogue.h"

namespace aisp::guards {

std::span<const Issue> timing_issues();
std::span<const Issue> output_issues();
std::span<const Issue> workload_issues();
std::span<const Issue> location_issues();
std::span<const Issue> memory_issues();
std::span<const Issue> cuda_issues();
std::span<const Issue> compile_issues();
std::span<const Issue> distributed_issues();
std::span<const Issue> environment_issues();
std::span<const Issue> statistical_issues();
std::span<const Issue> evaluation_issues();

}  // namespace aisp::guards

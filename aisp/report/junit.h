// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run as JUnit XML for CI systems: a suite per cell, a test case per variant. Invalid and unproven
/// variants are failures, crashed ones errors, those that cannot run here skipped. A run that is not finished
/// has a suite more, with an error.
///
///   <testsuite name="ch07/transpose n=4096" tests="3" failures="1" ...><testcase name="tiled" ...>
///
/// A slower or inconclusive variant is not a failure: that is a result.
#pragma once

#include <string>

#include "aisp/core/record.h"

namespace aisp::report {

std::string render_junit(const RunRecord& run);

}  // namespace aisp::report

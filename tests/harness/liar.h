// SPDX-License-Identifier: Apache-2.0
/// \file
/// A worker that lies about one thing and is honest otherwise; the test program becomes one when
/// AISP_TEST_LIE says which: "seed" reveals another seed than the one committed to, "silent" drops the last
/// message of every request.
#pragma once

#include <string>

namespace aisp::harness {

int run_lying_worker(int fd, const std::string& lie);

}  // namespace aisp::harness

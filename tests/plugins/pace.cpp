// SPDX-License-Identifier: Apache-2.0
// Honest workloads whose pace the tests control: where AISP_TEST_BEACON names a file, pace/slow creates it at
// its first call and from then on takes its time, so that a test knows when to interrupt.
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

void paced(const Call& call) {
  if (const char* beacon = std::getenv("AISP_TEST_BEACON")) {
    std::ofstream(beacon) << "running\n";
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  honest(call);
}

const Registration fast{doubling("pace/fast", "same", honest)};
const Registration slow{doubling("pace/slow", "paced", paced)};

/// Takes the size it is asked for, whatever it is: for sizes that cannot be.
Workload sized() {
  Workload workload = doubling("pace/sized", "same", honest);
  workload.problem = [](const Params& p) -> Problem {
    const auto n = p["n"];
    return {.tensors = {input<float>("x", {n, n}, {uniform(-1, 1), wide_range(-10, 10)}),
                        output<float>("y", {n, n}, exact())}};
  };
  workload.axes = {{.name = "n", .values = {64}}};
  return workload;
}
const Registration any_size{sized()};

/// Returns at once: nothing to divide by.
Workload instant() {
  Workload workload = doubling("pace/instant", "same", honest);
  workload.axes = {{.name = "n", .values = {1}}};
  return workload;
}
const Registration nothing_to_do{instant()};

}  // namespace
}  // namespace aisp::plugins

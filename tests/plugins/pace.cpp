// SPDX-License-Identifier: Apache-2.0
// Honest workloads whose pace the tests control: where AISP_TEST_BEACON names a file, pace/slow creates it at
// its first call and from then on takes its time, so that a test knows when to interrupt. pace/steady always
// takes a millisecond.
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
/// So large that a window holds one call: a batch would be silent for longer than the tests' time-outs, or
/// not, by the speed of the machine.
Workload slowly() {
  Workload workload = doubling("pace/slow", "paced", paced);
  workload.axes = {{.name = "n", .values = {1 << 18}, .small = 37}};
  return workload;
}
const Registration slow{slowly()};

void a_millisecond(const Call& call) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  honest(call);
  while (std::chrono::steady_clock::now() < until) {
  }
}
Workload steady() {
  Workload workload = doubling("pace/steady", "same", a_millisecond);
  for (Variant& variant : workload.variants) variant.run = CallFunction(a_millisecond);
  return workload;
}
const Registration always_as_long{steady()};

/// Waits where its memory is measured, in a process in which the baseline never ran.
bool baseline_was_here = false;
void waits_alone(const Call& call) {
  const char* beacon = std::getenv("AISP_TEST_BEACON");
  if (beacon != nullptr && !baseline_was_here) {
    std::ofstream(beacon) << "running\n";
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  honest(call);
}
Workload remembered() {
  Workload workload = doubling("pace/memory", "alone", waits_alone);
  workload.variants.front().run = CallFunction([](const Call& call) {
    baseline_was_here = true;
    honest(call);
  });
  workload.goal = Goal::memory;
  return workload;
}
const Registration with_memory{remembered()};

/// Takes the size it is asked for, whatever it is: for sizes that cannot be.
Workload sized() {
  Workload workload = doubling("pace/sized", "same", honest);
  workload.problem = [](const Params& p) -> Problem {
    const auto n = p["n"];
    return {.tensors = {input<float>("x", {n, n}, {uniform(-1, 1), wide_range(-10, 10)}),
                        output<float>("y", {n, n}, exact())}};
  };
  workload.axes = {{.name = "n", .values = {64}, .least = 0}};  // what 0 means, its problem may say
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

// SPDX-License-Identifier: Apache-2.0
// What the instruments cost a launch while they are at work, and afterwards.
#include <algorithm>
#include <cstdio>

#include "aisp/device/cuda/activity_recorder.h"
#include "aisp/device/cuda/counter_reader.h"
#include "benchmarks/gpu/audit_kernels.cuh"
#include "benchmarks/gpu/audit_parts.h"

namespace aisp::benchmarks {
namespace {

using namespace aisp::cuda;
using std::chrono::steady_clock;

/// Nanoseconds a launch, and a launch that is waited for, the best of five rounds each.
void print_launch_cost(const char* what) {
  constexpr int launches = 500;
  double queued = 1e18, waited = 1e18;
  for (int round = 0; round < 5; ++round) {
    wait_for_device();
    auto begun = steady_clock::now();
    for (int i = 0; i < launches; ++i) empty<<<1, 32>>>();
    queued = std::min(queued, since_ns(begun) / launches);
    wait_for_device();
    begun = steady_clock::now();
    for (int i = 0; i < launches; ++i) {
      empty<<<1, 32>>>();
      wait_for_device();
    }
    waited = std::min(waited, since_ns(begun) / launches);
  }
  std::printf("  %s: %.0f ns a launch, %.0f ns a launch that is waited for\n", what, queued, waited);
}

}  // namespace

void report_cost() {
  std::printf("cost:\n");
  print_launch_cost("without recorder");
  {
    CuptiRecorder recorder;
    print_launch_cost("recorder made, not recording");
    if (const auto why_not = recorder.start()) return void(std::printf("no records: %s\n", why_not->c_str()));
    print_launch_cost("recording");
    const auto stopping = steady_clock::now();
    const auto seen = recorder.stop();
    std::printf("  stopping took %.1f ms for %zu records, %llu dropped, %llu launches without record\n",
                since_ns(stopping) / 1e6, seen.size(), static_cast<unsigned long long>(recorder.dropped()),
                static_cast<unsigned long long>(recorder.unrecorded_launches()));
    for (const std::string& blind : recorder.blind_to()) std::printf("  blind to %s\n", blind.c_str());
    print_launch_cost("stopped");
  }
  print_launch_cost("recorder gone");
  {
    CuptiCounters reader;
    if (const auto why_not = reader.open({device::CounterGroup::traffic}))
      std::printf("%s\n", why_not->c_str());
    print_launch_cost("counters open");
  }
  print_launch_cost("counters closed");
}

}  // namespace aisp::benchmarks

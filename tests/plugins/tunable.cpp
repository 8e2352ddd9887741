// SPDX-License-Identifier: Apache-2.0
// Workloads whose truth about tuning is programmed: how long each value takes, which one is wrong, crashes,
// hangs or cannot be. Times are waited for, so that their ratios hold on any machine.
#include <chrono>
#include <cstdlib>
#include <fstream>

#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

void take(const Call& call, int microseconds) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::microseconds(microseconds);
  honest(call);
  while (std::chrono::steady_clock::now() < until) {
  }
}

enum Way : std::int64_t { kDeclared, kFast, kWrong, kCrash, kHang, kSlow, kImpossible };

void known(const Call& call) {
  switch (call.params()["way"]) {
    case kFast:
      return take(call, 200);
    case kWrong: {  // by far the fastest
      honest(call);
      call.output<float>(0)[0] += 1;
      return;
    }
    case kCrash:
      std::abort();
    case kHang:
      for (volatile bool on = true; on;) {
      }
      return;
    case kSlow:
      return take(call, 800);
    default:
      return take(call, 400);
  }
}

Workload with_ways(const std::string& id, CallFunction run, std::vector<std::int64_t> values) {
  Workload workload = doubling(id, "open", std::move(run));
  workload.axes = {{.name = "n", .values = {4096, 8192}, .small = 37}};
  workload.variants[1].tunables = {{.name = "way", .values = std::move(values), .fallback = kDeclared}};
  workload.variants.resize(2);
  return workload;
}

Workload with_known_ways() {
  Workload workload =
      with_ways("tunable/known", known, {kWrong, kFast, kDeclared, kCrash, kSlow, kImpossible});
  workload.variants[1].unavailable = [](const Params& params) -> std::optional<std::string> {
    if (params["way"] != kImpossible) return std::nullopt;
    return "there is no such way";
  };
  return workload;
}
const Registration of_known_truth{with_known_ways()};
const Registration hanging{with_ways("tunable/hang", known, {kDeclared, kFast, kHang})};

/// Fast at the size it is tuned on, slow at every other.
const Registration overfit{with_ways("tunable/overfit",
                                     [](const Call& call) {
                                       const bool tuned = call.params()["way"] == kFast;
                                       take(call, !tuned ? 400 : call.params()["n"] == 4096 ? 200 : 800);
                                     },
                                     {kDeclared, kFast})};

/// The declared way is the best there is.
const Registration declared_best{with_ways("tunable/settled", known, {kDeclared, kSlow})};

/// Tells a test that it runs, and then takes its time.
const Registration long_search{with_ways("tunable/long",
                                         [](const Call& call) {
                                           if (const char* beacon = std::getenv("AISP_TEST_BEACON"))
                                             std::ofstream(beacon) << "running\n";
                                           take(call, 2000);
                                         },
                                         {kDeclared, kFast, kSlow})};

/// What is declared crashes: nothing to compare with.
const Registration broken{with_ways("tunable/broken",
                                    [](const Call& call) {
                                      if (call.params()["way"] == kDeclared) std::abort();
                                      honest(call);
                                    },
                                    {kDeclared, kFast})};

}  // namespace
}  // namespace aisp::plugins

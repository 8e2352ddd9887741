// SPDX-License-Identifier: Apache-2.0
#include "gpu_cells.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "aisp/core/registry.h"
#include "aisp/device/clock.h"
#include "aisp/harness/coordinator.h"
#include "example.h"
#include "fake_cache.h"

namespace aisp::harness {

Run by(std::function<void(FakeStream&, Work)> way, double ns) {
  return CallFunction([way = std::move(way), ns](const Call& call) {
    way(FakeStream::of(call), [ns, x = call.input<float>(0), y = call.output<float>(0)] {
      const auto& clock = device::Clock::instance();
      for (const double end = clock.now_ns() + ns; clock.now_ns() < end;) {
      }
      fake_cache().read(x.data, static_cast<std::size_t>(x.size) * sizeof(float));
      for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
    });
  });
}

Workload on_gpu(const std::string& id, std::vector<std::pair<std::string, Run>> variants) {
  Workload workload = example(id, std::move(variants));
  workload.device = DeviceKind::cuda;
  return workload;
}

Workload on_faulty_gpu(const std::string& id, const FakeFaults& faults,
                       std::vector<std::pair<std::string, Run>> variants) {
  Workload workload = on_gpu(id, std::move(variants));
  // A worker asks for the problem before it opens the device.
  workload.problem = [faults](const Params& params) {
    fake_faults() = faults;
    return example_problem(params);
  };
  return workload;
}

CellResult measured(const std::string& id, CacheMode cache, double timeout_seconds) {
  const Workload* workload = Registry::instance().find(id);
  const PlannedCell cell{describe(*workload), cell_of(*workload).sizes()};
  RunConfig config;
  config.device = "cuda:0";
  config.cache = cache;
  config.looks = {12};
  config.cell_seconds = 5;
  config.timeout_seconds = timeout_seconds;
  config.pin = false;
  const Ceilings none;
  const auto result = measure_cell({.cell = cell, .config = config, .ceilings = none, .config_hash = "hash"});
  if (!result) throw std::runtime_error(result.error().message);
  return *result;
}

const Finding& finding(const CellResult& cell, const std::string& variant, const std::string& guard) {
  for (const Finding& found : cell.find(variant)->findings) {
    if (found.guard == guard) return found;
  }
  throw std::invalid_argument("no finding of " + guard + " about " + variant);
}

void expect_finding(const CellResult& cell, const std::string& variant, const std::string& guard, Level level,
                    const std::string& because) {
  const Finding& found = finding(cell, variant, guard);
  EXPECT_EQ(found.level, level) << variant << ", " << guard;
  EXPECT_EQ(found.because, because) << variant << ", " << guard;
}

std::string notes_of(const CellResult& cell) {
  std::string all;
  for (const std::string& note : cell.notes) all += note + "\n";
  return all;
}

}  // namespace aisp::harness

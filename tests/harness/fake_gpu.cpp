// SPDX-License-Identifier: Apache-2.0
#include "fake_gpu.h"

#include <memory>
#include <mutex>

#include "aisp/device/gpu/gpu.h"
#include "fake_counters.h"
#include "fake_data.h"
#include "fake_memory.h"
#include "fake_recorder.h"
#include "fake_sensors.h"
#include "fake_timing.h"

namespace aisp::harness {
namespace {

FakeFaults faults;
bool watched = false;
std::mutex breaking;
std::optional<device::GpuError> broken;  ///< since a kernel faulted; streams set it

class FakeGpu : public device::Gpu {
 public:
  const device::GpuFacts& facts() const override { return facts_; }
  device::GpuMemory& memory() override { return memory_; }
  device::GpuData& data() override { return data_; }
  device::GpuTiming& timing() override { return timing_; }
  device::ActivityRecorder& recorder() override { return fake_recorder(); }
  device::CounterReader& counters() override { return counters_; }
  device::SensorReader& sensors() override { return sensors_; }
  Ceilings measure_ceilings() override { return {.hardware = facts_.name}; }

 private:
  device::GpuFacts facts_{.name = "threads", .driver = "none", .multiprocessors = 2, .memory_bytes = 1 << 30};
  FakeMemory memory_;
  FakeData data_;
  FakeTiming timing_;
  FakeCounters counters_;
  FakeSensors sensors_;
};

Result<std::unique_ptr<device::Gpu>> open_fake(int /*index*/, device::GpuUse use) {
  watched = use == device::GpuUse::audit;
  if (faults.missing) return Error{ErrorCode::environment, "cuda:0 is not available: no device", "get one"};
  return std::unique_ptr<device::Gpu>(std::make_unique<FakeGpu>());
}

const device::GpuBackend backend{"cuda", open_fake};

}  // namespace

FakeFaults& fake_faults() { return faults; }

bool fake_watched() { return watched; }

void fake_break(device::GpuFault fault, const std::string& what) {
  const std::lock_guard lock(breaking);
  if (!broken) broken.emplace(fault, what);
}

void must_work() {
  if (faults.lost) throw device::GpuError(device::GpuFault::lost, "the device is gone");
  const std::lock_guard lock(breaking);
  if (broken) throw *broken;
}

}  // namespace aisp::harness

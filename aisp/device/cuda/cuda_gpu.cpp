// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cuda_gpu.h"

#include <optional>

#include "aisp/device/cuda/activity_recorder.h"
#include "aisp/device/cuda/counter_reader.h"
#include "aisp/device/cuda/cuda_data.h"
#include "aisp/device/cuda/cuda_memory.h"
#include "aisp/device/cuda/cuda_timing.h"
#include "aisp/device/cuda/cupti_library.h"
#include "aisp/device/cuda/device_code.h"
#include "aisp/device/cuda/peak.h"
#include "aisp/device/cuda/sensor_reader.h"
#include "aisp/device/cuda/shared_library.h"

namespace aisp::cuda {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

device::GpuFacts facts_of(int index) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), "asking for the device's properties");
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "asking for the driver's version");
  return {.name = properties.name,
          .driver = "CUDA " + version_text(driver),
          .multiprocessors = properties.multiProcessorCount,
          .memory_bytes = static_cast<double>(properties.totalGlobalMem)};
}

class CudaGpu : public device::Gpu {
 public:
  CudaGpu(int index, std::unique_ptr<device::ActivityRecorder> recorder)
      : index_(index), recorder_(std::move(recorder)), facts_(facts_of(index)), sensors_(index) {}

  const device::GpuFacts& facts() const override { return facts_; }
  device::GpuMemory& memory() override { return memory_; }
  device::GpuData& data() override { return data_; }
  device::GpuTiming& timing() override {
    if (!timing_) timing_.emplace();  // takes memory for its flush: not for those who only ask
    return *timing_;
  }
  device::ActivityRecorder& recorder() override { return *recorder_; }
  device::CounterReader& counters() override { return counters_; }
  device::SensorReader& sensors() override { return sensors_; }
  Ceilings measure_ceilings() override { return measure_gpu_ceilings({.device = index_}); }

 private:
  int index_;
  std::unique_ptr<device::ActivityRecorder> recorder_;
  device::GpuFacts facts_;
  CudaMemory memory_;
  CudaData data_;
  std::optional<CudaTiming> timing_;
  CuptiCounters counters_;
  NvmlSensors sensors_;
};

/// What a process that times has in place of a recorder.
class NoRecorder : public device::ActivityRecorder {
 public:
  std::optional<std::string> start() override { return "this process times: another one records"; }
  std::vector<device::Activity> stop() override { return {}; }
  std::uint64_t dropped() const override { return 0; }
  std::uint64_t unrecorded_launches() const override { return 0; }
  std::vector<std::string> blind_to() const override { return {}; }
  bool sees(device::Activity::Kind /*kind*/) const override { return false; }
  bool knows_launching_code() const override { return false; }
  double now_ns() const override { return 0; }
  std::uint32_t device() const override { return 0; }
  std::optional<std::uint64_t> number_of(void* /*stream*/) const override { return std::nullopt; }
};

device::GpuLibrary looked_for(const std::string& name, std::initializer_list<const char*> files) {
  const SharedLibrary library(files);
  return {name, library.found(), library.found() ? library.where() : library.reason()};
}

std::vector<device::GpuLibrary> libraries() {
  // Asked as its users do: found is not enough, its records must be of the version that is read here.
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  return {{"CUPTI, for activity records and counters", cupti.reason.empty(),
           cupti.reason.empty() ? cupti.where : cupti.reason},
          looked_for("NVML, for clocks and other processes", {"libnvidia-ml.so.1"}),
          looked_for("cuBLASLt, for products of matrices", {"libcublasLt.so.13", "libcublasLt.so.12"}),
          looked_for("cuDNN, for anchors", {"libcudnn.so.9"}),
          looked_for("NVRTC, for compiling at run time", {"libnvrtc.so.13", "libnvrtc.so.12"})};
}

const device::GpuBackend backend{"cuda", open_cuda, libraries};

}  // namespace

Result<std::unique_ptr<device::Gpu>> open_cuda(int index, device::GpuUse use) {
  // Before the first call of CUDA, or it would not see all.
  std::unique_ptr<device::ActivityRecorder> recorder;
  if (use == device::GpuUse::audit) {
    recorder = std::make_unique<CuptiRecorder>();
  } else {
    recorder = std::make_unique<NoRecorder>();
  }
  const std::string name = "cuda:" + std::to_string(index);
  int count = 0;
  if (const cudaError_t found = cudaGetDeviceCount(&count); found != cudaSuccess) {
    return Error{ErrorCode::environment, name + " is not available: " + cudaGetErrorString(found),
                 "`nvidia-smi` tells whether the driver works"};
  }
  if (index >= count) {
    return Error{ErrorCode::environment,
                 name + " is not available: there " + (count == 1 ? "is 1" : "are " + std::to_string(count)),
                 "devices are counted from 0"};
  }
  try {
    check(cudaSetDevice(index), "choosing the device");
    if (const auto missing = missing_code()) {
      return Error{ErrorCode::environment, name + " cannot be used: " + *missing,
                   "configure with -DAISP_CUDA_TARGETS=... and build again"};
    }
    return std::unique_ptr<device::Gpu>(std::make_unique<CudaGpu>(index, std::move(recorder)));
  } catch (const CudaError& error) {
    return Error{ErrorCode::environment, name + " cannot be used: " + error.what(),
                 "`nvidia-smi` tells who uses it and whether it works"};
  }
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak_bench.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

namespace aisp::cuda {
namespace {

constexpr int kFirstTries = 2;  // after one that does not count: it warms caches
constexpr std::size_t kFinalists = 6;
constexpr int kLastTries = 12;
// An idle device clocks down to a fifth; it takes some tens of milliseconds of work to come back.
constexpr auto kWarmUp = std::chrono::milliseconds(150);

/// Which instructions may be in the code the device runs is decided when it is compiled, and only the code
/// itself knows which of several compilations the driver chose.
__global__ void ask_code(int* facts) {
#ifdef __CUDA_ARCH__
  facts[0] = __CUDA_ARCH__;
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  facts[1] = 1;
#endif
#endif
}

__global__ void keep_busy(unsigned rounds, float start, float* sink) {
  float x = start + static_cast<float>(threadIdx.x);
  for (unsigned i = 0; i < rounds; ++i) x = fmaf(x, 0.999f, start);
  if (x == -1.0f) *sink = x;
}

DeviceFacts facts_of_current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device), "asking for the properties of the device");
  std::size_t free_bytes = 0, all_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for the free memory of the device");
  const auto code = device_memory<int>(2);
  ask_code<<<1, 1>>>(code.get());
  check_launch("asking what the device's code was compiled for");
  int answers[2] = {};
  check(cudaMemcpy(answers, code.get(), sizeof answers, cudaMemcpyDeviceToHost),
        "asking what the device's code was compiled for");
  return {.name = properties.name,
          .processors = properties.multiProcessorCount,
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .block_shared_bytes = properties.sharedMemPerBlockOptin,
          .processor_shared_bytes = properties.sharedMemPerMultiprocessor,
          .free_bytes = free_bytes,
          .code = answers[0],
          .wgmma = answers[1] == 1};
}

double value_of(const Ceiling& entry, double amount, double ns) {
  return entry.unit == "ns" ? ns / amount : amount / ns * 1e9;
}

}  // namespace

PeakBench::PeakBench(const GpuPeakOptions& options) : options_(options), facts_(facts_of_current_device()) {
  warm_up();
}

void PeakBench::warm_up() {
  const auto sink = device_memory<float>(1);
  const auto end = std::chrono::steady_clock::now() + kWarmUp;
  while (std::chrono::steady_clock::now() < end) {
    keep_busy<<<facts_.processors * 2, 1024, 0, watch_.stream()>>>(1 << 16, 1.5f, sink.get());
    check_launch("warming up the device");
    check(cudaStreamSynchronize(watch_.stream()), "warming up the device");
  }
}

std::function<double()> PeakBench::on_device(DeviceCall call) {
  return [this, call = std::move(call), loaded = false]() mutable {
    if (!std::exchange(loaded, true)) {
      // Loading a kernel waits for the device, and would wait for the gate.
      call(watch_.stream());
      check(cudaStreamSynchronize(watch_.stream()), "waiting for a first call");
    }
    const Reading reading = watch_.time(call);
    disturbed_ = disturbed_ || !reading.held || reading.expired;
    return reading.device_ns;
  };
}

void PeakBench::settle(Ceiling entry, const std::vector<Candidate>& candidates) {
  std::vector<std::pair<double, const Candidate*>> tried;  // time per amount: less is better
  disturbed_ = false;
  const auto best_of = [&](const Candidate& candidate, int tries) {
    double best = std::numeric_limits<double>::infinity();
    try {
      for (int i = 0; i < tries; ++i) best = std::min(best, candidate.time_ns() / candidate.amount);
    } catch (const CudaError& error) {
      throw CudaError(error.code(),
                      "measuring " + entry.name + " of " + entry.level + " by " + candidate.probe);
    }
    return best;
  };
  for (const Candidate& candidate : candidates) {
    best_of(candidate, 1);
    tried.emplace_back(best_of(candidate, kFirstTries), &candidate);
  }
  if (tried.empty()) return;
  std::ranges::stable_sort(tried, {}, &std::pair<double, const Candidate*>::first);
  for (std::size_t i = 0; i < std::min(kFinalists, tried.size()); ++i)
    tried[i].first = std::min(tried[i].first, best_of(*tried[i].second, kLastTries));
  std::ranges::stable_sort(tried, {}, &std::pair<double, const Candidate*>::first);
  for (const auto& [ns, candidate] : tried) {
    entry.value = value_of(entry, 1, ns);
    entry.probe = candidate->probe;
    if (options_.tried) options_.tried(entry);
  }
  if (disturbed_) {
    notes.push_back(entry.name + " of " + entry.level +
                    ": something else used the device, or waited for it, during a measurement");
  }
  entry.value = value_of(entry, 1, tried.front().first);
  entry.probe = tried.front().second->probe;
  entries.push_back(std::move(entry));
}

}  // namespace aisp::cuda

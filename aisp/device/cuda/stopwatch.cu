// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/stopwatch.h"

#include <algorithm>
#include <vector>

namespace aisp::cuda {
namespace {

constexpr int kEmptyReadings = 51;

__global__ void empty() {}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Stopwatch::Stopwatch() {
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making the timed stream");
  check(cudaEventCreate(&start_), "making the first event");
  check(cudaEventCreate(&stop_), "making the last event");
}

Stopwatch::~Stopwatch() {
  static_cast<void>(cudaEventDestroy(stop_));
  static_cast<void>(cudaEventDestroy(start_));
  static_cast<void>(cudaStreamDestroy(stream_));
}

Reading Stopwatch::time(const DeviceCall& call) {
  Reading reading;
  // Whatever the call before left on any stream is over before the gate closes.
  check(cudaDeviceSynchronize(), "waiting for the device before a reading");
  reading.held = gate_.close(stream_, patience);
  check(cudaEventRecord(start_, stream_), "recording the first event");
  const auto called = std::chrono::steady_clock::now();
  call(stream_);
  reading.host_ns = since(called);
  check(cudaEventRecord(stop_, stream_), "recording the last event");
  const auto opened = std::chrono::steady_clock::now();
  gate_.open();
  check(cudaEventSynchronize(stop_), "waiting for the call's work");
  reading.wall_ns = since(opened);
  check(cudaDeviceSynchronize(), "waiting for the whole device");
  reading.late_ns = since(opened) - reading.wall_ns;
  reading.expired = gate_.expired();
  float ms = 0;
  check(cudaEventElapsedTime(&ms, start_, stop_), "reading the events");
  reading.device_ns = double{ms} * 1e6;
  return reading;
}

Reading Stopwatch::time_empty(const LaunchShape& shape) {
  check(cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shape.shared_bytes)),
        "allowing the empty kernel its shared memory");
  return time([&](cudaStream_t stream) {
    empty<<<shape.grid, shape.block, shape.shared_bytes, stream>>>();
    check_launch("launching an empty kernel");
  });
}

double Stopwatch::cost_of(const LaunchShape& shape, const std::function<void()>& before) {
  std::vector<double> readings;
  for (int i = 0; i < kEmptyReadings; ++i) {
    before();
    readings.push_back(time_empty(shape).device_ns);
  }
  std::ranges::nth_element(readings, readings.begin() + kEmptyReadings / 2);
  return readings[kEmptyReadings / 2];
}

}  // namespace aisp::cuda

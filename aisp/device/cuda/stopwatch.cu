// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/stopwatch.h"

#include <algorithm>
#include <vector>

namespace aisp::cuda {
namespace {

constexpr int kEmptyReadings = 51;

__global__ void empty() {}

void allow(const LaunchShape& shape) {
  check(cudaFuncSetAttribute(empty, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shape.shared_bytes)),
        "allowing the empty kernel its shared memory");
}
void launch(const LaunchShape& shape, cudaStream_t stream) {
  empty<<<shape.grid, shape.block, shape.shared_bytes, stream>>>();
  check_launch("launching an empty kernel");
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Stopwatch::Stopwatch() {
  check(cudaStreamCreateWithFlags(&handles_.stream, cudaStreamNonBlocking), "making the timed stream");
  check(cudaEventCreate(&handles_.start), "making the first event");
  check(cudaEventCreate(&handles_.stop), "making the last event");
}

Stopwatch::Handles::~Handles() {
  if (stop != nullptr) static_cast<void>(cudaEventDestroy(stop));
  if (start != nullptr) static_cast<void>(cudaEventDestroy(start));
  if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
}

Reading Stopwatch::time(const DeviceCall& call, const std::function<void()>& meanwhile) {
  Reading reading;
  // Whatever the call before left on any stream is over before the gate closes.
  check(cudaDeviceSynchronize(), "waiting for the device before a reading");
  reading.held = gate_.close(handles_.stream, patience);
  check(cudaEventRecord(handles_.start, handles_.stream), "recording the first event");
  const auto called = std::chrono::steady_clock::now();
  call(handles_.stream);
  reading.host_ns = since(called);
  check(cudaEventRecord(handles_.stop, handles_.stream), "recording the last event");
  const auto opened = std::chrono::steady_clock::now();
  gate_.open();
  if (meanwhile) meanwhile();
  check(cudaEventSynchronize(handles_.stop), "waiting for the call's work");
  reading.wall_ns = since(opened);
  check(cudaDeviceSynchronize(), "waiting for the whole device");
  reading.late_ns = since(opened) - reading.wall_ns;
  reading.expired = gate_.expired();
  float ms = 0;
  check(cudaEventElapsedTime(&ms, handles_.start, handles_.stop), "reading the events");
  reading.device_ns = double{ms} * 1e6;
  return reading;
}

void Stopwatch::launch_empty(const LaunchShape& shape, cudaStream_t stream) {
  allow(shape);
  launch(shape, stream);
}

Reading Stopwatch::time_empty(const LaunchShape& shape) {
  allow(shape);  // outside what is timed
  return time([&](cudaStream_t stream) { launch(shape, stream); });
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

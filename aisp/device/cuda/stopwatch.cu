// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/stopwatch.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace aisp::cuda {
namespace {

constexpr int kEmptyReadings = 51;
constexpr int kPlaces = 16;  // after as many launches the end of a kernel is seen as late as before
constexpr unsigned kWords = 1024;

__global__ void empty() {}

/// What has written ends a little later than what has not: a kernel is over when its writes are seen.
__global__ void write_a_word(std::uint32_t* words) {
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) words[blockIdx.x % kWords] = blockIdx.x;
}

template <class Kernel>
void allow(Kernel* kernel, const LaunchShape& shape) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shape.shared_bytes)),
        "allowing the empty kernel its shared memory");
}

double since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Stopwatch::Stopwatch() : words_(device_memory<std::uint32_t>(kWords)) {
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
  launched_ += 2;  // the gate and the call
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

void Stopwatch::settle(int prepared) {
  for (int i = (launched_ + prepared) % kPlaces; i < kPlaces; ++i) empty<<<1, 32, 0, handles_.stream>>>();
  check_launch("settling the stream");
  launched_ = 0;
}

void Stopwatch::allow_empty(const LaunchShape& shape) {
  allow(empty, shape);
  allow(write_a_word, shape);
}

void Stopwatch::launch_empty(const LaunchShape& shape, Empty kind, cudaStream_t stream) const {
  if (kind == Empty::nothing) {
    empty<<<shape.grid, shape.block, shape.shared_bytes, stream>>>();
  } else {
    write_a_word<<<shape.grid, shape.block, shape.shared_bytes, stream>>>(words_.get());
  }
  check_launch("launching an empty kernel");
}

Reading Stopwatch::time_empty(const LaunchShape& shape, Empty kind) {
  return time([&](cudaStream_t stream) { launch_empty(shape, kind, stream); });
}

double Stopwatch::cost_of(const LaunchShape& shape, int prepared, const std::function<void()>& before) {
  allow_empty(shape);  // outside what is timed
  std::vector<double> readings[2];
  for (int i = 0; i < kEmptyReadings; ++i) {
    for (const Empty kind : {Empty::nothing, Empty::a_word}) {
      before();
      settle(prepared);
      readings[kind == Empty::a_word].push_back(time_empty(shape, kind).device_ns);
    }
  }
  for (std::vector<double>& of_kind : readings)
    std::ranges::nth_element(of_kind, of_kind.begin() + kEmptyReadings / 2);
  return (readings[0][kEmptyReadings / 2] + readings[1][kEmptyReadings / 2]) / 2;
}

}  // namespace aisp::cuda

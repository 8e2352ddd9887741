// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cuda_timing.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "aisp/device/clock.h"

namespace aisp::cuda {
namespace {

constexpr int kEmptyReadings = 101;

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

/// At most as many blocks as the device holds at once. What starting further ones takes is the call's own:
/// whoever launches a million blocks does not get their starting for nothing.
LaunchShape one_wave(LaunchShape shape) {
  int device = 0, multiprocessors = 0, threads = 0;
  check(cudaGetDevice(&device), "asking for the device");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "asking for the multiprocessors");
  check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
        "asking for the threads of a multiprocessor");
  const unsigned block = shape.block.x * shape.block.y * shape.block.z;
  const unsigned wave = static_cast<unsigned>(multiprocessors) *
                        std::max(1u, static_cast<unsigned>(threads) / std::max(block, 1u));
  const std::uint64_t blocks = std::uint64_t{shape.grid.x} * shape.grid.y * shape.grid.z;
  if (blocks > wave) shape.grid = dim3(wave);
  return shape;
}

}  // namespace

/// The smallest step between readings of something that always takes about the same.
CudaTiming::CudaTiming() {
  std::vector<double> readings;
  for (int i = 0; i < 64; ++i) readings.push_back(watch_.time([](cudaStream_t) {}).device_ns);
  std::ranges::sort(readings);
  for (std::size_t i = 1; i < readings.size(); ++i) {
    const double step = readings[i] - readings[i - 1];
    if (step > 0 && (resolution_ns_ == 0 || step < resolution_ns_)) resolution_ns_ = step;
  }
  if (resolution_ns_ == 0) resolution_ns_ = readings.front();  // they never differed: all of it is one step
}

device::GpuOverhead CudaTiming::overhead(const device::GpuCall& call) {
  const auto seen = launch_shapes([&](cudaStream_t stream) { call(stream); });
  // A call that can be run launches something. Were nothing taken off for it, a neighbour that can be looked
  // into would seem a microsecond or two faster.
  const std::vector<LaunchShape> shapes = seen.value_or(std::vector{LaunchShape{}});
  const LaunchShape shape = shapes.empty() ? LaunchShape{.grid = 0} : one_wave(shapes.front());
  device::GpuOverhead overhead = empty(shape);
  overhead.launches = static_cast<int>(shapes.size());
  overhead.guessed = !seen;
  overhead.launch_ns *= std::max(overhead.launches, 1);
  return overhead;
}

device::GpuOverhead CudaTiming::empty(const LaunchShape& shape) {
  const Geometry geometry{shape.grid.x,  shape.grid.y,  shape.grid.z,       shape.block.x,
                          shape.block.y, shape.block.z, shape.shared_bytes, flushed_ ? 1u : 0u};
  const auto known = empty_.find(geometry);
  if (known != empty_.end()) return known->second;
  std::vector<double> empty_ns, launch_ns;
  for (int i = 0; i < kEmptyReadings; ++i) {
    if (flushed_) flush_cache();
    const Reading reading = shape.grid.x == 0 ? watch_.time([](cudaStream_t) {}) : watch_.time_empty(shape);
    empty_ns.push_back(reading.device_ns);
    launch_ns.push_back(reading.host_ns);
  }
  const device::GpuOverhead measured{.ns = median(std::move(empty_ns)),
                                     .launch_ns = median(std::move(launch_ns))};
  return empty_.emplace(geometry, measured).first->second;
}

device::GpuReading CudaTiming::time(const device::GpuCall& call) {
  forget_persisting();
  device::GpuReading reading = watch_.time([&](cudaStream_t stream) { call(stream); });
  reading.persists = L2Flush::persists(watch_.stream());
  return reading;
}

void CudaTiming::forget_persisting() {
  if (L2Flush::persists(watch_.stream())) L2Flush::take_back(watch_.stream());
}

device::GpuReading CudaTiming::time_call(const device::GpuCall& call) {
  forget_persisting();
  check(cudaDeviceSynchronize(), "waiting for the device before a reading");
  const auto& clock = device::Clock::instance();
  const double start = clock.now_ns();
  call(watch_.stream());
  const double returned = clock.now_ns();
  check(cudaDeviceSynchronize(), "waiting for the call's work");
  device::GpuReading reading{.host_ns = returned - start, .wall_ns = clock.now_ns() - start, .held = true};
  reading.persists = L2Flush::persists(watch_.stream());
  return reading;
}

void CudaTiming::run(const device::GpuCall& call) {
  call(watch_.stream());
  check(cudaDeviceSynchronize(), "waiting for the call's work");
}

void CudaTiming::flush_cache() { flush_.run(watch_.stream()); }

}  // namespace aisp::cuda

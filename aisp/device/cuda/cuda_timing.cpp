// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cuda_timing.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "aisp/device/clock.h"
#include "aisp/device/cuda/captured_graph.h"

namespace aisp::cuda {
namespace {

constexpr int kEmptyReadings = 102;  // half of each kind

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

void note_contents(device::GpuOverhead& overhead, const CapturedGraph& seen) {
  const auto contents = seen.captured() ? seen.contents() : std::nullopt;
  if (!contents) return;
  overhead.kernels = contents->kernels;
  overhead.pieces = contents->pieces;
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
  const CapturedGraph seen = CapturedGraph::of([&](cudaStream_t stream) { call(stream); });
  // A call that can be run launches something. Were nothing taken off for it, a neighbour that can be looked
  // into would seem a microsecond or two faster.
  const std::vector<LaunchShape> shapes = seen.captured() ? seen.kernels() : std::vector{LaunchShape{}};
  const LaunchShape shape = shapes.empty() ? LaunchShape{.grid = 0} : one_wave(shapes.front());
  device::GpuOverhead overhead = empty(shape);
  overhead.launches = static_cast<int>(shapes.size());
  overhead.guessed = !seen.captured();
  overhead.launch_ns *= std::max(overhead.launches, 1);
  note_contents(overhead, seen);
  return overhead;
}

device::GpuOverhead CudaTiming::empty(const LaunchShape& shape) {
  const Geometry geometry{shape.grid.x,  shape.grid.y,  shape.grid.z,       shape.block.x,
                          shape.block.y, shape.block.z, shape.shared_bytes, flushed_ ? 1u : 0u};
  const auto known = empty_.find(geometry);
  if (known != empty_.end()) return known->second;
  Stopwatch::allow_empty(shape);
  const device::GpuOverhead measured = measure([&](Stopwatch::Empty kind) {
    return shape.grid.x == 0 ? watch_.time([](cudaStream_t) {}) : watch_.time_empty(shape, kind);
  });
  return empty_.emplace(geometry, measured).first->second;
}

device::GpuOverhead CudaTiming::measure(const std::function<Reading(Stopwatch::Empty)>& nothing) {
  std::vector<double> empty_ns, word_ns, launch_ns;
  for (int i = 0; i < kEmptyReadings; ++i) {
    const bool word = i % 2 == 1;
    if (flushed_) flush_cache();
    settle();
    const Reading reading = nothing(word ? Stopwatch::Empty::a_word : Stopwatch::Empty::nothing);
    (word ? word_ns : empty_ns).push_back(reading.device_ns);
    launch_ns.push_back(reading.host_ns);
  }
  return {.ns = (median(std::move(empty_ns)) + median(std::move(word_ns))) / 2,
          .launch_ns = median(std::move(launch_ns))};
}

Result<device::GpuGraph> CudaTiming::as_graph(const device::GpuCall& call) {
  const CapturedGraph captured = CapturedGraph::of([&](cudaStream_t stream) { call(stream); });
  if (!captured.captured()) {
    return Error{ErrorCode::bad_input, "its call cannot be captured as a graph: " + captured.why_not(),
                 "time it without --graph"};
  }
  const auto launching = [](const CapturedGraph& graph) {
    return [ready = graph.instantiate()](void* stream) {
      check(cudaGraphLaunch(ready.get(), static_cast<cudaStream_t>(stream)), "launching a graph");
    };
  };
  const std::vector<LaunchShape> kernels = captured.kernels();
  const LaunchShape shape = kernels.empty() ? LaunchShape{} : one_wave(kernels.front());
  Stopwatch::allow_empty(shape);
  const auto nothing = [&](std::size_t launches) {
    const auto graph_of = [&](Stopwatch::Empty kind) {
      auto launch = launching(CapturedGraph::of([&](cudaStream_t stream) {
        for (std::size_t i = 0; i < launches; ++i) watch_.launch_empty(shape, kind, stream);
      }));
      watch_.time(launch);  // is loaded when it is launched for the first time
      return launch;
    };
    const auto empty = graph_of(Stopwatch::Empty::nothing), word = graph_of(Stopwatch::Empty::a_word);
    return measure(
        [&](Stopwatch::Empty kind) { return watch_.time(kind == Stopwatch::Empty::a_word ? word : empty); });
  };
  device::GpuGraph graph{.launch = launching(captured),
                         .overhead = nothing(std::min<std::size_t>(kernels.size(), 1))};
  // As many of them take the host longer; what the device takes from one to the next is the call's own.
  if (kernels.size() > 1) graph.overhead.launch_ns = nothing(kernels.size()).launch_ns;
  graph.overhead.launches = static_cast<int>(kernels.size());
  note_contents(graph.overhead, captured);
  return graph;
}

device::GpuReading CudaTiming::time(const device::GpuCall& call, const std::function<void()>& meanwhile) {
  forget_persisting();
  device::GpuReading reading = watch_.time([&](cudaStream_t stream) { call(stream); }, meanwhile);
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

void CudaTiming::flush_cache() {
  flush_.run(watch_.stream());
  prepared_ += L2Flush::kLaunches;
}

void CudaTiming::settle() { watch_.settle(std::exchange(prepared_, 0)); }

}  // namespace aisp::cuda

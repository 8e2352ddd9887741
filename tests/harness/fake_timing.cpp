// SPDX-License-Identifier: Apache-2.0
#include "fake_timing.h"

#include "aisp/device/gpu/gpu_error.h"
#include "fake_cache.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

FakeStream* second_stream = nullptr;
bool flushes_expected = false;

}  // namespace

FakeStream* fake_second_stream() { return second_stream; }
bool fake_expects_flushes() { return flushes_expected; }

FakeTiming::FakeTiming() { second_stream = &second_; }
FakeTiming::~FakeTiming() { second_stream = nullptr; }

void FakeTiming::wait() {
  stream_.drain();
  second_.drain();
  must_work();
}

void FakeTiming::expect_flushes(bool each) { flushes_expected = each; }

void FakeTiming::flush_cache() {
  must_work();
  if (!fake_faults().keeps_cache) fake_cache().flush();
}

device::GpuOverhead FakeTiming::overhead(const device::GpuCall& /*call*/) {
  return {.ns = 0, .launch_ns = 3000, .launches = 1};
}

Result<device::GpuGraph> FakeTiming::as_graph(const device::GpuCall& call) {
  stream_.begin_capture();
  std::string why_not;
  try {
    call(&stream_);
  } catch (const device::GpuError& problem) {
    why_not = problem.what();
  }
  const std::function<void()> launch = stream_.end_capture();
  if (!why_not.empty()) return Error{ErrorCode::bad_input, "cannot be captured: " + why_not, ""};
  return device::GpuGraph{.launch = [launch](void*) { launch(); },
                          .overhead = {.ns = 0, .launch_ns = 3000, .launches = 1}};
}

device::GpuReading FakeTiming::time(const device::GpuCall& call) {
  wait();
  device::GpuReading reading{.held = true};
  gate_.close();
  stream_.hold();
  double start = 0, end = 0;
  stream_.mark([&] { start = clock_.now_ns(); });
  const double called = clock_.now_ns();
  try {
    call(&stream_);
  } catch (...) {
    gate_.open();
    throw;
  }
  reading.host_ns = clock_.now_ns() - called;
  stream_.mark([&] { end = clock_.now_ns(); });
  const double opened = clock_.now_ns();
  gate_.open();
  stream_.drain();
  reading.wall_ns = clock_.now_ns() - opened;
  second_.drain();
  reading.late_ns = clock_.now_ns() - opened - reading.wall_ns;
  reading.device_ns = (end - start) * fake_faults().clock_runs;
  reading.expired = gate_.expired();
  must_work();
  return reading;
}

device::GpuReading FakeTiming::time_call(const device::GpuCall& call) {
  wait();
  const double start = clock_.now_ns();
  call(&stream_);
  const double returned = clock_.now_ns();
  wait();
  return {.host_ns = returned - start, .wall_ns = clock_.now_ns() - start, .held = true};
}

void FakeTiming::run(const device::GpuCall& call) {
  call(&stream_);
  wait();
}

}  // namespace aisp::harness

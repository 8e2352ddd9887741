// SPDX-License-Identifier: Apache-2.0
#include "fake_timing.h"

#include <atomic>

#include "aisp/device/gpu/gpu_error.h"
#include "fake_cache.h"
#include "fake_gpu.h"

namespace aisp::harness {
namespace {

FakeStream* second_stream = nullptr;
std::atomic<bool> cache_kept = false;
bool flushes_expected = false;

}  // namespace

void fake_keep_cache() { cache_kept = true; }

FakeStream* fake_second_stream() { return second_stream; }
bool fake_expects_flushes() { return flushes_expected; }

FakeTiming::FakeTiming() { second_stream = &second_; }
FakeTiming::~FakeTiming() { second_stream = nullptr; }

void FakeTiming::wait() {
  stream_.drain();
  second_.drain();
  must_work();
}

std::size_t FakeTiming::cache_bytes() const { return fake_faults().cache_bytes; }

void FakeTiming::expect_flushes(bool each) { flushes_expected = each; }

void FakeTiming::flush_cache() {
  must_work();
  if (!fake_faults().keeps_cache) fake_cache().flush();
  if (fake_faults().at_flush) fake_faults().at_flush();
}

// As many launches as the stopwatch makes: 16 from one reading to the next, so it depends on what was timed.
void FakeTiming::settle() {
  for (int i = launched_ % 16; i < 16; ++i) stream_.launch([] {});
  launched_ = 0;
}

device::GpuOverhead FakeTiming::overhead(const device::GpuCall& call) {
  const Result<device::GpuGraph> graph = as_graph(call);
  if (graph) return graph->overhead;
  return {.ns = 0, .launch_ns = 3000, .launches = 1, .guessed = true};
}

Result<device::GpuGraph> FakeTiming::as_graph(const device::GpuCall& call) {
  wait();
  stream_.begin_capture();
  std::string why_not;
  try {
    call(&stream_);
  } catch (const device::GpuError& problem) {
    why_not = problem.what();
  }
  const FakeStream::Captured captured = stream_.end_capture();
  if (!why_not.empty()) return Error{ErrorCode::bad_input, "cannot be captured: " + why_not, ""};
  return device::GpuGraph{.launch = [launch = captured.launch](void*) { launch(); },
                          .overhead = {.ns = 0,
                                       .launch_ns = 3000,
                                       .launches = captured.launches,
                                       .kernels = captured.kernels,
                                       .pieces = captured.pieces}};
}

device::GpuReading FakeTiming::time(const device::GpuCall& call, const std::function<void()>& meanwhile) {
  wait();
  cache_kept = false;  // what was asked for before is taken back
  device::GpuReading reading{.held = true};
  gate_.close();
  stream_.hold();
  launched_ += 2;
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
  if (meanwhile) meanwhile();
  stream_.drain();
  reading.wall_ns = clock_.now_ns() - opened;
  second_.drain();
  reading.late_ns = clock_.now_ns() - opened - reading.wall_ns;
  reading.device_ns = (end - start) * fake_faults().clock_runs;
  reading.expired = gate_.expired();
  reading.persists = cache_kept;
  must_work();
  return reading;
}

device::GpuReading FakeTiming::time_call(const device::GpuCall& call) {
  wait();
  cache_kept = false;
  const double start = clock_.now_ns();
  call(&stream_);
  const double returned = clock_.now_ns();
  wait();
  const double wall = clock_.now_ns() - start;
  return {.host_ns = returned - start, .wall_ns = wall, .held = true, .persists = cache_kept};
}

void FakeTiming::run(const device::GpuCall& call) {
  call(&stream_);
  wait();
}

}  // namespace aisp::harness

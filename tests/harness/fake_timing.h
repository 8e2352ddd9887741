// SPDX-License-Identifier: Apache-2.0
/// \file
/// The timer of the GPU that is made of threads: a gate, two streams and the host's clock for events.
#pragma once

#include "aisp/device/clock.h"
#include "aisp/device/gpu/gpu_timing.h"
#include "fake_stream.h"

namespace aisp::harness {

class FakeTiming : public device::GpuTiming {
 public:
  FakeTiming();
  ~FakeTiming() override;

  device::GpuOverhead overhead(const device::GpuCall& call) override;
  Result<device::GpuGraph> as_graph(const device::GpuCall& call) override;
  device::GpuReading time(const device::GpuCall& call, const std::function<void()>& meanwhile) override;
  device::GpuReading time_call(const device::GpuCall& call) override;
  void run(const device::GpuCall& call) override;
  void* stream() const override { return const_cast<FakeStream*>(&stream_); }
  void expect_flushes(bool each) override;
  void flush_cache() override;
  void settle() override;
  std::size_t cache_bytes() const override;
  double resolution_ns() const override { return clock_.resolution_ns(); }

 private:
  void wait();

  const device::Clock& clock_ = device::Clock::instance();
  FakeGate gate_;
  FakeStream stream_{gate_}, second_{gate_};
  int launched_ = 0;  ///< since the last settle()
};

/// What the timer was told last: that flushes go before every reading.
bool fake_expects_flushes();

/// Of the device that is open.
FakeStream* fake_second_stream();

}  // namespace aisp::harness

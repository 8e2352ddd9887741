// SPDX-License-Identifier: Apache-2.0
/// \file
/// GpuTiming on the current CUDA device: the stopwatch, the flush, and what both cost.
#pragma once

#include <array>
#include <functional>
#include <map>

#include "aisp/device/cuda/l2_flush.h"
#include "aisp/device/cuda/stopwatch.h"
#include "aisp/device/gpu/gpu_timing.h"

namespace aisp::cuda {

class CudaTiming : public device::GpuTiming {
 public:
  CudaTiming();

  void expect_flushes(bool each) override { flushed_ = each; }
  device::GpuOverhead overhead(const device::GpuCall& call) override;
  Result<device::GpuGraph> as_graph(const device::GpuCall& call) override;
  device::GpuReading time(const device::GpuCall& call, const std::function<void()>& meanwhile) override;
  device::GpuReading time_call(const device::GpuCall& call) override;
  void run(const device::GpuCall& call) override;
  void* stream() const override { return watch_.stream(); }
  void flush_cache() override;
  void settle() override;
  std::size_t cache_bytes() const override { return flush_.cache_bytes(); }
  double resolution_ns() const override { return resolution_ns_; }

 private:
  /// Grid, block, shared memory, all zero: nothing is launched; then whether a flush goes before.
  using Geometry = std::array<unsigned, 8>;

  /// Of one kernel that does nothing. Measured once for a geometry: calls that launch alike must have the
  /// same taken off, since what is measured twice differs by a step or two of the clock.
  device::GpuOverhead empty(const LaunchShape& shape);

  device::GpuOverhead measure(const std::function<Reading(Stopwatch::Empty)>& nothing);

  /// What one call asked for must neither help nor hinder the next.
  void forget_persisting();

  Stopwatch watch_;
  std::map<Geometry, device::GpuOverhead> empty_;
  L2Flush flush_;
  bool flushed_ = false;
  int prepared_ = 0;  ///< launches for a flush since the last settle()
  double resolution_ns_ = 0;
};

}  // namespace aisp::cuda

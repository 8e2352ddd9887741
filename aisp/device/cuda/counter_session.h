// SPDX-License-Identifier: Apache-2.0
/// \file
/// One set of metrics on the current device: CUPTI's objects and images for it, in the order it wants them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "aisp/device/cuda/cupti_library.h"

namespace aisp::cuda {

class CounterSession {
 public:
  /// Throws GpuError where the metrics, or counters at all, are refused.
  explicit CounterSession(std::vector<const char*> metrics);
  ~CounterSession();
  CounterSession(const CounterSession&) = delete;
  CounterSession& operator=(const CounterSession&) = delete;

  const std::vector<const char*>& metrics() const { return metrics_; }

  /// The calls made so far.
  int collect(const std::function<void()>& call, const std::function<void()>& before_pass);
  /// Of what was collected last, one value per metric.
  std::vector<double> values();

 private:
  void choose_chip();
  void schedule();
  void make_room();
  void configure();
  bool pass(const std::function<void()>& call, const std::function<void()>& before_pass);
  void close() noexcept;

  const CuptiLibrary& cupti_ = CuptiLibrary::instance();
  std::vector<const char*> metrics_;
  CUcontext context_ = nullptr;
  CUpti_Profiler_Host_Object* host_ = nullptr;
  CUpti_RangeProfiler_Object* profiler_ = nullptr;
  std::vector<std::uint8_t> available_;  ///< which counters this device, and this user, has
  std::vector<std::uint8_t> schedule_;   ///< what is counted in which pass
  std::vector<std::uint8_t> data_;
  std::size_t passes_ = 0;
};

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Records everything that this process has the device do, through CUPTI.
///
/// At most one at a time in a process, and none beside a profiler. Make it before the first call of CUDA:
/// host functions in graphs, and code that launches kernels from the device, are known only if made and
/// loaded afterwards. No record shows what the device itself launched (CUPTI 13.0, Hopper): where a kernel
/// that can do so has run, its record says it (Activity::can_launch), and so does blind_to().
///
/// What is recorded is not what is timed: on an H200 a launch costs the host 1.5 to 2.5 us more while it
/// records and up to 2 us more afterwards, and the first kernel of a stream waits up to a millisecond for
/// CUPTI's buffers. Record in a process that times nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

class DriverCalls;

class CuptiRecorder final : public device::ActivityRecorder {
 public:
  /// Never throws: start() says why it cannot record.
  CuptiRecorder() noexcept;
  ~CuptiRecorder() override;

  std::optional<std::string> start() override;
  std::vector<device::Activity> stop() override;
  void record_driver_calls(bool each) override { each_call_ = each; }
  std::uint64_t dropped() const override { return dropped_; }
  std::uint64_t unrecorded_launches() const override { return unrecorded_; }
  std::vector<std::string> blind_to() const override { return blind_; }
  bool sees(device::Activity::Kind kind) const override { return !unseen_.contains(kind); }
  bool knows_launching_code() const override { return knows_launching_code_; }
  double now_ns() const override;
  std::uint32_t device() const override;
  std::optional<std::uint64_t> number_of(void* stream) const override;

 private:
  void enable_kinds();
  void disable_kinds();
  /// Returns how many kernels it marked.
  std::int64_t mark_launching(std::vector<device::Activity>& records);

  std::optional<std::string> why_not_;
  bool late_ = false;  ///< something ran before it was made
  std::unique_ptr<DriverCalls> calls_;
  std::vector<int> enabled_;          ///< CUPTI's kinds
  std::vector<std::string> refused_;  ///< kinds, and why
  std::set<device::Activity::Kind> unseen_;
  bool each_call_ = false;
  bool knows_launching_code_ = false;
  std::vector<std::string> blind_;
  double started_ns_ = 0;
  std::uint64_t dropped_ = 0;
  std::uint64_t unrecorded_ = 0;
};

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Activity records of the GPU that is made of threads: what ran, while somebody records.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "aisp/device/gpu/activity.h"

namespace aisp::harness {

class FakeRecorder : public device::ActivityRecorder {
 public:
  void add(const device::Activity& activity);
  /// Whether somebody records now: code that is watched can find out on a device, too.
  bool recording();

  std::optional<std::string> start() override;
  std::vector<device::Activity> stop() override;
  std::uint64_t dropped() const override;
  std::uint64_t unrecorded_launches() const override;
  std::vector<std::string> blind_to() const override { return {}; }
  bool sees(device::Activity::Kind kind) const override;
  bool knows_launching_code() const override;
  std::uint32_t device() const override { return 0; }
  double now_ns() const override;
  std::optional<std::uint64_t> number_of(void* stream) const override;

 private:
  std::mutex mutex_;
  bool on_ = false;
  std::vector<device::Activity> seen_;
};

/// One for all streams of the process.
FakeRecorder& fake_recorder();

}  // namespace aisp::harness

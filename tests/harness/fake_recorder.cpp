// SPDX-License-Identifier: Apache-2.0
#include "fake_recorder.h"

#include <algorithm>

#include "aisp/device/clock.h"
#include "fake_gpu.h"

namespace aisp::harness {

FakeRecorder& fake_recorder() {
  static FakeRecorder one;
  return one;
}

void FakeRecorder::add(const device::Activity& activity) {
  const std::lock_guard lock(mutex_);
  if (on_) seen_.push_back(activity);
}

bool FakeRecorder::recording() {
  const std::lock_guard lock(mutex_);
  return on_;
}

std::optional<std::string> FakeRecorder::start() {
  if (!fake_faults().no_records.empty()) return fake_faults().no_records;
  const std::lock_guard lock(mutex_);
  on_ = true;
  seen_.clear();
  return std::nullopt;
}

std::vector<device::Activity> FakeRecorder::stop() {
  const std::lock_guard lock(mutex_);
  on_ = false;
  std::ranges::sort(seen_, {}, &device::Activity::start_ns);
  return std::move(seen_);
}

std::uint64_t FakeRecorder::dropped() const { return fake_faults().lost_records; }

std::uint64_t FakeRecorder::unrecorded_launches() const { return fake_faults().unrecorded_launches; }

bool FakeRecorder::sees(device::Activity::Kind kind) const {
  if (kind == fake_faults().refused) return false;
  return kind != device::Activity::Kind::unified_memory || !fake_faults().no_unified_memory;
}

bool FakeRecorder::knows_launching_code() const { return !fake_faults().unreadable_code; }

double FakeRecorder::now_ns() const { return device::Clock::instance().now_ns(); }

std::optional<std::uint64_t> FakeRecorder::number_of(void* stream) const {
  return reinterpret_cast<std::uint64_t>(stream);
}

}  // namespace aisp::harness

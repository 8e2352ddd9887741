// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/activity_recorder.h"

#include <algorithm>
#include <utility>

#include "aisp/device/cuda/activity_buffers.h"
#include "aisp/device/cuda/activity_join.h"
#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/cupti_clock.h"
#include "aisp/device/cuda/driver_calls.h"
#include "aisp/device/cuda/driver_functions.h"

namespace aisp::cuda {
namespace {

using Seen = device::Activity::Kind;

struct Kind {
  CUpti_ActivityKind kind;
  const char* shows;
  Seen seen;
  bool everywhere;  ///< where it is refused, something may go unseen
};

// Not among them: GRAPH_TRACE, which would hide what a graph's nodes do. A launch is seen as a call instead.
constexpr Kind kKinds[] = {
    {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels", Seen::kernel, true},
    {CUPTI_ACTIVITY_KIND_CDP_KERNEL, "kernels launched by kernels", Seen::kernel, false},  // see can_launch
    {CUPTI_ACTIVITY_KIND_MEMCPY, "copies", Seen::copy, true},
    {CUPTI_ACTIVITY_KIND_MEMCPY2, "copies between devices", Seen::copy, true},
    {CUPTI_ACTIVITY_KIND_MEMSET, "memsets", Seen::set, true},
    {CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS, "decompression", Seen::copy,
     false},  // where there is such an engine
    {CUPTI_ACTIVITY_KIND_MEMORY2, "allocations", Seen::allocation, true},
    {CUPTI_ACTIVITY_KIND_JIT, "compilation", Seen::compilation, true},
    {CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "synchronisation", Seen::synchronisation, true},
};

// What a runtime asks of its driver need not show as calls of the driver, and a library need not use a
// runtime.
constexpr CUpti_ActivityKind kDriverCalls[] = {CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_RUNTIME};

/// Every counter of unified memory, on every device.
CUptiResult record_unified_memory() {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  int devices = 0;
  check(cudaGetDeviceCount(&devices), "counting devices");
  std::vector<CUpti_ActivityUnifiedMemoryCounterConfig> counters;
  for (int device = 0; device < devices; ++device) {
    for (int kind = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD;
         kind < CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_COUNT; ++kind) {
      counters.push_back({.scope = CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_SCOPE_PROCESS_SINGLE_DEVICE,
                          .kind = static_cast<CUpti_ActivityUnifiedMemoryCounterKind>(kind),
                          .deviceId = static_cast<std::uint32_t>(device),
                          .enable = 1});
    }
  }
  const CUptiResult configured = cupti.ActivityConfigureUnifiedMemoryCounter(
      counters.data(), static_cast<std::uint32_t>(counters.size()));
  if (configured != CUPTI_SUCCESS) return configured;
  return cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER);
}

}  // namespace

CuptiRecorder::CuptiRecorder() noexcept {
  try {
    const CuptiLibrary& cupti = CuptiLibrary::instance();
    if (!cupti.reason.empty()) {
      why_not_ = cupti.reason;
      return;
    }
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
      why_not_ = "there is no CUDA driver";
      return;
    }
    cupti.check(cupti.SetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM),
                "numbering threads as the system does");
    calls_ = std::make_unique<DriverCalls>();
    late_ = has_context();
    ActivityBuffers::instance().offer();
  } catch (const std::exception& error) {
    why_not_ = error.what();
  }
}

CuptiRecorder::~CuptiRecorder() { disable_kinds(); }

std::optional<std::string> CuptiRecorder::start() {
  if (why_not_) return why_not_;
  if (!enabled_.empty()) return "it records already";
  try {
    static_cast<void>(current_context());
    enable_kinds();
    // What came in between recordings is no part of this one.
    ActivityBuffers::instance().flush();
    static_cast<void>(ActivityBuffers::instance().take());
    static_cast<void>(calls_->take());
    started_ns_ = now_ns();
    calls_->keep(true);
  } catch (const std::exception& error) {
    disable_kinds();
    return error.what();
  }
  return std::nullopt;
}

void CuptiRecorder::enable_kinds() {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  refused_.clear();
  unseen_.clear();
  const auto note = [&](const char* shows, Seen seen, CUptiResult result) {
    refused_.push_back(std::string(shows) + ": " + cupti.words(result));
    unseen_.insert(seen);
  };
  for (const auto& [kind, shows, seen, everywhere] : kKinds) {
    const CUptiResult result = cupti.ActivityEnable(kind);
    if (result == CUPTI_SUCCESS)
      enabled_.push_back(kind);
    else if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      cupti.check(result, "recording kernels");
    else if (everywhere)
      note(shows, seen, result);
  }
  if (!each_call_) unseen_.insert(Seen::driver_call);
  for (const CUpti_ActivityKind kind : kDriverCalls) {
    if (!each_call_) break;
    const CUptiResult result = cupti.ActivityEnable(kind);
    if (result == CUPTI_SUCCESS)
      enabled_.push_back(kind);
    else
      note("calls of the driver", Seen::driver_call, result);
  }
  // Once, and until the process ends: to stop it takes CUPTI two seconds.
  static const CUptiResult unified = record_unified_memory();
  if (unified != CUPTI_SUCCESS) note("unified memory", Seen::unified_memory, unified);
}

void CuptiRecorder::disable_kinds() {
  for (const int kind : enabled_)
    static_cast<void>(CuptiLibrary::instance().ActivityDisable(static_cast<CUpti_ActivityKind>(kind)));
  enabled_.clear();
}

std::vector<device::Activity> CuptiRecorder::stop() {
  if (enabled_.empty()) return {};
  calls_->keep(false);
  ActivityBuffers::instance().flush();
  disable_kinds();
  ActivityBuffers::instance().flush();  // what was still on its way
  ActivityBuffers::Taken records = ActivityBuffers::instance().take();
  CallLog calls = calls_->take();
  dropped_ = records.lost + calls.lost;
  unrecorded_ = without_record(calls.launches, records.activities);
  blind_ = refused_;
  if (late_) blind_.emplace_back("code and graphs that were there before the recorder was made");
  if (const auto kernels = mark_launching(records.activities); kernels > 0)
    blind_.push_back("launches by the device: " + std::to_string(kernels) +
                     " recorded kernels can make them");
  return joined(std::move(records.activities), std::move(calls), started_ns_);
}

std::int64_t CuptiRecorder::mark_launching(std::vector<device::Activity>& records) {
  const auto launching = calls_->launching_kernels();
  knows_launching_code_ = launching.has_value() && !late_;
  if (!launching || launching->empty()) return 0;
  for (device::Activity& record : records) record.can_launch = launching->contains(record.symbol);
  return std::ranges::count_if(records, &device::Activity::can_launch);
}

double CuptiRecorder::now_ns() const { return cupti_now_ns(); }

std::uint32_t CuptiRecorder::device() const {
  int number = 0;
  check(cudaGetDevice(&number), "asking for the current device");
  return static_cast<std::uint32_t>(number);
}

std::optional<std::uint64_t> CuptiRecorder::number_of(void* stream) const {
  if (why_not_) return std::nullopt;
  std::uint32_t number = 0;
  const CUptiResult asked =
      CuptiLibrary::instance().GetStreamIdEx(current_context(), static_cast<CUstream>(stream), 0, &number);
  return asked == CUPTI_SUCCESS ? std::optional<std::uint64_t>(number) : std::nullopt;
}

}  // namespace aisp::cuda

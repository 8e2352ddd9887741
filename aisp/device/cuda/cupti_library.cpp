// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/cupti_library.h"

#include "aisp/device/cuda/shared_library.h"
#include "aisp/device/gpu/gpu_error.h"

namespace aisp::cuda {
namespace {

// 130001 is 13.0.1.
constexpr std::uint32_t kMajor = 10'000;
constexpr std::uint32_t kMinor = 100;

void bind_all(const SharedLibrary& library, CuptiLibrary& cupti) {
  const auto bind = [&]<class Function>(Function*& member, const char* name) {
    member = library.function<Function>(name);
    if (member == nullptr && cupti.reason.empty()) cupti.reason = library.where() + " has no " + name;
  };
  bind(cupti.GetVersion, "cuptiGetVersion");
  bind(cupti.GetResultString, "cuptiGetResultString");
  bind(cupti.GetTimestamp, "cuptiGetTimestamp");
  bind(cupti.GetStreamIdEx, "cuptiGetStreamIdEx");
  bind(cupti.SetThreadIdType, "cuptiSetThreadIdType");
  bind(cupti.ActivityRegisterCallbacks, "cuptiActivityRegisterCallbacks");
  bind(cupti.ActivityEnable, "cuptiActivityEnable");
  bind(cupti.ActivityDisable, "cuptiActivityDisable");
  bind(cupti.ActivityFlushAll, "cuptiActivityFlushAll");
  bind(cupti.ActivityGetNextRecord, "cuptiActivityGetNextRecord");
  bind(cupti.ActivityGetNumDroppedRecords, "cuptiActivityGetNumDroppedRecords");
  bind(cupti.ActivityConfigureUnifiedMemoryCounter, "cuptiActivityConfigureUnifiedMemoryCounter");
  bind(cupti.Subscribe, "cuptiSubscribe");
  bind(cupti.Unsubscribe, "cuptiUnsubscribe");
  bind(cupti.EnableCallback, "cuptiEnableCallback");
  bind(cupti.GetCallbackName, "cuptiGetCallbackName");
  bind(cupti.DeviceGetChipName, "cuptiDeviceGetChipName");
  bind(cupti.ProfilerInitialize, "cuptiProfilerInitialize");
  bind(cupti.ProfilerGetCounterAvailability, "cuptiProfilerGetCounterAvailability");
  bind(cupti.ProfilerHostInitialize, "cuptiProfilerHostInitialize");
  bind(cupti.ProfilerHostDeinitialize, "cuptiProfilerHostDeinitialize");
  bind(cupti.ProfilerHostConfigAddMetrics, "cuptiProfilerHostConfigAddMetrics");
  bind(cupti.ProfilerHostGetConfigImageSize, "cuptiProfilerHostGetConfigImageSize");
  bind(cupti.ProfilerHostGetConfigImage, "cuptiProfilerHostGetConfigImage");
  bind(cupti.ProfilerHostGetNumOfPasses, "cuptiProfilerHostGetNumOfPasses");
  bind(cupti.ProfilerHostEvaluateToGpuValues, "cuptiProfilerHostEvaluateToGpuValues");
  bind(cupti.RangeProfilerEnable, "cuptiRangeProfilerEnable");
  bind(cupti.RangeProfilerDisable, "cuptiRangeProfilerDisable");
  bind(cupti.RangeProfilerSetConfig, "cuptiRangeProfilerSetConfig");
  bind(cupti.RangeProfilerStart, "cuptiRangeProfilerStart");
  bind(cupti.RangeProfilerStop, "cuptiRangeProfilerStop");
  bind(cupti.RangeProfilerPushRange, "cuptiRangeProfilerPushRange");
  bind(cupti.RangeProfilerPopRange, "cuptiRangeProfilerPopRange");
  bind(cupti.RangeProfilerDecodeData, "cuptiRangeProfilerDecodeData");
  bind(cupti.RangeProfilerGetCounterDataSize, "cuptiRangeProfilerGetCounterDataSize");
  bind(cupti.RangeProfilerCounterDataImageInitialize, "cuptiRangeProfilerCounterDataImageInitialize");
  bind(cupti.RangeProfilerGetCounterDataInfo, "cuptiRangeProfilerGetCounterDataInfo");
}

CuptiLibrary load() {
  CuptiLibrary cupti;
  const SharedLibrary library({"libcupti.so.13", "libcupti.so"});
  if (!library.found()) {
    cupti.reason = "CUPTI: " + library.reason();
    return cupti;
  }
  cupti.where = library.where();
  bind_all(library, cupti);
  if (!cupti.reason.empty()) return cupti;
  // Records of another major version have other layouts; within one, they only grow at their end.
  const CUptiResult asked = cupti.GetVersion(&cupti.version);
  if (asked != CUPTI_SUCCESS || cupti.version / kMajor != CUPTI_API_VERSION / kMajor ||
      cupti.version / kMinor < CUPTI_API_VERSION / kMinor) {
    cupti.reason = "CUPTI: " + cupti.where + " is version " + std::to_string(cupti.version) +
                   ", this program reads records of " + std::to_string(CUPTI_API_VERSION);
  }
  return cupti;
}

}  // namespace

const CuptiLibrary& CuptiLibrary::instance() {
  static const CuptiLibrary loaded = load();
  return loaded;
}

std::string CuptiLibrary::words(CUptiResult result) const {
  const char* text = nullptr;
  if (GetResultString == nullptr || GetResultString(result, &text) != CUPTI_SUCCESS || text == nullptr)
    return "CUPTI result " + std::to_string(static_cast<int>(result));
  return text;
}

void CuptiLibrary::check(CUptiResult result, const char* doing) const {
  if (result == CUPTI_SUCCESS) return;
  const bool refused = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES || result == CUPTI_ERROR_NOT_SUPPORTED;
  throw device::GpuError(refused ? device::GpuFault::unsupported : device::GpuFault::other,
                         std::string(doing) + ": " + words(result));
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// CUPTI, the toolkit's library of records and counters, found at run time.
///
///   const CuptiLibrary& cupti = CuptiLibrary::instance();
///   if (!cupti.reason.empty()) ...;   // not here: no other member may be used
///   cupti.check(cupti.ActivityEnable(CUPTI_ACTIVITY_KIND_MEMSET), "recording memsets");
#pragma once

// Before the rest, which use size_t and C's headers without naming them.
#include <cstddef>
#include <cstdint>

#include <cupti.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>

#include <string>

namespace aisp::cuda {

/// Members are called as CUPTI's functions are, less the prefix `cupti`.
struct CuptiLibrary {
  /// Looked for once, on the first call.
  static const CuptiLibrary& instance();

  std::string reason;         ///< why it cannot be used; empty: it can
  std::string where;          ///< its path
  std::uint32_t version = 0;  ///< 130001 for 13.0.1

  /// CUPTI's words for a result.
  std::string words(CUptiResult result) const;
  /// Throws GpuError with what was attempted.
  void check(CUptiResult result, const char* doing) const;

  decltype(cuptiGetVersion)* GetVersion = nullptr;
  decltype(cuptiGetResultString)* GetResultString = nullptr;
  decltype(cuptiGetTimestamp)* GetTimestamp = nullptr;
  decltype(cuptiGetStreamIdEx)* GetStreamIdEx = nullptr;
  decltype(cuptiSetThreadIdType)* SetThreadIdType = nullptr;

  decltype(cuptiActivityRegisterCallbacks)* ActivityRegisterCallbacks = nullptr;
  decltype(cuptiActivityEnable)* ActivityEnable = nullptr;
  decltype(cuptiActivityDisable)* ActivityDisable = nullptr;
  decltype(cuptiActivityFlushAll)* ActivityFlushAll = nullptr;
  decltype(cuptiActivityGetNextRecord)* ActivityGetNextRecord = nullptr;
  decltype(cuptiActivityGetNumDroppedRecords)* ActivityGetNumDroppedRecords = nullptr;
  decltype(cuptiActivityConfigureUnifiedMemoryCounter)* ActivityConfigureUnifiedMemoryCounter = nullptr;

  decltype(cuptiSubscribe)* Subscribe = nullptr;
  decltype(cuptiUnsubscribe)* Unsubscribe = nullptr;
  decltype(cuptiEnableCallback)* EnableCallback = nullptr;
  decltype(cuptiGetCallbackName)* GetCallbackName = nullptr;

  decltype(cuptiDeviceGetChipName)* DeviceGetChipName = nullptr;
  decltype(cuptiProfilerInitialize)* ProfilerInitialize = nullptr;
  decltype(cuptiProfilerGetCounterAvailability)* ProfilerGetCounterAvailability = nullptr;
  decltype(cuptiProfilerHostInitialize)* ProfilerHostInitialize = nullptr;
  decltype(cuptiProfilerHostDeinitialize)* ProfilerHostDeinitialize = nullptr;
  decltype(cuptiProfilerHostConfigAddMetrics)* ProfilerHostConfigAddMetrics = nullptr;
  decltype(cuptiProfilerHostGetConfigImageSize)* ProfilerHostGetConfigImageSize = nullptr;
  decltype(cuptiProfilerHostGetConfigImage)* ProfilerHostGetConfigImage = nullptr;
  decltype(cuptiProfilerHostGetNumOfPasses)* ProfilerHostGetNumOfPasses = nullptr;
  decltype(cuptiProfilerHostEvaluateToGpuValues)* ProfilerHostEvaluateToGpuValues = nullptr;

  decltype(cuptiRangeProfilerEnable)* RangeProfilerEnable = nullptr;
  decltype(cuptiRangeProfilerDisable)* RangeProfilerDisable = nullptr;
  decltype(cuptiRangeProfilerSetConfig)* RangeProfilerSetConfig = nullptr;
  decltype(cuptiRangeProfilerStart)* RangeProfilerStart = nullptr;
  decltype(cuptiRangeProfilerStop)* RangeProfilerStop = nullptr;
  decltype(cuptiRangeProfilerPushRange)* RangeProfilerPushRange = nullptr;
  decltype(cuptiRangeProfilerPopRange)* RangeProfilerPopRange = nullptr;
  decltype(cuptiRangeProfilerDecodeData)* RangeProfilerDecodeData = nullptr;
  decltype(cuptiRangeProfilerGetCounterDataSize)* RangeProfilerGetCounterDataSize = nullptr;
  decltype(cuptiRangeProfilerCounterDataImageInitialize)* RangeProfilerCounterDataImageInitialize = nullptr;
  decltype(cuptiRangeProfilerGetCounterDataInfo)* RangeProfilerGetCounterDataInfo = nullptr;
};

}  // namespace aisp::cuda

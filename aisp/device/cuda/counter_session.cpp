// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/counter_session.h"

#include <utility>

#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/driver_functions.h"

namespace aisp::cuda {
namespace {

/// CUPTI's parameter blocks begin with their size; the rest is zero.
template <class Parameters>
Parameters sized(std::size_t bytes) {
  Parameters parameters{};
  parameters.structSize = bytes;
  return parameters;
}
#define AISP_CUPTI_PARAMETERS(type) sized<type>(type##_STRUCT_SIZE)

void wait_for_device() { check(cudaDeviceSynchronize(), "waiting for the device between passes"); }

}  // namespace

CounterSession::CounterSession(std::vector<const char*> metrics) : metrics_(std::move(metrics)) {
  try {
    context_ = current_context();
    choose_chip();
    schedule();
    auto enable = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Enable_Params);
    enable.ctx = context_;
    cupti_.check(cupti_.RangeProfilerEnable(&enable), "opening the device's counters");
    profiler_ = enable.pRangeProfilerObject;
    make_room();
  } catch (...) {
    close();
    throw;
  }
}

CounterSession::~CounterSession() { close(); }

void CounterSession::close() noexcept {
  if (profiler_ != nullptr) {
    auto disable = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Disable_Params);
    disable.pRangeProfilerObject = profiler_;
    static_cast<void>(cupti_.RangeProfilerDisable(&disable));
  }
  if (host_ != nullptr) {
    auto end = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_Deinitialize_Params);
    end.pHostObject = host_;
    static_cast<void>(cupti_.ProfilerHostDeinitialize(&end));
  }
}

void CounterSession::choose_chip() {
  auto begin = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Initialize_Params);
  cupti_.check(cupti_.ProfilerInitialize(&begin), "starting the profiler");
  int device = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  auto chip = AISP_CUPTI_PARAMETERS(CUpti_Device_GetChipName_Params);
  chip.deviceIndex = static_cast<std::size_t>(device);
  cupti_.check(cupti_.DeviceGetChipName(&chip), "asking for the device's chip");

  auto available = AISP_CUPTI_PARAMETERS(CUpti_Profiler_GetCounterAvailability_Params);
  available.ctx = context_;
  cupti_.check(cupti_.ProfilerGetCounterAvailability(&available), "asking which counters there are");
  available_.resize(available.counterAvailabilityImageSize);
  available.pCounterAvailabilityImage = available_.data();
  cupti_.check(cupti_.ProfilerGetCounterAvailability(&available), "asking which counters there are");

  auto host = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_Initialize_Params);
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip.pChipName;
  host.pCounterAvailabilityImage = available_.data();
  cupti_.check(cupti_.ProfilerHostInitialize(&host), "learning the chip's metrics");
  host_ = host.pHostObject;
}

void CounterSession::schedule() {
  auto add = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
  add.pHostObject = host_;
  add.ppMetricNames = metrics_.data();
  add.numMetrics = metrics_.size();
  cupti_.check(cupti_.ProfilerHostConfigAddMetrics(&add), "choosing metrics");

  auto size = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImageSize_Params);
  size.pHostObject = host_;
  cupti_.check(cupti_.ProfilerHostGetConfigImageSize(&size), "asking for the schedule's size");
  schedule_.resize(size.configImageSize);
  auto image = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetConfigImage_Params);
  image.pHostObject = host_;
  image.pConfigImage = schedule_.data();
  image.configImageSize = schedule_.size();
  cupti_.check(cupti_.ProfilerHostGetConfigImage(&image), "making the schedule of passes");

  auto passes = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_GetNumOfPasses_Params);
  passes.pConfigImage = schedule_.data();
  passes.configImageSize = schedule_.size();
  cupti_.check(cupti_.ProfilerHostGetNumOfPasses(&passes), "counting passes");
  passes_ = passes.numOfPasses;
}

void CounterSession::make_room() {
  auto size = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_GetCounterDataSize_Params);
  size.pRangeProfilerObject = profiler_;
  size.pMetricNames = metrics_.data();
  size.numMetrics = metrics_.size();
  size.maxNumOfRanges = 1;
  size.maxNumRangeTreeNodes = 1;
  cupti_.check(cupti_.RangeProfilerGetCounterDataSize(&size), "asking for the counters' size");
  data_.resize(size.counterDataSize);
}

/// One range, opened and closed by hand, in passes that are made by hand.
void CounterSession::configure() {
  auto blank = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
  blank.pRangeProfilerObject = profiler_;
  blank.pCounterData = data_.data();
  blank.counterDataSize = data_.size();
  cupti_.check(cupti_.RangeProfilerCounterDataImageInitialize(&blank), "clearing the counters");

  auto set = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_SetConfig_Params);
  set.pRangeProfilerObject = profiler_;
  set.pConfig = schedule_.data();
  set.configSize = schedule_.size();
  set.pCounterDataImage = data_.data();
  set.counterDataImageSize = data_.size();
  set.range = CUPTI_UserRange;
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = 1;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  set.targetNestingLevel = 1;
  cupti_.check(cupti_.RangeProfilerSetConfig(&set), "setting the counters up");
}

int CounterSession::collect(const std::function<void()>& call, const std::function<void()>& before_pass) {
  configure();
  int made = 0;
  for (bool last = false; !last; ++made) {
    // More than were announced would go on for ever.
    if (static_cast<std::size_t>(made) > passes_) throw CudaError(cudaErrorUnknown, "the passes do not end");
    last = pass(call, before_pass);
  }
  auto decode = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_DecodeData_Params);
  decode.pRangeProfilerObject = profiler_;
  cupti_.check(cupti_.RangeProfilerDecodeData(&decode), "reading the counters");
  return made;
}

bool CounterSession::pass(const std::function<void()>& call, const std::function<void()>& before_pass) {
  auto start = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Start_Params);
  start.pRangeProfilerObject = profiler_;
  cupti_.check(cupti_.RangeProfilerStart(&start), "starting a pass");
  // After the start, so that what the start itself touches has left the cache again.
  if (before_pass) before_pass();
  wait_for_device();

  auto push = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_PushRange_Params);
  push.pRangeProfilerObject = profiler_;
  push.pRangeName = "call";
  cupti_.check(cupti_.RangeProfilerPushRange(&push), "opening the counted range");
  call();
  wait_for_device();
  auto pop = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_PopRange_Params);
  pop.pRangeProfilerObject = profiler_;
  cupti_.check(cupti_.RangeProfilerPopRange(&pop), "closing the counted range");

  auto stop = AISP_CUPTI_PARAMETERS(CUpti_RangeProfiler_Stop_Params);
  stop.pRangeProfilerObject = profiler_;
  cupti_.check(cupti_.RangeProfilerStop(&stop), "ending a pass");
  return stop.isAllPassSubmitted != 0;
}

std::vector<double> CounterSession::values() {
  std::vector<double> values(metrics_.size());
  auto evaluate = AISP_CUPTI_PARAMETERS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
  evaluate.pHostObject = host_;
  evaluate.pCounterDataImage = data_.data();
  evaluate.counterDataImageSize = data_.size();
  evaluate.rangeIndex = 0;
  evaluate.ppMetricNames = metrics_.data();
  evaluate.numMetrics = metrics_.size();
  evaluate.pMetricValues = values.data();
  cupti_.check(cupti_.ProfilerHostEvaluateToGpuValues(&evaluate), "evaluating the counters");
  return values;
}

}  // namespace aisp::cuda

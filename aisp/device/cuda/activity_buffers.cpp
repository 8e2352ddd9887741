// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/activity_buffers.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "aisp/device/cuda/activity_records.h"

namespace aisp::cuda {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;  // some 5,000 kernels
constexpr std::size_t kAlignment = 8;                 // as CUPTI asks

}  // namespace

ActivityBuffers& ActivityBuffers::instance() {
  // Never destroyed: CUPTI may hand over until the process has ended.
  static ActivityBuffers* const buffers = new ActivityBuffers;
  return *buffers;
}

void ActivityBuffers::offer() {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  cupti.check(cupti.ActivityRegisterCallbacks(&request, &complete), "offering buffers for records");
}

void ActivityBuffers::flush() {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  cupti.check(cupti.ActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "collecting records");
  std::size_t dropped = 0;
  cupti.check(cupti.ActivityGetNumDroppedRecords(nullptr, 0, &dropped), "counting lost records");
  const std::scoped_lock lock(guard_);
  taken_.lost += dropped;
}

ActivityBuffers::Taken ActivityBuffers::take() {
  const std::scoped_lock lock(guard_);
  return std::exchange(taken_, {});
}

void ActivityBuffers::request(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) noexcept {
  // Without memory CUPTI gets no buffer, drops records and counts them.
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBytes));
  *size = *buffer != nullptr ? kBytes : 0;
  *most_records = 0;  // as many as fit
}

void ActivityBuffers::complete(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                               std::size_t valid) noexcept {
  if (buffer != nullptr && valid > 0) instance().translate(buffer, valid);
  std::free(buffer);
}

void ActivityBuffers::translate(std::uint8_t* buffer, std::size_t valid) {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  const std::scoped_lock lock(guard_);
  CUpti_Activity* record = nullptr;
  while (cupti.ActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
    try {
      if (auto activity = activity_of(*record)) taken_.activities.push_back(*std::move(activity));
    } catch (const std::bad_alloc&) {
      ++taken_.lost;
    }
  }
}

}  // namespace aisp::cuda

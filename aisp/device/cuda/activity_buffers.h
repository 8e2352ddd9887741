// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where CUPTI puts its records, and where they are translated. One per process: CUPTI's callbacks carry
/// nothing that would tell two of them apart.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "aisp/device/cuda/cupti_library.h"
#include "aisp/device/gpu/activity.h"

namespace aisp::cuda {

class ActivityBuffers {
 public:
  static ActivityBuffers& instance();

  /// Offers CUPTI these buffers. Throws GpuError.
  void offer();
  /// Has CUPTI hand over what it has, finished or not.
  void flush();

  struct Taken {
    std::vector<device::Activity> activities;
    std::uint64_t lost = 0;  ///< records that found no room
  };
  /// All records since the last time.
  Taken take();

 private:
  static void CUPTIAPI request(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) noexcept;
  static void CUPTIAPI complete(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                std::size_t size, std::size_t valid) noexcept;
  void translate(std::uint8_t* buffer, std::size_t valid);

  std::mutex guard_;  ///< CUPTI hands over from threads of its own
  Taken taken_;
};

}  // namespace aisp::cuda

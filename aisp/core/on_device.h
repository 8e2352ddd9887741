// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a workload must offer to be measured on a device with memory of its own, beside its variants: its
/// reference there, in double, and draws that the harness cannot make from numbers alone. Both are trusted
/// code; tests hold them to the host's at small sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "aisp/core/params.h"
#include "aisp/core/tensor.h"

namespace aisp {

/// One output of the reference, in the device's memory.
struct DeviceWide {
  double* value = nullptr;
  double* scale =
      nullptr;  ///< magnitude of what was summed for each element; comes as zeros, which mean |value|
  std::int64_t size = 0;
};

struct DeviceReferenceCall {
  const Params& params;
  std::span<const TensorView> inputs;
  std::span<const DeviceWide> outputs;
  void* stream = nullptr;  ///< where the work is queued: `static_cast<cudaStream_t>(call.stream)`

  template <class T>
  View<const T> input(std::size_t i) const {
    return inputs[i].as<const T>();
  }
};
using DeviceReference = std::function<void(const DeviceReferenceCall&)>;

/// Fills a tensor; element i must follow from `seed` and i, and nothing else.
struct DeviceDrawCall {
  const Params& params;
  const TensorView& tensor;
  std::uint64_t seed = 0;
  void* stream = nullptr;
};
using DeviceDraw = std::function<void(const DeviceDrawCall&)>;
/// By the name of the distribution that the problem declares with drawn_by().
using DeviceDraws = std::map<std::string, DeviceDraw>;

}  // namespace aisp

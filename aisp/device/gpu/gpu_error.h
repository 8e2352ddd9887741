// SPDX-License-Identifier: Apache-2.0
/// \file
/// What can go wrong on a GPU, in the terms the harness acts on.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace aisp::device {

enum class GpuFault : std::uint8_t {
  out_of_memory,  ///< this allocation; the device works on
  sticky,         ///< a kernel faulted: nothing works in this process any more, a new one does
  unsupported,    ///< no device, no driver, or code that this device cannot run
  lost,           ///< the device is gone
  other,
};

class GpuError : public std::runtime_error {
 public:
  GpuError(GpuFault fault, const std::string& what) : std::runtime_error(what), fault_(fault) {}
  GpuFault fault() const { return fault_; }

 private:
  GpuFault fault_;
};

}  // namespace aisp::device

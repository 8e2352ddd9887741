// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a variant's kernels need of the device, for Variant::unavailable. A build may have code for several
/// devices; kernels of instructions that not all of them have are empty in the code for the others:
///
///   __global__ void multiply(...) {
///   #ifdef __CUDA_ARCH_FEAT_SM90_ALL    // or: #if __CUDA_ARCH__ >= 900
///     ...
///   #endif
///   }
///   {.name = "wgmma", .run = multiply_all, .unavailable = gpu::needs_sm_90a}
#pragma once

#include <optional>
#include <string>

#include "aisp/core/params.h"

namespace aisp::gpu {

/// What the current device is, and which of the build's code it runs.
struct RunningCode {
  int device = 0;    ///< 90 for sm_90
  int compiled = 0;  ///< what that code was compiled for; less than the device where its driver compiled PTX
  bool sm_90a = false;   ///< it may use the instructions that sm_90 has, and neither older nor newer devices
  bool sm_100a = false;  ///< likewise those that sm_100 and sm_103 have
};

namespace detail {
inline std::string sm(int number) { return "sm_" + std::to_string(number); }
}  // namespace detail

/// Of the copy engine and of clusters.
inline std::optional<std::string> lacks_sm_90(const RunningCode& code) {
  if (code.compiled >= 90) return std::nullopt;
  if (code.device < 90) return "needs sm_90 or newer, this device is " + detail::sm(code.device);
  return "needs code for sm_90 or newer, and what this build has for " + detail::sm(code.device) + " is of " +
         detail::sm(code.compiled);
}

/// Of wgmma, and of registers that warps hand to each other.
inline std::optional<std::string> lacks_sm_90a(const RunningCode& code) {
  if (code.sm_90a) return std::nullopt;
  if (code.device != 90) return "needs sm_90a, this device is " + detail::sm(code.device);
  return "needs code for sm_90a, which this build does not have or was told not to use";
}

/// Of tcgen05 and tensor memory. sm_103 has what sm_100 has, and needs code of its own for it.
inline std::optional<std::string> lacks_sm_100a(const RunningCode& code) {
  if (code.sm_100a) return std::nullopt;
  if (code.device != 100 && code.device != 103)
    return "needs sm_100a or sm_103a, this device is " + detail::sm(code.device);
  return "needs code for " + detail::sm(code.device) +
         "a, which this build does not have or was told not to use";
}

/// Of the current device. Throws std::runtime_error where there is none.
RunningCode running_code();

inline std::optional<std::string> needs_sm_90(const Params& /*size*/) { return lacks_sm_90(running_code()); }
inline std::optional<std::string> needs_sm_90a(const Params& /*size*/) {
  return lacks_sm_90a(running_code());
}
inline std::optional<std::string> needs_sm_100a(const Params& /*size*/) {
  return lacks_sm_100a(running_code());
}

/// The first of several reasons that there is.
template <class... Conditions>
auto first_reason(Conditions... conditions) {
  return [=](const Params& size) {
    std::optional<std::string> reason;
    static_cast<void>(((reason = conditions(size)).has_value() || ...));
    return reason;
  };
}

}  // namespace aisp::gpu

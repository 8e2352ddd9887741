// SPDX-License-Identifier: Apache-2.0
#include "workloads/hopper/needs.h"

#include <string_view>

#include "workloads/cuda_launch.cuh"

namespace aisp::gpu {
namespace {

// Compiled for the same devices as every other kernel.
__global__ void any_kernel() {}

}  // namespace

RunningCode running_code() {
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "asking what it can compute");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        "asking what it can compute");
  cudaFuncAttributes chosen{};
  check(cudaFuncGetAttributes(&chosen, any_kernel), "asking which code the device runs");
  // A build has code for sm_90 or for sm_90a, not both, so its name tells which one this is.
  constexpr auto has = [](std::string_view target) {
    return std::string_view(AISP_CUDA_TARGETS).find(target) != std::string_view::npos;
  };
  return {.device = 10 * major + minor,
          .compiled = chosen.ptxVersion,
          .sm_90a = has("90a") && chosen.ptxVersion == 90,
          .sm_100a = (has("100a") && chosen.ptxVersion == 100) || (has("103a") && chosen.ptxVersion == 103)};
}

}  // namespace aisp::gpu

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/device_code.h"

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {
namespace {

// Compiled for the same targets as every other kernel.
__global__ void any_kernel() {}

}  // namespace

std::optional<std::string> missing_code() {
  cudaFuncAttributes unused{};
  const cudaError_t found = cudaFuncGetAttributes(&unused, any_kernel);
  if (found != cudaErrorNoKernelImageForDevice && found != cudaErrorInvalidDeviceFunction &&
      found != cudaErrorUnsupportedPtxVersion) {
    check(found, "looking for code that the device can run");
    return std::nullopt;
  }
  static_cast<void>(cudaGetLastError());
  int device = 0, major = 0, minor = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device),
        "asking what it can compute");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device),
        "asking what it can compute");
  return "this build has no code for sm_" + std::to_string(major) + std::to_string(minor) + ", only for " +
         AISP_CUDA_TARGETS;
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Errors of the CUDA runtime as exceptions, inside the backend only: they are caught once, at its edge.
///
///   check(cudaMalloc(&memory, bytes), "allocating the flush buffer");
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "aisp/device/gpu/gpu_error.h"

namespace aisp::cuda {

static_assert(__cplusplus >= 202002L, "compile with -std=c++20: CMake may have dropped it");

/// What the harness makes of it.
inline device::GpuFault fault_of(cudaError_t code) {
  switch (code) {
    case cudaErrorMemoryAllocation:
      return device::GpuFault::out_of_memory;
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorIllegalInstruction:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
      return device::GpuFault::sticky;
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorSystemDriverMismatch:
    case cudaErrorCompatNotSupportedOnDevice:
      return device::GpuFault::unsupported;
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContained:
    case cudaErrorDevicesUnavailable:
      return device::GpuFault::lost;
    default:
      return device::GpuFault::other;
  }
}

class CudaError : public device::GpuError {
 public:
  CudaError(cudaError_t code, const std::string& doing)
      : GpuError(fault_of(code), doing + ": " + cudaGetErrorName(code) + ", " + cudaGetErrorString(code)),
        code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

/// `doing` says what was attempted, for whoever reads the error.
inline void check(cudaError_t code, const char* doing) {
  if (code != cudaSuccess) throw CudaError(code, doing);
}

/// A kernel launch reports bad arguments here, and nothing else: faults come with the next synchronisation.
inline void check_launch(const char* doing) { check(cudaGetLastError(), doing); }

}  // namespace aisp::cuda

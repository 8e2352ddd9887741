// SPDX-License-Identifier: Apache-2.0
/// \file
/// Errors of the CUDA runtime as exceptions, inside the backend only: they are caught once, at its edge.
///
///   check(cudaMalloc(&memory, bytes), "allocating the flush buffer");
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace aisp::cuda {

static_assert(__cplusplus >= 202002L, "compile with -std=c++20: CMake may have dropped it");

class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& doing)
      : std::runtime_error(doing + ": " + cudaGetErrorName(code) + ", " + cudaGetErrorString(code)),
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

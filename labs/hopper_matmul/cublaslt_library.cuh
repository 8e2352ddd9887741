// SPDX-License-Identifier: Apache-2.0
/// \file
/// The functions of cuBLASLt that the anchor uses: looked up at run time, since not every machine has it.
#pragma once

#include <cublasLt.h>

#include <stdexcept>
#include <string>

namespace aisp::hopper_matmul {

struct LibraryFunctions {
  decltype(&cublasLtGetStatusString) status_string;
  decltype(&cublasLtCreate) create;
  decltype(&cublasLtDestroy) destroy;
  decltype(&cublasLtMatmulDescCreate) product_create;
  decltype(&cublasLtMatmulDescDestroy) product_destroy;
  decltype(&cublasLtMatmulDescSetAttribute) product_set;
  decltype(&cublasLtMatrixLayoutCreate) layout_create;
  decltype(&cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&cublasLtMatmulPreferenceSetAttribute) preference_set;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&cublasLtMatmulAlgoConfigGetAttribute) algorithm_get;
  decltype(&cublasLtMatmul) multiply;

  void check(cublasStatus_t status, const char* doing) const {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(std::string(doing) + ": " + status_string(status));
  }
};

/// Loaded once and never unloaded: the driver knows its kernels until the process ends. Throws where it is
/// not found.
const LibraryFunctions& cublaslt();

}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
/// \file
/// cuBLASLt, found at run time: it is large, and not every machine with a driver has it.
///
///   CublasLt library;                              // throws where it is not found, and says where it looked
///   SquareProduct product(library, MathType::bf16, 8192, workspace_bytes);
///   for (const auto& algorithm : product.algorithms()) product.run(algorithm, a, b, d, workspace, stream);
#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "aisp/device/cuda/peak_math_type.h"

namespace aisp::cuda {

/// The functions that are used, by the names they have in the library.
struct CublasLtFunctions {
  decltype(&::cublasLtGetVersion) cublasLtGetVersion;
  decltype(&::cublasLtGetStatusString) cublasLtGetStatusString;
  decltype(&::cublasLtCreate) cublasLtCreate;
  decltype(&::cublasLtDestroy) cublasLtDestroy;
  decltype(&::cublasLtMatmulDescCreate) cublasLtMatmulDescCreate;
  decltype(&::cublasLtMatmulDescDestroy) cublasLtMatmulDescDestroy;
  decltype(&::cublasLtMatmulDescSetAttribute) cublasLtMatmulDescSetAttribute;
  decltype(&::cublasLtMatrixLayoutCreate) cublasLtMatrixLayoutCreate;
  decltype(&::cublasLtMatrixLayoutDestroy) cublasLtMatrixLayoutDestroy;
  decltype(&::cublasLtMatmulPreferenceCreate) cublasLtMatmulPreferenceCreate;
  decltype(&::cublasLtMatmulPreferenceDestroy) cublasLtMatmulPreferenceDestroy;
  decltype(&::cublasLtMatmulPreferenceSetAttribute) cublasLtMatmulPreferenceSetAttribute;
  decltype(&::cublasLtMatmulAlgoGetHeuristic) cublasLtMatmulAlgoGetHeuristic;
  decltype(&::cublasLtMatmulAlgoConfigGetAttribute) cublasLtMatmulAlgoConfigGetAttribute;
  decltype(&::cublasLtMatmul) cublasLtMatmul;
};

class CublasLt {
 public:
  CublasLt();
  ~CublasLt();
  CublasLt(const CublasLt&) = delete;
  CublasLt& operator=(const CublasLt&) = delete;

  const CublasLtFunctions* operator->() const { return &functions_; }
  cublasLtHandle_t handle() const { return handle_; }
  std::string version() const;
  /// Throws what was attempted and what the library said.
  void check(cublasStatus_t status, const char* doing) const;

 private:
  void* library_ = nullptr;
  CublasLtFunctions functions_{};
  cublasLtHandle_t handle_ = nullptr;
};

/// What the library made, with the library's function that takes it back.
template <class T>
using LibraryObject = std::unique_ptr<T, cublasStatus_t (*)(T*)>;

/// D = op(A) B of square matrices, column by column. Inputs are of the type; D is f32 for tf32, bf16 for f8,
/// 32-bit integers for i8.
class SquareProduct {
 public:
  SquareProduct(const CublasLt& library, MathType type, std::size_t side, bool transpose_a,
                std::size_t workspace_bytes);

  /// Those the library proposes, best guess first; empty where it has none for the type on this device.
  std::vector<cublasLtMatmulAlgo_t> algorithms(int most) const;
  /// "algorithm 66, tile 20, stages 35": the library's own numbers, by which it can be found again.
  std::string name(const cublasLtMatmulAlgo_t& algorithm) const;
  void run(const cublasLtMatmulAlgo_t& algorithm, const void* a, const void* b, void* d, void* workspace,
           cudaStream_t stream) const;

 private:
  const CublasLt& library_;
  cudaDataType scale_type_;
  std::size_t workspace_bytes_;
  LibraryObject<cublasLtMatmulDescOpaque_t> product_;
  LibraryObject<cublasLtMatrixLayoutOpaque_t> input_, output_;
};

/// Bytes of an element of D.
std::size_t output_size(MathType type);

}  // namespace aisp::cuda

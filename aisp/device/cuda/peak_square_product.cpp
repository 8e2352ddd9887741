// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak_cublaslt.h"

#include <cstdint>
#include <stdexcept>

namespace aisp::cuda {
namespace {

/// How the library is asked for a product of a type.
struct Recipe {
  cudaDataType input, output, scale;
  cublasComputeType_t compute;
};

Recipe recipe(MathType type) {
  switch (type) {
    case MathType::f64:
      return {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case MathType::f32:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case MathType::tf32:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
    case MathType::f16:
      return {CUDA_R_16F, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case MathType::bf16:
      return {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case MathType::f8e4m3:
      return {CUDA_R_8F_E4M3, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case MathType::i8:
      return {CUDA_R_8I, CUDA_R_32I, CUDA_R_32I, CUBLAS_COMPUTE_32I};
  }
  throw std::runtime_error("asking cuBLASLt for a product of no known type");
}

/// One and zero in the type of the scale.
struct Scales {
  double f64[2] = {1, 0};
  float f32[2] = {1, 0};
  int i32[2] = {1, 0};

  const void* get(cudaDataType type, int which) const {
    if (type == CUDA_R_64F) return &f64[which];
    return type == CUDA_R_32I ? static_cast<const void*>(&i32[which]) : &f32[which];
  }
};

LibraryObject<cublasLtMatrixLayoutOpaque_t> layout(const CublasLt& library, cudaDataType type,
                                                   std::size_t side) {
  cublasLtMatrixLayout_t made = nullptr;
  library.check(library->cublasLtMatrixLayoutCreate(&made, type, side, side, static_cast<std::int64_t>(side)),
                "describing a matrix to cuBLASLt");
  return {made, library->cublasLtMatrixLayoutDestroy};
}

}  // namespace

std::size_t output_size(MathType type) {
  const cudaDataType output = recipe(type).output;
  if (output == CUDA_R_64F) return 8;
  return output == CUDA_R_32F || output == CUDA_R_32I ? 4 : 2;
}

SquareProduct::SquareProduct(const CublasLt& library, MathType type, std::size_t side, bool transpose_a,
                             std::size_t workspace_bytes)
    : library_(library),
      scale_type_(recipe(type).scale),
      workspace_bytes_(workspace_bytes),
      product_(nullptr, library->cublasLtMatmulDescDestroy),
      input_(layout(library, recipe(type).input, side)),
      output_(layout(library, recipe(type).output, side)) {
  cublasLtMatmulDesc_t product = nullptr;
  library_.check(library_->cublasLtMatmulDescCreate(&product, recipe(type).compute, scale_type_),
                 "describing a product to cuBLASLt");
  product_.reset(product);
  const cublasOperation_t operation = transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
  library_.check(library_->cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &operation,
                                                          sizeof operation),
                 "asking cuBLASLt for a transposed input");
  if (type == MathType::f8e4m3) {
    // Without it sums of f8 products are moved to full registers every few steps, at a lower rate.
    const std::int8_t fast = 1;
    library_.check(library_->cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_FAST_ACCUM, &fast,
                                                            sizeof fast),
                   "asking cuBLASLt for fast sums");
  }
}

std::vector<cublasLtMatmulAlgo_t> SquareProduct::algorithms(int most) const {
  cublasLtMatmulPreference_t preference = nullptr;
  library_.check(library_->cublasLtMatmulPreferenceCreate(&preference), "describing a wish to cuBLASLt");
  std::vector<cublasLtMatmulHeuristicResult_t> found(static_cast<std::size_t>(most));
  int count = 0;
  cublasStatus_t status = library_->cublasLtMatmulPreferenceSetAttribute(
      preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes_, sizeof workspace_bytes_);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = library_->cublasLtMatmulAlgoGetHeuristic(library_.handle(), product_.get(), input_.get(),
                                                      input_.get(), output_.get(), output_.get(), preference,
                                                      most, found.data(), &count);
  static_cast<void>(library_->cublasLtMatmulPreferenceDestroy(preference));
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};
  library_.check(status, "asking cuBLASLt for algorithms");
  std::vector<cublasLtMatmulAlgo_t> algorithms;
  for (int i = 0; i < count; ++i) {
    const auto& result = found[static_cast<std::size_t>(i)];
    if (result.state == CUBLAS_STATUS_SUCCESS) algorithms.push_back(result.algo);
  }
  return algorithms;
}

std::string SquareProduct::name(const cublasLtMatmulAlgo_t& algorithm) const {
  const auto number = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
    int value = -1;
    std::size_t written = 0;
    static_cast<void>(library_->cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value,
                                                                     sizeof value, &written));
    return std::to_string(value);
  };
  return "algorithm " + number(CUBLASLT_ALGO_CONFIG_ID) + ", tile " + number(CUBLASLT_ALGO_CONFIG_TILE_ID) +
         ", stages " + number(CUBLASLT_ALGO_CONFIG_STAGES_ID);
}

void SquareProduct::run(const cublasLtMatmulAlgo_t& algorithm, const void* a, const void* b, void* d,
                        void* workspace, cudaStream_t stream) const {
  static constexpr Scales scales;
  library_.check(
      library_->cublasLtMatmul(library_.handle(), product_.get(), scales.get(scale_type_, 0), a, input_.get(),
                               b, input_.get(), scales.get(scale_type_, 1), d, output_.get(), d,
                               output_.get(), &algorithm, workspace, workspace_bytes_, stream),
      "multiplying by cuBLASLt");
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The anchor of products in single precision: cuBLASLt, held to single precision throughout ("pedantic"),
/// with the fastest of the algorithms it proposes.
///
///   const LibrarySgemm library(n);       // loads, asks for algorithms and times them: not for timed code
///   library.run(a, b, c, stream);        // C = A B, or A B^T, row-major
#pragma once

#include <cublasLt.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "aisp/core/params.h"
#include "labs/hopper_matmul/cublaslt_library.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {
std::optional<std::string> cublaslt_missing();
}

namespace aisp::sgemm {

/// Between -1 and 1: zeros draw less power than data does, and another algorithm might win.
static __global__ void fill_for_search(float* values, std::int64_t count) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    auto x = static_cast<unsigned>(i) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    values[i] = static_cast<float>((x ^ x >> 13) >> 8) * 0x1p-23f - 1;
  }
}

class LibrarySgemm {
 public:
  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

  explicit LibrarySgemm(std::int64_t n, bool turned_b = false)
      : library_(hopper_matmul::cublaslt()), workspace_(gpu::memory_for<std::byte>(kWorkspaceBytes)) {
    library_.check(library_.create(&handle_), "starting cuBLASLt");
    library_.check(library_.product_create(&product_, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F),
                   "describing a product");
    const cublasOperation_t operation = turned_b ? CUBLAS_OP_T : CUBLAS_OP_N;
    library_.check(library_.product_set(product_, CUBLASLT_MATMUL_DESC_TRANSA, &operation, sizeof operation),
                   "telling cuBLASLt how B lies");
    library_.check(library_.layout_create(&square_, CUDA_R_32F, static_cast<std::uint64_t>(n),
                                          static_cast<std::uint64_t>(n), n),
                   "describing a matrix to cuBLASLt");
    search(n);
  }
  ~LibrarySgemm() {
    static_cast<void>(library_.layout_destroy(square_));
    static_cast<void>(library_.product_destroy(product_));
    static_cast<void>(library_.destroy(handle_));
  }
  LibrarySgemm(const LibrarySgemm&) = delete;
  LibrarySgemm& operator=(const LibrarySgemm&) = delete;

  void run(const float* a, const float* b, float* c, cudaStream_t stream) const {
    library_.check(run(algorithm_, a, b, c, stream), "multiplying by cuBLASLt");
  }

 private:
  /// The library counts down columns: to it our matrices are transposed, and C^T is B^T A^T.
  cublasStatus_t run(const cublasLtMatmulAlgo_t& algorithm, const float* a, const float* b, float* c,
                     cudaStream_t stream) const {
    const float one = 1, zero = 0;
    return library_.multiply(handle_, product_, &one, b, square_, a, square_, &zero, c, square_, c, square_,
                             &algorithm, workspace_.get(), kWorkspaceBytes, stream);
  }

  /// Each candidate once to load it, then in turns; the least time counts.
  void search(std::int64_t n) {
    std::array<cublasLtMatmulHeuristicResult_t, 24> found;  // nvcc 13.0 crashes on a vector of this type
    cublasLtMatmulPreference_t wish = nullptr;
    library_.check(library_.preference_create(&wish), "describing a wish to cuBLASLt");
    int count = 0;
    cublasStatus_t status = library_.preference_set(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                    &kWorkspaceBytes, sizeof kWorkspaceBytes);
    if (status == CUBLAS_STATUS_SUCCESS)
      status = library_.heuristic(handle_, product_, square_, square_, square_, square_, wish,
                                  static_cast<int>(found.size()), found.data(), &count);
    static_cast<void>(library_.preference_destroy(wish));
    library_.check(status, "asking cuBLASLt for algorithms");

    const auto size = static_cast<std::size_t>(n * n);
    const auto memory = gpu::memory_for<float>(3 * size);
    float *a = memory.get(), *b = a + size, *c = b + size;
    fill_for_search<<<1024, 256>>>(a, static_cast<std::int64_t>(2 * size));
    gpu::check_launch("drawing values to search with");
    cudaEvent_t begin = nullptr, end = nullptr;
    gpu::check(cudaEventCreate(&begin), "making an event");
    gpu::check(cudaEventCreate(&end), "making an event");
    std::array<float, 24> least;
    least.fill(std::numeric_limits<float>::infinity());
    constexpr int kTurns = 4;
    for (int turn = 0; turn <= kTurns; ++turn) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        gpu::check(cudaEventRecord(begin), "timing an algorithm");
        if (found[i].state != CUBLAS_STATUS_SUCCESS ||
            run(found[i].algo, a, b, c, nullptr) != CUBLAS_STATUS_SUCCESS)
          continue;
        gpu::check(cudaEventRecord(end), "timing an algorithm");
        gpu::check(cudaEventSynchronize(end), "timing an algorithm");
        float time = 0;
        gpu::check(cudaEventElapsedTime(&time, begin, end), "timing an algorithm");
        if (turn > 0 && time < least[i]) least[i] = time;
      }
    }
    static_cast<void>(cudaEventDestroy(begin));
    static_cast<void>(cudaEventDestroy(end));
    std::size_t best = 0;
    for (std::size_t i = 1; i < least.size(); ++i) best = least[i] < least[best] ? i : best;
    if (!(least[best] < std::numeric_limits<float>::infinity()))
      throw std::runtime_error("cuBLASLt proposes no algorithm for this size");
    algorithm_ = found[best].algo;
  }

  const hopper_matmul::LibraryFunctions& library_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t square_ = nullptr;
  gpu::Memory<std::byte> workspace_;
  cublasLtMatmulAlgo_t algorithm_{};
};

inline std::optional<std::string> no_cublaslt(const Params& /*size*/) {
  return hopper_matmul::cublaslt_missing();
}

}  // namespace aisp::sgemm

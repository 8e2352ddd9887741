// SPDX-License-Identifier: Apache-2.0
/// \file
/// The anchor: cuBLASLt, found at run time, with the algorithm that was fastest of all it proposes.
///
///   const LibraryProduct library(m, n, k);     // loads, asks for algorithms and times them: not for timed
///   code library.run(product, stream);
#pragma once

#include <cublasLt.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

/// Why it cannot be used here, or nothing.
std::optional<std::string> cublaslt_missing();

struct LibraryFunctions;  // cublaslt.cu

class LibraryProduct {
 public:
  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;

  LibraryProduct(int m, int n, int k);
  ~LibraryProduct();
  LibraryProduct(const LibraryProduct&) = delete;
  LibraryProduct& operator=(const LibraryProduct&) = delete;

  void run(const Product& product, cudaStream_t stream) const { run(algorithm_, product, stream); }
  /// "algorithm 66, tile 20, stages 35, best of 24": the library's own numbers.
  std::string name() const;

 private:
  /// Those the library proposes, best guess first. An array: nvcc 13.0 crashes on a vector of this type.
  struct Candidates {
    std::array<cublasLtMatmulHeuristicResult_t, 24> each;
    std::size_t count = 0;
  };
  Candidates candidates() const;
  void run(const cublasLtMatmulAlgo_t& algorithm, const Product& product, cudaStream_t stream) const;
  void search(int m, int n, int k);

  const LibraryFunctions& library_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
  gpu::Memory<std::byte> workspace_;
  cublasLtMatmulAlgo_t algorithm_{};
  std::size_t tried_ = 0;
};

}  // namespace aisp::hopper_matmul

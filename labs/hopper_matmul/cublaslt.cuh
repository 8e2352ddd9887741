// SPDX-License-Identifier: Apache-2.0
/// \file
/// The anchor: cuBLASLt, found at run time, with the algorithm that was fastest of all it proposes.
///
///   LibraryProduct library(LibraryType::bf16, m, n, k);   // loads, asks for algorithms and times them
///   library.run(operands_of(product), stream);            // the first call with these addresses records it
///
/// Its own code on the host takes several times as long as a launch, and more than a small product takes the
/// device. That is done once for each set of addresses, by recording what it launches; every other call
/// launches the same again. The kernels and their arguments are the library's own.
#pragma once

#include <cublasLt.h>

#include <array>
#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "labs/hopper_matmul/product.cuh"
#include "labs/hopper_matmul/recorded.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

/// Why it cannot be used here, or nothing.
std::optional<std::string> cublaslt_missing();

struct LibraryFunctions;  // cublaslt_library.cuh

/// bf16: inputs and output. tf32: single precision, multiplied as such. fp8: e4m3 with a scale for each
/// input, bf16 output, and sums as the tensor cores keep them (fast accumulation).
enum class LibraryType { bf16, tf32, fp8 };

struct Operands {
  const void *a, *b;
  void* d;
  const float *scale_a = nullptr, *scale_b = nullptr;

  auto operator<=>(const Operands&) const = default;
};

inline Operands operands_of(const Product& p) { return {p.a, p.b, p.d}; }
inline Operands operands_of(const Tf32Product& p) { return {p.a, p.b, p.d}; }
inline Operands operands_of(const Fp8Product& p) { return {p.a, p.b, p.d, p.scales.a, p.scales.b}; }

class LibraryProduct {
 public:
  static constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
  /// What searching takes beside: enough sets of tensors that none finds its inputs in the L2 cache.
  static constexpr std::size_t kSearchBytes = std::size_t{128} << 20;

  LibraryProduct(LibraryType type, int m, int n, int k);
  ~LibraryProduct();
  LibraryProduct(const LibraryProduct&) = delete;
  LibraryProduct& operator=(const LibraryProduct&) = delete;

  void run(const Operands& operands, cudaStream_t stream);
  /// The library's call itself, with all that it does on the host.
  void run_unrecorded(const Operands& operands, cudaStream_t stream) const {
    call(algorithm_, operands, stream);
  }
  /// "algorithm 66, tile 20, stages 35, best of 24": the library's own numbers.
  std::string name() const;

 private:
  /// Those the library proposes, best guess first. An array: nvcc 13.0 crashes on a vector of this type.
  struct Candidates {
    std::array<cublasLtMatmulHeuristicResult_t, 24> each;
    std::size_t count = 0;
  };
  void describe(LibraryType type, int m, int n, int k);
  void set_scales(const float* of_a, const float* of_b) const;
  Candidates candidates() const;
  void call(const cublasLtMatmulAlgo_t& algorithm, const Operands& operands, cudaStream_t stream) const;
  void search(int m, int n, int k);

  const LibraryFunctions& library_;
  const LibraryType type_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t product_ = nullptr;
  cublasLtMatrixLayout_t a_ = nullptr, b_ = nullptr, d_ = nullptr;
  gpu::Memory<std::byte> workspace_;
  gpu::Memory<float> one_;  ///< a scale, to ask for algorithms and to search with
  cublasLtMatmulAlgo_t algorithm_{};
  std::size_t tried_ = 0;
  std::map<Operands, Recorded> recorded_;
};

}  // namespace aisp::hopper_matmul

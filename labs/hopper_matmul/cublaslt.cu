// SPDX-License-Identifier: Apache-2.0
#include "labs/hopper_matmul/cublaslt.cuh"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "labs/hopper_matmul/cublaslt_library.cuh"

namespace aisp::hopper_matmul {
namespace {

/// Values between -1 and 1: zeros would draw less power than data does, and another algorithm might win.
__global__ void fill(Bf16* values, std::int64_t count, unsigned seed) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    auto x = static_cast<unsigned>(i) * 2654435761u + seed;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    values[i] = __float2bfloat16_rn(static_cast<float>(x >> 8) * 0x1p-23f - 1);
  }
}

/// A stream and two events, for as long as the search takes.
class Stopwatch {
 public:
  Stopwatch() {
    gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream to search on");
    gpu::check(cudaEventCreate(&begin_), "making an event");
    gpu::check(cudaEventCreate(&end_), "making an event");
  }
  ~Stopwatch() {
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
    static_cast<void>(cudaStreamDestroy(stream));
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  template <class Work>
  float milliseconds(Work work) {
    gpu::check(cudaEventRecord(begin_, stream), "timing an algorithm");
    work();
    gpu::check(cudaEventRecord(end_, stream), "timing an algorithm");
    gpu::check(cudaEventSynchronize(end_), "timing an algorithm");
    float time = 0;
    gpu::check(cudaEventElapsedTime(&time, begin_, end_), "timing an algorithm");
    return time;
  }

  cudaStream_t stream = nullptr;

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

cublasLtMatrixLayout_t layout(const LibraryFunctions& library, int rows, int columns) {
  cublasLtMatrixLayout_t made = nullptr;
  library.check(library.layout_create(&made, CUDA_R_16BF, static_cast<std::uint64_t>(rows),
                                      static_cast<std::uint64_t>(columns), rows),
                "describing a matrix to cuBLASLt");
  return made;
}

}  // namespace

/// The library counts down columns, so our rows are its columns, and D's transpose, B A^T, is what it
/// computes: B^T comes as stored, k x n, and is asked for transposed; A^T comes as stored, k x m.
LibraryProduct::LibraryProduct(int m, int n, int k)
    : library_(cublaslt()), workspace_(gpu::memory_for<std::byte>(kWorkspaceBytes)) {
  library_.check(library_.create(&handle_), "starting cuBLASLt");
  library_.check(library_.product_create(&product_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describing a product");
  const cublasOperation_t transposed = CUBLAS_OP_T;
  library_.check(library_.product_set(product_, CUBLASLT_MATMUL_DESC_TRANSA, &transposed, sizeof transposed),
                 "asking cuBLASLt for a transposed input");
  b_ = layout(library_, k, n);
  a_ = layout(library_, k, m);
  d_ = layout(library_, n, m);
  search(m, n, k);
}

LibraryProduct::~LibraryProduct() {
  for (cublasLtMatrixLayout_t layout : {a_, b_, d_}) static_cast<void>(library_.layout_destroy(layout));
  static_cast<void>(library_.product_destroy(product_));
  static_cast<void>(library_.destroy(handle_));
}

LibraryProduct::Candidates LibraryProduct::candidates() const {
  cublasLtMatmulPreference_t wish = nullptr;
  library_.check(library_.preference_create(&wish), "describing a wish to cuBLASLt");
  Candidates found;
  const int most = static_cast<int>(found.each.size());
  int count = 0;
  cublasStatus_t status = library_.preference_set(wish, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                                  &kWorkspaceBytes, sizeof kWorkspaceBytes);
  if (status == CUBLAS_STATUS_SUCCESS)
    status = library_.heuristic(handle_, product_, b_, a_, d_, d_, wish, most, found.each.data(), &count);
  static_cast<void>(library_.preference_destroy(wish));
  library_.check(status, "asking cuBLASLt for algorithms");
  for (int i = 0; i < count; ++i) {
    const auto& result = found.each[static_cast<std::size_t>(i)];
    if (result.state == CUBLAS_STATUS_SUCCESS) found.each[found.count++] = result;
  }
  if (found.count == 0) throw std::runtime_error("cuBLASLt proposes no algorithm for this size");
  return found;
}

void LibraryProduct::run(const cublasLtMatmulAlgo_t& algorithm, const Product& p, cudaStream_t stream) const {
  const float one = 1, zero = 0;
  library_.check(library_.multiply(handle_, product_, &one, p.b, b_, p.a, a_, &zero, p.d, d_, p.d, d_,
                                   &algorithm, workspace_.get(), kWorkspaceBytes, stream),
                 "multiplying by cuBLASLt");
}

/// Each candidate once to load it, then in turns, so that none has the coolest chip; the least time counts.
void LibraryProduct::search(int m, int n, int k) {
  const auto all = candidates();
  const std::int64_t of_a = std::int64_t{m} * k, of_b = std::int64_t{n} * k;
  const auto memory = gpu::memory_for<Bf16>(static_cast<std::size_t>(of_a + of_b + std::int64_t{m} * n));
  const Product p{memory.get(), memory.get() + of_a, memory.get() + of_a + of_b, m, n, k};
  Stopwatch watch;
  fill<<<1024, 256, 0, watch.stream>>>(memory.get(), of_a + of_b, 1);
  gpu::check_launch("drawing values to search with");
  std::vector<float> least(all.count, std::numeric_limits<float>::infinity());
  constexpr int kTurns = 6;
  for (int turn = 0; turn <= kTurns; ++turn) {
    for (std::size_t i = 0; i < all.count; ++i) {
      const float time = watch.milliseconds([&] { run(all.each[i].algo, p, watch.stream); });
      if (turn > 0) least[i] = std::min(least[i], time);
    }
  }
  algorithm_ = all.each[static_cast<std::size_t>(std::ranges::min_element(least) - least.begin())].algo;
  tried_ = all.count;
}

std::string LibraryProduct::name() const {
  const auto number = [&](cublasLtMatmulAlgoConfigAttributes_t attribute) {
    int value = -1;
    std::size_t written = 0;
    static_cast<void>(library_.algorithm_get(&algorithm_, attribute, &value, sizeof value, &written));
    return std::to_string(value);
  };
  return "algorithm " + number(CUBLASLT_ALGO_CONFIG_ID) + ", tile " + number(CUBLASLT_ALGO_CONFIG_TILE_ID) +
         ", stages " + number(CUBLASLT_ALGO_CONFIG_STAGES_ID) + ", best of " + std::to_string(tried_);
}

}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
// The last rungs beside cuBLASLt's best, to look at: single calls after the cache was overwritten, in pairs
// whose order is drawn, as `aisp compare` takes them, but without its checks.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "labs/hopper_matmul/cublaslt.cuh"
#include "labs/hopper_matmul/in_bands.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "tests/hopper/product_check.cuh"

namespace aisp::hopper_test {
namespace {

using hopper_matmul::Fp8Product;
using hopper_matmul::LibraryType;
using hopper_matmul::Product;
using hopper_matmul::Tf32Product;

/// Between -1 and 1, and such that tf32 holds it.
template <class T>
__global__ void draw(T* values, std::int64_t count, unsigned seed) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    auto x = static_cast<unsigned>(i) + seed;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    values[i] = static_cast<T>(static_cast<float>((x ^ x >> 16) >> 21) * 0x1p-10f - 1);
  }
}
__global__ void overwrite(uint4* values, std::int64_t count, unsigned value) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x)
    values[i] = {value, value, value, value};
}

/// The time of one call that finds nothing in the cache. What the host does before it launches is hidden: the
/// device is overwriting the cache meanwhile.
class Cold {
 public:
  Cold() : junk_(gpu::memory_for<uint4>(kWords)) {
    gpu::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a stream");
    gpu::check(cudaEventCreate(&begin_), "making an event");
    gpu::check(cudaEventCreate(&end_), "making an event");
  }
  ~Cold() {
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  Cold(const Cold&) = delete;
  Cold& operator=(const Cold&) = delete;

  template <class Work>
  double microseconds(Work work) {
    overwrite<<<1024, 256, 0, stream_>>>(junk_.get(), kWords, ++turn_);
    gpu::check(cudaEventRecord(begin_, stream_), "timing");
    work(stream_);
    gpu::check(cudaEventRecord(end_, stream_), "timing");
    gpu::check(cudaEventSynchronize(end_), "timing");
    float time = 0;
    gpu::check(cudaEventElapsedTime(&time, begin_, end_), "timing");
    return time * 1e3;
  }

 private:
  static constexpr std::int64_t kWords = (192 << 20) / 16;  ///< three times an H200's cache
  gpu::Memory<uint4> junk_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
  unsigned turn_ = 0;
};

hopper_matmul::Unscaled scales_in(float*, const void*) { return {}; }
hopper_matmul::Scales scales_in(float* ones, const Fp8Product*) { return {ones, ones}; }

/// The kernel of the last rungs, with the tile that they choose for large products.
template <class Problem>
void wide_tiles(const Problem& p, cudaStream_t stream) {
  using Tiles = hopper_matmul::Shape<256, 4, 2, Problem>;
  hopper_matmul::launch_cluster_tiles<Tiles, hopper_matmul::InBands, hopper_matmul::Staged>(p, stream);
}

double middle(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

template <class Problem>
void print_pair(Cold& cold, const char* name, LibraryType type, int n, int rounds,
                const Multiply<Problem>& multiply) {
  const std::int64_t square = std::int64_t{n} * n;
  const auto a = gpu::memory_for<typename Problem::In>(static_cast<std::size_t>(square)),
             b = gpu::memory_for<typename Problem::In>(static_cast<std::size_t>(square));
  const auto d = gpu::memory_for<typename Problem::Out>(static_cast<std::size_t>(square));
  const auto ones = gpu::memory_for<float>(1);
  const float one = 1;
  gpu::check(cudaMemcpy(ones.get(), &one, sizeof one, cudaMemcpyHostToDevice), "setting a scale");
  draw<<<1024, 256>>>(a.get(), square, 1);
  draw<<<1024, 256>>>(b.get(), square, 1u << 31);
  const Problem p{a.get(), b.get(), d.get(), n, n, n, scales_in(ones.get(), static_cast<Problem*>(nullptr))};
  hopper_matmul::LibraryProduct library(type, n, n, n);
  const auto of_library = [&](cudaStream_t stream) { library.run(operands_of(p), stream); };
  const auto ours = [&](cudaStream_t stream) { multiply(p, stream); };
  std::vector<double> ours_us, library_us, ratios;
  for (int round = -3; round < rounds; ++round) {
    const bool first = hashed(static_cast<std::uint32_t>(round)) % 2 == 0;
    double mine = first ? cold.microseconds(ours) : 0;
    const double its = cold.microseconds(of_library);
    if (!first) mine = cold.microseconds(ours);
    if (round < 0) continue;  // loads what is called for the first time
    ours_us.push_back(mine);
    library_us.push_back(its);
    ratios.push_back(its / mine);
  }
  std::ranges::sort(ratios);
  // Of the median, by order: 95 in 100 such intervals hold it.
  const auto reach = static_cast<int>(std::ceil(0.98 * std::sqrt(rounds)));
  const auto at = [&](int i) { return ratios[static_cast<std::size_t>(std::clamp(i, 0, rounds - 1))]; };
  const double flops = 2.0 * static_cast<double>(n) * static_cast<double>(n) * n;
  std::printf("%-6s %6d %11.2f %11.2f %9.1f %9.4fx [%.4f, %.4f]  %s\n", name, n, middle(ours_us),
              middle(library_us), flops / middle(ours_us) * 1e-6, at(rounds / 2), at(rounds / 2 - reach),
              at(rounds / 2 + reach), library.name().c_str());
}

}  // namespace

void print_pairs() {
  if (const auto missing = hopper_matmul::cublaslt_missing()) {
    std::printf("pairs: %s\n", missing->c_str());
    return;
  }
  const auto rounds = [](int n) { return n < 4096 ? 401 : n == 4096 ? 101 : 41; };
  Cold cold;
  std::printf("%-6s %6s %11s %11s %9s %s\n", "type", "n", "ours, us", "its, us", "TFLOP/s",
              "ours beside cuBLASLt");
  for (const int n : {1024, 2048, 4096, 8192})
    print_pair<Product>(cold, "bf16", LibraryType::bf16, n, rounds(n), hopper_matmul::one_wave);
  for (const int n : {4096, 8192})
    print_pair<Fp8Product>(cold, "fp8", LibraryType::fp8, n, rounds(n), wide_tiles<Fp8Product>);
  for (const int n : {4096, 8192})
    print_pair<Tf32Product>(cold, "tf32", LibraryType::tf32, n, rounds(n), wide_tiles<Tf32Product>);
}

}  // namespace aisp::hopper_test

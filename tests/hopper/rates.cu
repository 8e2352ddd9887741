// SPDX-License-Identifier: Apache-2.0
// Rates to look at, not to publish: `aisp run labs/hopper_matmul` measures. Batches of launches in a graph,
// over several sets of tensors, so that neither the host nor the L2 cache makes small sizes look other than
// they are.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>

#include "labs/hopper_matmul/cublaslt.cuh"
#include "labs/hopper_matmul/l2_order.cuh"
#include "labs/hopper_matmul/one_wave.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "tests/hopper/items.h"
#include "tests/hopper/on_device.cuh"

namespace aisp::hopper_test {
namespace {

using hopper_matmul::LibraryType;
using hopper_matmul::Product;
using Multiply = std::function<void(const Product&, cudaStream_t)>;

__global__ void draw(Bf16* values, std::int64_t count) {
  for (std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    auto x = static_cast<unsigned>(i);
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    values[i] = __float2bfloat16_rn(static_cast<float>((x ^ x >> 16) >> 8) * 0x1p-23f - 1);
  }
}

/// Square products over enough sets that each finds its inputs in device memory.
class Bench {
 public:
  explicit Bench(int n) : n_(n), square_(std::int64_t{n} * n) {
    const std::int64_t bytes = 3 * square_ * 2, wanted = std::int64_t{192} << 20;
    sets_ = static_cast<int>(std::max<std::int64_t>(2, wanted / bytes));
    memory_ = gpu::memory_for<Bf16>(static_cast<std::size_t>(sets_ * 3 * square_));
    draw<<<2048, 256>>>(memory_.get(), sets_ * 3 * square_);
    gpu::check(cudaStreamCreate(&stream_), "making a stream");
    gpu::check(cudaEventCreate(&begin_), "making an event");
    gpu::check(cudaEventCreate(&end_), "making an event");
    gpu::check(cudaDeviceSynchronize(), "drawing values");
  }

  ~Bench() {
    static_cast<void>(cudaEventDestroy(begin_));
    static_cast<void>(cudaEventDestroy(end_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  double teraflops(const Multiply& multiply) {
    multiply(set(0), stream_);
    const double once = milliseconds([&] { multiply(set(1), stream_); });
    const int calls = static_cast<int>(std::clamp(25 / once, 2.0, 400.0));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t batch = nullptr;
    gpu::check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "recording");
    for (int i = 0; i < calls; ++i) multiply(set(i % sets_), stream_);
    gpu::check(cudaStreamEndCapture(stream_, &graph), "recording");
    gpu::check(cudaGraphInstantiate(&batch, graph, 0), "recording");
    const auto replay = [&] { gpu::check(cudaGraphLaunch(batch, stream_), "replaying"); };
    milliseconds(replay);
    double times[3];
    for (double& time : times) time = milliseconds(replay);
    std::sort(times, times + 3);
    gpu::check(cudaGraphExecDestroy(batch), "ending");
    gpu::check(cudaGraphDestroy(graph), "ending");
    const double flops = 2.0 * n_ * n_ * n_ * calls;
    return flops / (times[1] * 1e-3) * 1e-12;
  }

 private:
  Product set(int i) const {
    Bf16* first = memory_.get() + i * 3 * square_;
    return {first, first + square_, first + 2 * square_, n_, n_, n_};
  }
  template <class Work>
  double milliseconds(Work work) {
    gpu::check(cudaEventRecord(begin_, stream_), "timing");
    work();
    gpu::check(cudaEventRecord(end_, stream_), "timing");
    gpu::check(cudaEventSynchronize(end_), "timing");
    float time = 0;
    gpu::check(cudaEventElapsedTime(&time, begin_, end_), "timing");
    return time;
  }

  int n_, sets_ = 0;
  std::int64_t square_;
  gpu::Memory<Bf16> memory_;
  cudaStream_t stream_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

const std::map<std::string, Multiply>& rungs() {
  namespace all = hopper_matmul;
  static const auto of_width = [](int columns) {
    return [columns](const Product& p, cudaStream_t stream) { all::l2_order_of_width(p, columns, stream); };
  };
  static const auto wave = [](all::WaveTile tile) {
    return [tile](const Product& p, cudaStream_t stream) { all::one_wave_of(p, tile, stream); };
  };
  static const std::map<std::string, Multiply> table{{"naive", all::naive},
                                                     {"shared", all::shared_tile},
                                                     {"registers", all::register_tile},
                                                     {"mma_sync", all::mma_sync},
                                                     {"wgmma", all::wgmma_tma},
                                                     {"large_tile", all::large_tile},
                                                     {"specialised", all::specialised},
                                                     {"persistent", all::persistent},
                                                     {"cluster", all::cluster},
                                                     {"tma_store", all::tma_store},
                                                     {"l2_order", all::l2_order},
                                                     {"one_wave", all::one_wave},
                                                     {"l2_order of 256 columns", of_width(256)},
                                                     {"l2_order of 128 columns", of_width(128)},
                                                     {"l2_order of 64 columns", of_width(64)},
                                                     {"one_wave of 64 x 128", wave(all::WaveTile::small)},
                                                     {"one_wave of 128 x 256", wave(all::WaveTile::large)}};
  return table;
}

/// Without tensor cores a product of 8192 takes long enough to look at something else.
bool too_slow(const std::string& rung, int n) {
  const bool plain = rung == "naive" || rung == "shared" || rung == "registers";
  return plain && n > 2048;
}

}  // namespace

void print_rates(const std::vector<std::string>& names) {
  constexpr int kSides[] = {1024, 2048, 4096, 8192};
  std::map<std::string, std::map<int, double>> rates;
  const auto missing = hopper_matmul::cublaslt_missing();
  if (missing) std::printf("rates: %s\n", missing->c_str());
  for (const int n : kSides) {
    Bench bench(n);
    std::unique_ptr<hopper_matmul::LibraryProduct> library;
    if (!missing) library = std::make_unique<hopper_matmul::LibraryProduct>(LibraryType::bf16, n, n, n);
    const auto of_library = [&](const Product& p, cudaStream_t stream) {
      library->run(operands_of(p), stream);
    };
    if (library) std::printf("cublasLt at %d: %s\n", n, library->name().c_str());
    if (library) rates["cublasLt, before"][n] = bench.teraflops(of_library);
    for (const std::string& name : names) {
      if (too_slow(name, n)) continue;
      rates[name][n] = bench.teraflops(rungs().at(name));
      std::fflush(stdout);
    }
    if (library) rates["cublasLt, after"][n] = bench.teraflops(of_library);
  }
  std::printf("%-26s", "TFLOP/s");
  for (const int n : kSides) std::printf("%9d", n);
  std::vector<std::string> rows = names;
  rows.insert(rows.end(), {"cublasLt, before", "cublasLt, after"});
  for (const std::string& name : rows) {
    std::printf("\n%-26s", name.c_str());
    for (const int n : kSides) {
      if (rates[name].contains(n)) {
        std::printf("%9.1f", rates[name][n]);
      } else {
        std::printf("%9s", "-");
      }
    }
  }
  std::printf("\n");
}

}  // namespace aisp::hopper_test

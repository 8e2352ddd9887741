// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak_library_matmul.h"

#include <memory>
#include <stdexcept>
#include <string>

#include "aisp/device/cuda/peak_cublaslt.h"
#include "aisp/device/cuda/peak_random.h"

namespace aisp::cuda {
namespace {

constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20;
constexpr int kMostAlgorithms = 8;

struct Case {
  std::size_t side;
  bool transposed;  ///< A is given transposed: what f8 and i8 need, and often the fastest
};

std::vector<Case> cases(MathType type) {
  if (type == MathType::f64 || type == MathType::f32) return {{4096, true}, {4096, false}};  // ms each
  if (type == MathType::f8e4m3 || type == MathType::i8) return {{4096, true}, {8192, true}};
  return {{4096, true}, {4096, false}, {8192, true}, {8192, false}};
}

void measure_type(PeakBench& bench, const CublasLt& library, MathType type, std::byte* workspace) {
  const std::vector<Case> all = cases(type);
  const std::size_t most = all.back().side * all.back().side;
  const auto a = random_matrix(type, most, 7);
  const auto b = random_matrix(type, most, 8);
  const auto d = device_memory<std::byte>(most * output_size(type));
  std::vector<std::unique_ptr<SquareProduct>> products;
  std::vector<Candidate> candidates;
  for (const auto& [side, transposed] : all) {
    const auto& product = *products.emplace_back(
        std::make_unique<SquareProduct>(library, type, side, transposed, kWorkspaceBytes));
    const auto n = static_cast<double>(side);
    for (const cublasLtMatmulAlgo_t& algorithm : product.algorithms(kMostAlgorithms)) {
      candidates.push_back(
          {.probe = "cuBLASLt " + library.version() + ", " + std::to_string(side) + " cubed, " +
                    (transposed ? "TN, " : "NN, ") + product.name(algorithm),
           .amount = 2 * n * n * n,
           .time_ns = bench.on_device([&, &product = product, algorithm](cudaStream_t stream) {
             product.run(algorithm, a.get(), b.get(), d.get(), workspace, stream);
           })});
    }
  }
  if (candidates.empty())
    return bench.skip(std::string("library_matmul of ") + name_of(type) + ": cuBLASLt " + library.version() +
                      " has no algorithm for it on this device");
  bench.settle({.name = "library_matmul", .level = name_of(type), .unit = unit_of(type)}, candidates);
}

}  // namespace

void measure_library_matmul(PeakBench& bench) {
  std::unique_ptr<CublasLt> library;
  try {
    library = std::make_unique<CublasLt>();
  } catch (const std::runtime_error& error) {
    return bench.skip(std::string("library_matmul: ") + error.what());
  }
  const auto workspace = device_memory<std::byte>(kWorkspaceBytes);
  for (const MathType type : kMathTypes) {
    try {
      measure_type(bench, *library, type, workspace.get());
    } catch (const CudaError&) {
      throw;  // nothing that follows would work either
    } catch (const std::runtime_error& error) {
      bench.skip(std::string("library_matmul of ") + name_of(type) + ": " + error.what());
    }
  }
}

}  // namespace aisp::cuda

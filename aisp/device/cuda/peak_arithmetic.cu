// SPDX-License-Identifier: Apache-2.0
// Multiply-and-add on the ordinary cores: chains that do not depend on each other, in registers, so that
// nothing but the arithmetic units is busy.
#include <string>

#include "aisp/device/cuda/peak_random.h"
#include "aisp/device/cuda/peak_sections.h"

namespace aisp::cuda {
namespace {

constexpr int kUnroll = 16;

/// Which operand a chain goes through: the units fetch factors and summands by different ways.
enum class Through { factor, summand };

template <class T, int kChains, Through kThrough>
__global__ void fma_rounds(const T* random, unsigned rounds, T* sink) {
  // Factors below one: values neither die out nor grow much.
  const T factor = random[threadIdx.x];
  const T summand = random[blockDim.x + threadIdx.x];
  T x[kChains];
#pragma unroll
  for (int c = 0; c < kChains; ++c) x[c] = random[(2 + c) * blockDim.x + threadIdx.x];
  for (unsigned round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) {
#pragma unroll
      for (int c = 0; c < kChains; ++c)
        x[c] = kThrough == Through::factor ? fma(x[c], factor, summand) : fma(factor, summand, x[c]);
    }
  }
  T sum = 0;
#pragma unroll
  for (int c = 0; c < kChains; ++c) sum += x[c];
  if (sum == T(-123456)) *sink = sum;
}

template <class T, int kChains, Through kThrough>
Candidate probe(PeakBench& bench, int threads, int blocks_per_processor, unsigned operations_per_core,
                const std::byte* random, std::byte* sink) {
  const int blocks = bench.facts().processors * blocks_per_processor;
  const unsigned rounds =
      operations_per_core / static_cast<unsigned>(kChains * kUnroll * threads * blocks_per_processor / 128);
  return {.probe = std::to_string(kChains) + " chains through a " +
                   (kThrough == Through::factor ? "factor, " : "summand, ") + std::to_string(blocks) +
                   " blocks of " + std::to_string(threads),
          .amount = 2.0 * kChains * kUnroll * rounds * threads * blocks,
          .time_ns = bench.on_device([=](cudaStream_t stream) {
            fma_rounds<T, kChains, kThrough><<<blocks, threads, 0, stream>>>(
                reinterpret_cast<const T*>(random), rounds, reinterpret_cast<T*>(sink));
            check_launch("launching a kernel of multiplications");
          })};
}

/// `operations_per_core`: of each of 128 cores a multiprocessor is thought to have; about a millisecond's.
template <class T>
void measure(PeakBench& bench, MathType type, unsigned operations_per_core) {
  const auto random = random_matrix(type, 32 * 1024, 5);
  const auto sink = device_memory<std::byte>(sizeof(T));
  std::vector<Candidate> candidates;
  const auto add = [&]<int kChains, Through kThrough>(int threads, int blocks) {
    candidates.push_back(
        probe<T, kChains, kThrough>(bench, threads, blocks, operations_per_core, random.get(), sink.get()));
  };
  for (const auto& [threads, blocks] : {std::pair(128, 4), {128, 8}, {256, 4}, {512, 2}, {1024, 1}}) {
    add.template operator()<8, Through::factor>(threads, blocks);
    add.template operator()<16, Through::factor>(threads, blocks);
    add.template operator()<8, Through::summand>(threads, blocks);
    add.template operator()<16, Through::summand>(threads, blocks);
  }
  bench.settle({.name = "fma", .level = name_of(type), .unit = unit_of(type)}, candidates);
}

}  // namespace

void measure_arithmetic(PeakBench& bench) {
  measure<float>(bench, MathType::f32, 1 << 20);
  measure<double>(bench, MathType::f64, 1 << 19);
}

}  // namespace aisp::cuda

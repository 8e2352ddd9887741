// SPDX-License-Identifier: Apache-2.0
// Bandwidth of shared memory: every warp reads consecutive words, so no two threads want the same bank twice.
#include <string>

#include "aisp/device/cuda/peak_random.h"
#include "aisp/device/cuda/peak_sections.h"

namespace aisp::cuda {
namespace {

constexpr unsigned kRounds = 8192;

template <int kWords>
__device__ std::uint32_t read_shared(std::uint32_t at) {
  if constexpr (kWords == 1) {
    std::uint32_t a;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(at) : "memory");
    return a;
  } else if constexpr (kWords == 2) {
    std::uint32_t a, b;
    asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(at) : "memory");
    return a ^ b;
  } else {
    std::uint32_t a, b, c, d;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(at)
                 : "memory");
    return a ^ b ^ c ^ d;
  }
}

template <int kWords, int kUnroll, int kThreads>
__global__ void __launch_bounds__(kThreads)
    read_rounds(const std::uint32_t* random, std::uint32_t zero, std::uint32_t* sink) {
  __shared__ __align__(16) std::uint32_t words[kThreads * kWords * kUnroll];
  for (unsigned i = threadIdx.x; i < kThreads * kWords * kUnroll; i += kThreads) words[i] = random[i];
  __syncthreads();
  const auto first = static_cast<std::uint32_t>(__cvta_generic_to_shared(words + threadIdx.x * kWords));
  std::uint32_t seen = 0;
  for (unsigned round = 0; round < kRounds; ++round) {
    // Where to read depends on what was read: else the assembler reads once for several rounds, volatile or
    // not.
    const std::uint32_t from = first + (seen & zero);
#pragma unroll
    for (int u = 0; u < kUnroll; ++u) seen ^= read_shared<kWords>(from + u * kThreads * kWords * 4);
  }
  if (seen == 0x9e3779b9u) *sink = seen;
}

template <int kWords, int kUnroll, int kThreads>
Candidate probe(PeakBench& bench, int blocks_per_processor, const std::uint32_t* random,
                std::uint32_t* sink) {
  const int blocks = bench.facts().processors * blocks_per_processor;
  return {.probe = std::to_string(kWords * 4) + " bytes, " + std::to_string(kUnroll) + " at once, " +
                   std::to_string(blocks) + " blocks of " + std::to_string(kThreads),
          .amount = 4.0 * kWords * kUnroll * kThreads * kRounds * blocks,
          .time_ns = bench.on_device([=](cudaStream_t stream) {
            read_rounds<kWords, kUnroll, kThreads><<<blocks, kThreads, 0, stream>>>(random, 0, sink);
            check_launch("launching a kernel that reads shared memory");
          })};
}

}  // namespace

void measure_shared_bandwidth(PeakBench& bench) {
  const auto random = random_memory(std::size_t{48} << 10, 4);
  const auto sink = device_memory<std::uint32_t>(1);
  const auto* words = reinterpret_cast<const std::uint32_t*>(random.get());
  std::vector<Candidate> candidates;
  for (const int full : {1, 2}) {
    candidates.push_back(probe<4, 2, 1024>(bench, full, words, sink.get()));
    candidates.push_back(probe<4, 4, 512>(bench, 2 * full, words, sink.get()));
    candidates.push_back(probe<4, 4, 256>(bench, 4 * full, words, sink.get()));
    candidates.push_back(probe<4, 8, 256>(bench, 2 * full, words, sink.get()));
    candidates.push_back(probe<2, 8, 512>(bench, 2 * full, words, sink.get()));
    candidates.push_back(probe<1, 8, 1024>(bench, full, words, sink.get()));
  }
  // For floors, what one block can hold: data that came from elsewhere went through the L2 cache.
  bench.settle({.name = "read",
                .level = "shared",
                .unit = "B/s",
                .working_set_bytes = static_cast<double>(bench.facts().block_shared_bytes)},
               candidates);
}

}  // namespace aisp::cuda

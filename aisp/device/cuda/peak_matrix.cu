// SPDX-License-Identifier: Apache-2.0
// The tensor cores' rates: matrix instructions on random data that never leaves the multiprocessor, and what
// cuBLASLt makes of whole matrices (peak_library_matmul.cpp). The better of both is "matmul".
#include <algorithm>
#include <string>

#include "aisp/device/cuda/peak_library_matmul.h"
#include "aisp/device/cuda/peak_mma.cuh"
#include "aisp/device/cuda/peak_random.h"
#include "aisp/device/cuda/peak_sections.h"
#include "aisp/device/cuda/peak_wgmma.cuh"

namespace aisp::cuda {
namespace {

constexpr std::size_t kOperandBytes = std::size_t{256} << 10;

template <class Mma, int kChains>
Candidate warps(PeakBench& bench, unsigned threads, const std::byte* random, std::byte* sink) {
  // About half a millisecond of the fastest, f8: a multiprocessor does some eight thousand operations a
  // clock.
  const double clocks =
      Mma::kOperations * kChains * (threads / 32) / (Mma::kType == MathType::f64 ? 256 : 4096);
  const auto rounds = static_cast<unsigned>(1e6 / clocks);
  const auto blocks = static_cast<unsigned>(bench.facts().processors);
  return {.probe = std::string(Mma::kName) + ", " + std::to_string(kChains) + " chains, " +
                   std::to_string(blocks) + " blocks of " + std::to_string(threads),
          .amount = Mma::kOperations * kChains * rounds * (threads / 32) * blocks,
          .time_ns = bench.on_device([=](cudaStream_t stream) {
            mma_rounds<Mma, kChains>
                <<<blocks, threads, 0, stream>>>(random, rounds, reinterpret_cast<typename Mma::Sum*>(sink));
            check_launch("launching a kernel of matrix instructions");
          })};
}

template <class Mma, int kChains>
void add_warps(std::vector<Candidate>& to, PeakBench& bench, const std::byte* random, std::byte* sink) {
  if (bench.facts().code < Mma::kArch) return;
  cudaFuncAttributes kernel{};
  check(cudaFuncGetAttributes(&kernel, mma_rounds<Mma, kChains>),
        "asking for the registers of a kernel of matrix instructions");
  for (const unsigned threads : {128u, 256u, 512u, 1024u}) {
    if (threads <= static_cast<unsigned>(kernel.maxThreadsPerBlock))
      to.push_back(warps<Mma, kChains>(bench, threads, random, sink));
  }
}

template <class Mma>
void add_warps(std::vector<Candidate>& to, PeakBench& bench, const std::byte* random, std::byte* sink) {
  add_warps<Mma, 4>(to, bench, random, sink);
  add_warps<Mma, 8>(to, bench, random, sink);
}

template <class Mma, int kGroups>
Candidate groups(PeakBench& bench, const TileLayout& layout, const std::byte* random, std::byte* sink) {
  const double clocks =
      Mma::kOperations * 2 * kSlices * kGroups / (Mma::kType == MathType::tf32 ? 2048 : 4096);
  const auto rounds = static_cast<unsigned>(1e6 / clocks);
  const auto blocks = static_cast<unsigned>(bench.facts().processors);
  const unsigned shared = kBTileBytes + kGroups * kATileBytes;
  return {.probe = std::string(Mma::kName) + ", " + layout.name + ", " + std::to_string(blocks) +
                   " blocks of " + std::to_string(kGroups * 128),
          .amount = Mma::kOperations * 2 * kSlices * rounds * kGroups * blocks,
          .time_ns = bench.on_device([=](cudaStream_t stream) {
            check(cudaFuncSetAttribute(wgmma_rounds<Mma, kGroups>,
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
                  "allowing matrix instructions their shared memory");
            wgmma_rounds<Mma, kGroups><<<blocks, kGroups * 128, shared, stream>>>(
                random, rounds, layout, reinterpret_cast<typename Mma::Sum*>(sink));
            check_launch("launching a kernel of matrix instructions");
          })};
}

template <class Mma>
void add_groups(std::vector<Candidate>& to, PeakBench& bench, const std::byte* random, std::byte* sink) {
  if (!bench.facts().wgmma) return;
  for (const TileLayout& layout : {kPlainTile, kSwizzledTile}) {
    to.push_back(groups<Mma, 1>(bench, layout, random, sink));
    to.push_back(groups<Mma, 2>(bench, layout, random, sink));
    to.push_back(groups<Mma, 3>(bench, layout, random, sink));
  }
}

std::vector<Candidate> instructions(PeakBench& bench, MathType type, const std::byte* random,
                                    std::byte* sink) {
  std::vector<Candidate> all;
  switch (type) {
    case MathType::f64:
      add_warps<WarpF64>(all, bench, random, sink);
      add_warps<WarpF64Wide>(all, bench, random, sink);
      break;
    case MathType::f32:
      break;  // no tensor core multiplies f32 as it is
    case MathType::tf32:
      add_warps<WarpTf32>(all, bench, random, sink);
      add_groups<GroupTf32>(all, bench, random, sink);
      break;
    case MathType::f16:
      add_warps<WarpF16>(all, bench, random, sink);
      add_groups<GroupF16>(all, bench, random, sink);
      break;
    case MathType::bf16:
      add_warps<WarpBf16>(all, bench, random, sink);
      add_groups<GroupBf16>(all, bench, random, sink);
      break;
    case MathType::f8e4m3:
      add_groups<GroupF8>(all, bench, random, sink);
      break;
    case MathType::i8:
      add_warps<WarpI8>(all, bench, random, sink);
      add_groups<GroupI8>(all, bench, random, sink);
      break;
  }
  return all;
}

/// A product of whole matrices is also done by the tensor cores: where it was faster, it is their ceiling.
void raise_by_library(std::vector<Ceiling>& entries, Ceiling library) {
  library.name = "matmul";
  const auto own = std::ranges::find_if(
      entries, [&](const Ceiling& c) { return c.name == library.name && c.level == library.level; });
  if (own == entries.end()) {
    entries.push_back(std::move(library));
  } else if (own->value < library.value) {
    *own = std::move(library);
  }
}

}  // namespace

void measure_matrix_arithmetic(PeakBench& bench) {
  const auto sink = device_memory<std::byte>(sizeof(double));
  for (const MathType type : kMathTypes) {
    const auto random = random_matrix(type, kOperandBytes / size_of(type), 6);
    bench.settle({.name = "matmul", .level = name_of(type), .unit = unit_of(type)},
                 instructions(bench, type, random.get(), sink.get()));
  }
  const std::size_t before = bench.entries.size();
  measure_library_matmul(bench);
  const std::vector<Ceiling> library(bench.entries.begin() + static_cast<std::ptrdiff_t>(before),
                                     bench.entries.end());
  for (const Ceiling& entry : library) raise_by_library(bench.entries, entry);
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
// Latency of one dependent load: one thread follows pointers through a region, in an order that visits every
// line once and that nothing predicts.
#include <string>

#include "aisp/device/cuda/l2_flush.h"
#include "aisp/device/cuda/peak_sections.h"

namespace aisp::cuda {
namespace {

constexpr std::size_t kLine = 128;
constexpr std::size_t kKiB = 1024;
constexpr std::size_t kMiB = kKiB * kKiB;

enum class Through { l1, l2 };

/// Line i points at line a * i + c: for a power of two of lines and these two numbers a single cycle.
__global__ void link_lines(std::byte* memory, std::size_t lines) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < lines; i += step) {
    const std::size_t next = (i * 1664525 + 1013904223) & (lines - 1);
    *reinterpret_cast<std::byte**>(memory + i * kLine) = memory + next * kLine;
  }
}

/// Goes on where the last call stopped, so that memory is never met twice.
template <Through kThrough>
__global__ void follow(std::byte** position, unsigned loads) {
  std::byte* at = *position;
#pragma unroll 16
  for (unsigned i = 0; i < loads; ++i) {
    if constexpr (kThrough == Through::l1) {
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
    } else {
      asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
    }
  }
  *position = at;
}

constexpr unsigned kSharedLines = 256;

__global__ void follow_shared(unsigned loads, std::uint32_t* sink) {
  __shared__ std::uint32_t links[kSharedLines];
  const auto base = static_cast<std::uint32_t>(__cvta_generic_to_shared(links));
  for (unsigned i = 0; i < kSharedLines; ++i)
    links[i] = base + ((i * 1664525 + 1013904223) & (kSharedLines - 1)) * sizeof(std::uint32_t);
  __syncthreads();
  std::uint32_t at = base;
#pragma unroll 16
  for (unsigned i = 0; i < loads; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at) : : "memory");
  *sink = at;
}

template <Through kThrough>
Candidate chase(PeakBench& bench, std::string probe, std::byte** position, unsigned loads) {
  return {.probe = std::move(probe),
          .amount = static_cast<double>(loads),
          .time_ns = bench.on_device([=](cudaStream_t stream) {
            follow<kThrough><<<1, 1, 0, stream>>>(position, loads);
            check_launch("launching a pointer chase");
          })};
}

/// A region of linked lines, and where the chase through it stands.
struct Region {
  DeviceMemory<std::byte> memory;
  DeviceMemory<std::byte*> position = device_memory<std::byte*>(1);

  explicit Region(std::size_t bytes) : memory(device_memory<std::byte>(bytes)) {
    link_lines<<<1024, 256>>>(memory.get(), bytes / kLine);
    check_launch("linking lines");
    std::byte* start = memory.get();
    check(cudaMemcpy(position.get(), &start, sizeof start, cudaMemcpyHostToDevice),
          "starting a pointer chase");
  }
};

std::size_t power_of_two_below(std::size_t bytes) {
  std::size_t power = kKiB;
  while (2 * power <= bytes) power *= 2;
  return power;
}

Ceiling entry(const char* level, std::size_t capacity) {
  return {
      .name = "latency", .level = level, .unit = "ns", .working_set_bytes = static_cast<double>(capacity)};
}

std::string through(std::size_t bytes) {
  return "pointer chase through " +
         (bytes < kMiB ? std::to_string(bytes / kKiB) + " KiB" : std::to_string(bytes / kMiB) + " MiB");
}

/// Regions that stay in a cache.
template <Through kThrough>
void measure_cached(PeakBench& bench, const char* level, std::size_t capacity,
                    std::initializer_list<std::size_t> sizes, unsigned loads) {
  std::vector<Region> regions;
  std::vector<Candidate> candidates;
  for (const std::size_t bytes : sizes) {
    regions.emplace_back(bytes);
    candidates.push_back(chase<kThrough>(bench, through(bytes), regions.back().position.get(), loads));
  }
  bench.settle(entry(level, capacity), candidates);
}

void measure_shared(PeakBench& bench) {
  constexpr unsigned loads = 1 << 16;
  const auto sink = device_memory<std::uint32_t>(1);
  bench.settle(entry("shared", bench.facts().block_shared_bytes),
               {{"pointer chase", loads, bench.on_device([&](cudaStream_t stream) {
                   follow_shared<<<1, 1, 0, stream>>>(loads, sink.get());
                   check_launch("launching a pointer chase in shared memory");
                 })}});
}

void measure_memory(PeakBench& bench) {
  constexpr unsigned loads = 1 << 12;
  const std::size_t bytes = 2 * power_of_two_below(8 * bench.facts().l2_bytes);
  const Region region(bytes);
  // Linking wrote the lines; what of them is still in the cache has to leave.
  L2Flush flush;
  flush.run(bench.watch().stream());
  check(cudaStreamSynchronize(bench.watch().stream()), "flushing the cache");
  bench.settle(entry("memory", 0),
               {chase<Through::l2>(bench, through(bytes) + ", past L1", region.position.get(), loads),
                chase<Through::l1>(bench, through(bytes), region.position.get(), loads)});
}

}  // namespace

void measure_latency(PeakBench& bench) {
  const DeviceFacts& facts = bench.facts();
  const std::size_t half = power_of_two_below(facts.l2_bytes / 2);
  measure_cached<Through::l1>(bench, "L1", facts.processor_shared_bytes, {4 * kKiB, 16 * kKiB, 64 * kKiB},
                              1 << 16);
  measure_shared(bench);
  measure_cached<Through::l2>(bench, "L2", facts.l2_bytes, {half / 16, half / 4, half}, 1 << 13);
  measure_memory(bench);
}

}  // namespace aisp::cuda

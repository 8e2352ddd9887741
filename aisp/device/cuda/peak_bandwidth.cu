// SPDX-License-Identifier: Apache-2.0
// Bandwidth of device memory and of the L2 cache. Memory: whole passes over at least sixteen cache sizes, two
// milliseconds each on an H200, so a figure is one that lasts. Cache: many passes over sets that fit.
#include <algorithm>
#include <string>
#include <vector>

#include "aisp/device/cuda/peak_random.h"
#include "aisp/device/cuda/peak_sections.h"
#include "aisp/device/cuda/peak_streams.h"

namespace aisp::cuda {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kMostBytes = std::size_t{4} << 30;  // of half of it
constexpr std::size_t kCaches = 8;                        // cache sizes that leave next to nothing to it
constexpr std::size_t kCacheTraffic = std::size_t{4} << 30;

struct Kind {
  Way way;
  const char* name;
};
// Writing last: it leaves little of the random data.
constexpr Kind kKinds[] = {{Way::read, "read"}, {Way::copy, "copy"}, {Way::write, "write"}};

std::size_t array_bytes(const DeviceFacts& facts) {
  const std::size_t least = kCaches * facts.l2_bytes;
  const std::size_t bytes =
      std::clamp(facts.free_bytes / 8, least, std::max(least, kMostBytes)) / kMiB * kMiB;
  if (facts.free_bytes / 2 < bytes + facts.l2_bytes)
    throw std::runtime_error("measuring device memory: two arrays of " + std::to_string(bytes / kMiB) +
                             " MiB are needed, and " + std::to_string(facts.free_bytes / kMiB) +
                             " MiB are free");
  return bytes;
}

/// Sets that the cache holds, or serves in part. Up to four cache sizes it still helps: on an H200 a set of
/// two was read a third faster than memory, one of three an eighth, one of four a twentieth.
struct Level {
  const char* name;
  std::size_t caches;  ///< that hold the largest set
  std::vector<double> sets;
};

void measure_level(PeakBench& bench, const Kind& kind, const Level& level, std::byte* memory,
                   std::uint32_t* sink) {
  const std::size_t l2 = bench.facts().l2_bytes;
  std::vector<Candidate> candidates;
  for (const double caches : level.sets) {
    const auto set = static_cast<std::size_t>(caches * static_cast<double>(l2)) / kMiB * kMiB;
    // A copy's two arrays share the set.
    const std::size_t bytes = kind.way == Way::copy ? set / 2 : set;
    Stretch stretch{.from = memory, .to = memory, .sink = sink};
    if (kind.way == Way::copy) stretch.to = memory + bytes;
    stretch.passes = static_cast<unsigned>(std::max<std::size_t>(1, kCacheTraffic / set));
    for (const StreamProbe& probe : cache_probes(kind.way, bench.facts())) {
      for (const std::size_t rotation : {0, 37}) {
        stretch.rotation = rotation;
        Candidate made = candidate(bench, probe, kind.way, stretch, bytes);
        made.probe = std::to_string(set / kMiB) + " MiB, " + made.probe + (rotation ? ", rotating" : "");
        candidates.push_back(std::move(made));
      }
    }
  }
  bench.settle({.name = kind.name,
                .level = level.name,
                .unit = "B/s",
                .working_set_bytes = static_cast<double>(level.caches * l2)},
               candidates);
}

}  // namespace

void measure_memory_bandwidth(PeakBench& bench) {
  const std::size_t half = array_bytes(bench.facts());
  const auto memory = random_memory(2 * half, 1);
  const auto sink = device_memory<std::uint32_t>(1);
  std::byte* const second = memory.get() + half;
  const auto all = static_cast<double>(2 * half);  // read, written, or copied from one half to the other
  for (const Kind& kind : kKinds) {
    const bool copies = kind.way == Way::copy;
    const Stretch stretch{.from = memory.get(), .to = copies ? second : memory.get(), .sink = sink.get()};
    std::vector<Candidate> candidates;
    for (const StreamProbe& probe : memory_probes(kind.way, bench.facts()))
      candidates.push_back(candidate(bench, probe, kind.way, stretch, copies ? half : 2 * half));
    if (copies) {
      candidates.push_back(
          {"cudaMemcpyAsync, device to device", all, bench.on_device([&](cudaStream_t stream) {
             check(cudaMemcpyAsync(second, memory.get(), half, cudaMemcpyDeviceToDevice, stream),
                   "copying device memory");
           })});
    } else if (kind.way == Way::write) {
      candidates.push_back({"cudaMemsetAsync", all, bench.on_device([&](cudaStream_t stream) {
                              check(cudaMemsetAsync(memory.get(), 0x5a, 2 * half, stream),
                                    "setting device memory");
                            })});
    }
    bench.settle({.name = kind.name, .level = "memory", .unit = "B/s"}, candidates);
  }
}

void measure_cache_bandwidth(PeakBench& bench) {
  const std::size_t l2 = bench.facts().l2_bytes;
  if (l2 < 8 * kMiB) return bench.skip("bandwidth of L2: the cache is too small for these probes");
  const auto memory = random_memory(4 * l2, 2);
  const auto sink = device_memory<std::uint32_t>(1);
  for (const Level& level : {Level{"L2", 1, {0.125, 0.25, 0.5, 0.75}},
                             Level{"L2+memory", 2, {1.0, 1.25, 1.5}}, Level{"memory+L2", 4, {2.0, 3.0}}}) {
    for (const Kind& kind : kKinds) measure_level(bench, kind, level, memory.get(), sink.get());
  }
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
// Counters: a cold read of 32 MiB after a clean and after a dirty flush, one of lines that persist, a hot
// one, and a copy.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "aisp/device/cuda/counter_reader.h"
#include "aisp/device/cuda/l2_flush.h"
#include "aisp/device/cuda/memory.h"
#include "benchmarks/gpu/audit_kernels.cuh"
#include "benchmarks/gpu/audit_parts.h"

namespace aisp::benchmarks {
namespace {

using namespace aisp::cuda;
using device::Counters;
using Group = device::CounterGroup;
using std::chrono::steady_clock;

constexpr std::size_t kBytes = 32 * kMiB;

void print(const char* what, const Counters& seen) {
  std::printf("  %s: passes %d, DRAM read %s, write %s, busy ns %s, range ns %s\n", what, seen.passes,
              shown(seen.dram_read_bytes).c_str(), shown(seen.dram_write_bytes).c_str(),
              shown(seen.busy_ns).c_str(), shown(seen.range_ns).c_str());
  std::printf("    L2 hits %s, sectors per load %s, per store %s, occupancy %s, instructions %s, tensor %s\n",
              shown(seen.l2_hit_rate).c_str(), shown(seen.load_sectors_per_request).c_str(),
              shown(seen.store_sectors_per_request).c_str(), shown(seen.occupancy).c_str(),
              shown(seen.instructions).c_str(), shown(seen.tensor_instructions).c_str());
  if (seen.dram_read_bytes && seen.dram_write_bytes && *seen.dram_read_bytes > 0)
    std::printf("    reads / 32 MiB %.4f, writes / reads %.4f\n", *seen.dram_read_bytes / kBytes,
                *seen.dram_write_bytes / *seen.dram_read_bytes);
  for (std::size_t i = 0; i < std::min<std::size_t>(4, seen.stalls.size()); ++i)
    std::printf("    stall %.3f %s\n", seen.stalls[i].share, seen.stalls[i].reason.c_str());
}

/// As much as the device allows may persist, and this memory shall.
void make_persist(cudaStream_t stream, void* memory, std::size_t bytes) {
  int device = 0, most = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, device),
        "asking what may persist");
  check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, static_cast<std::size_t>(most)),
        "asking for cache that persists");
  cudaStreamAttrValue window{};
  window.accessPolicyWindow = {.base_ptr = memory,
                               .num_bytes = bytes,
                               .hitRatio = 1,
                               .hitProp = cudaAccessPropertyPersisting,
                               .missProp = cudaAccessPropertyStreaming};
  check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window),
        "asking for a window that persists");
}

}  // namespace

void report_counters() {
  const cudaStream_t stream = side_stream();
  const auto data = device_memory<unsigned>(kBytes / sizeof(unsigned));
  const auto other = device_memory<unsigned>(kBytes / sizeof(unsigned));
  const auto sum = device_memory<unsigned>(1);
  L2Flush flush;
  const auto* from = reinterpret_cast<const uint4*>(data.get());
  const auto read = [&] { read_only<<<1056, 512, 0, stream>>>(from, kBytes / sizeof(uint4), sum.get()); };
  const auto copied = [&] {
    copy<<<1056, 512, 0, stream>>>(from, reinterpret_cast<uint4*>(other.get()), kBytes / sizeof(uint4));
  };
  const auto clean = [&] { flush.run(stream); };
  const auto dirty = [&] { flush.run_dirty(stream, 1); };  // as nvbench does
  const auto zeroes = device_memory<unsigned>(256 * kMiB / sizeof(unsigned));
  const auto zeroed = [&] {  // as Triton's do_bench does
    check(cudaMemsetAsync(zeroes.get(), 0, 256 * kMiB, stream), "zeroing as do_bench does");
  };
  // What the flush would leave in the cache if it did not take back what persists, and what it does leave.
  const auto persisting = [&] {
    make_persist(stream, data.get(), kBytes);
    read();
    flush.turn_out(stream);
  };
  const auto taken_back = [&] {
    persisting();
    flush.run(stream);
  };
  read();  // loaded before anything is counted
  copied();
  wait_for_device();
  CuptiCounters reader;
  for (const auto& groups : {std::vector{Group::traffic, Group::time},
                             std::vector{Group::traffic, Group::time, Group::cache, Group::access,
                                         Group::occupancy, Group::tensor, Group::stalls}}) {
    const auto opened = steady_clock::now();
    if (const auto why_not = reader.open(groups))
      return void(std::printf("no counters: %s\n", why_not->c_str()));
    std::printf("counters: %zu groups, opened in %.1f ms, 32 MiB is %zu bytes\n", groups.size(),
                since_ns(opened) / 1e6, kBytes);
    const auto measured = steady_clock::now();
    for (int i = 0; i < 3; ++i) print("read, clean flush", reader.measure(read, clean));
    std::printf("  a measurement takes %.1f ms\n", since_ns(measured) / 3e6);
    for (int i = 0; i < 3; ++i) print("read, dirty flush", reader.measure(read, dirty));
    for (int i = 0; i < 3; ++i) print("read, 256 MiB zeroed", reader.measure(read, zeroed));
    for (int i = 0; i < 3; ++i) print("read, persisting, not taken back", reader.measure(read, persisting));
    for (int i = 0; i < 3; ++i) print("read, persisting, clean flush", reader.measure(read, taken_back));
    print("read, hot", reader.measure(read, read));
    print("copy, clean flush", reader.measure(copied, clean));
    print("nothing, clean flush", reader.measure([] {}, clean));
  }
}

}  // namespace aisp::benchmarks

// SPDX-License-Identifier: Apache-2.0
// Transfers between host and device, one way and both ways at once. Pinned memory is timed on the device;
// copies of pageable memory keep the host busy, and are timed there.
#include <sys/mman.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <string>

#include "aisp/device/cuda/peak_random.h"
#include "aisp/device/cuda/peak_sections.h"
#include "aisp/device/cuda/peak_stream.cuh"

namespace aisp::cuda {
namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20;

struct Unmap {
  void operator()(std::byte* memory) const { munmap(memory, kBytes); }
};
using PageableMemory = std::unique_ptr<std::byte, Unmap>;

/// The device's random data, so that no page is one of zeros that all share.
PageableMemory pageable(const std::byte* random, bool huge_pages) {
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("allocating 256 MiB of host memory");
  PageableMemory owner(static_cast<std::byte*>(memory));
  static_cast<void>(madvise(memory, kBytes, huge_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE));
  check(cudaMemcpy(memory, random, kBytes, cudaMemcpyDeviceToHost), "filling host memory");
  return owner;
}

MappedMemory<std::byte> pinned(const std::byte* random) {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, kBytes, cudaHostAllocMapped), "allocating pinned memory");
  MappedMemory<std::byte> owner(static_cast<std::byte*>(memory));
  check(cudaMemcpy(memory, random, kBytes, cudaMemcpyDeviceToHost), "filling pinned memory");
  return owner;
}

void copy_across(void* to, const void* from, cudaStream_t stream) {
  check(cudaMemcpyAsync(to, from, kBytes, cudaMemcpyDefault, stream), "copying across the bus");
}

Candidate by_engine(PeakBench& bench, void* to, const void* from) {
  return {"cudaMemcpyAsync of 256 MiB", kBytes,
          bench.on_device([=](cudaStream_t s) { copy_across(to, from, s); })};
}

/// A kernel that reads or writes host memory across the bus.
Candidate by_kernel(PeakBench& bench, std::byte* to, const std::byte* from) {
  constexpr unsigned threads = 512;
  constexpr int unroll = 4;
  const Stretch stretch{.from = from, .to = to, .tiles = kBytes / (threads * unroll * sizeof(uint4))};
  const auto blocks = static_cast<unsigned>(bench.facts().processors);
  return {"kernel, 16 bytes a thread", kBytes, bench.on_device([=](cudaStream_t stream) {
            stream_tiles<Way::copy, uint4, Hint::plain, unroll><<<blocks, threads, 0, stream>>>(stretch);
            check_launch("launching a kernel that copies across the bus");
          })};
}

Candidate by_host_clock(cudaStream_t stream, const char* probe, void* to, const void* from) {
  return {probe, kBytes, [=] {
            const auto start = std::chrono::steady_clock::now();
            copy_across(to, from, stream);
            check(cudaStreamSynchronize(stream), "waiting for a copy");
            return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
          }};
}

Ceiling entry(const char* name) { return {.name = name, .level = "bus", .unit = "B/s"}; }

/// A second stream that starts after the timed one's start and ends before its end.
class SideStream {
 public:
  SideStream() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "making a second stream");
    check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming), "making an event");
  }
  ~SideStream() {
    static_cast<void>(cudaEventDestroy(event_));
    static_cast<void>(cudaStreamDestroy(stream_));
  }
  SideStream(const SideStream&) = delete;
  SideStream& operator=(const SideStream&) = delete;

  void beside(cudaStream_t timed, void* to, const void* from) {
    check(cudaEventRecord(event_, timed), "forking a stream");
    check(cudaStreamWaitEvent(stream_, event_, 0), "forking a stream");
    copy_across(to, from, stream_);
    check(cudaEventRecord(event_, stream_), "joining a stream");
  }
  void join(cudaStream_t timed) { check(cudaStreamWaitEvent(timed, event_, 0), "joining a stream"); }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t event_ = nullptr;
};

void measure_pinned(PeakBench& bench, std::byte* device, std::byte* other) {
  const auto host = pinned(device);
  const auto back = pinned(device);
  bench.settle(entry("h2d_pinned"),
               {by_engine(bench, device, host.get()), by_kernel(bench, device, host.get())});
  bench.settle(entry("d2h_pinned"),
               {by_engine(bench, back.get(), other), by_kernel(bench, back.get(), other)});
  SideStream side;
  bench.settle(entry("bidirectional_pinned"), {{"two copies of 256 MiB in two streams", 2.0 * kBytes,
                                                bench.on_device([&](cudaStream_t timed) {
                                                  side.beside(timed, back.get(), other);
                                                  copy_across(device, host.get(), timed);
                                                  side.join(timed);
                                                })}});
}

void measure_pageable(PeakBench& bench, std::byte* device) {
  const auto small = pageable(device, false);
  const auto huge = pageable(device, true);
  const cudaStream_t stream = bench.watch().stream();
  bench.settle(entry("h2d_pageable"),
               {by_host_clock(stream, "cudaMemcpyAsync of 256 MiB", device, small.get()),
                by_host_clock(stream, "cudaMemcpyAsync of 256 MiB, huge pages", device, huge.get())});
  bench.settle(entry("d2h_pageable"),
               {by_host_clock(stream, "cudaMemcpyAsync of 256 MiB", small.get(), device),
                by_host_clock(stream, "cudaMemcpyAsync of 256 MiB, huge pages", huge.get(), device)});
  bench.skip(
      "bidirectional_pageable: a copy of pageable memory returns when it is done, so one thread has one at a "
      "time");
}

}  // namespace

void measure_transfers(PeakBench& bench) {
  const auto device = random_memory(kBytes, 9);
  const auto other = random_memory(kBytes, 10);
  measure_pinned(bench, device.get(), other.get());
  measure_pageable(bench, device.get());
}

}  // namespace aisp::cuda

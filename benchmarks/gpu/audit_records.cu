// SPDX-License-Identifier: Apache-2.0
// Records: two streams that events on a third do not see, and one activity of each kind.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <stdexcept>
#include <vector>

#include "aisp/device/cuda/activity_recorder.h"
#include "aisp/device/cuda/memory.h"
#include "aisp/device/cuda/memory_use.h"
#include "benchmarks/gpu/audit_kernels.cuh"
#include "benchmarks/gpu/audit_parts.h"
#include "benchmarks/gpu/spin.cuh"

namespace aisp::benchmarks {
namespace {

using namespace aisp::cuda;
using device::Activity;
using Kind = Activity::Kind;
using ull = unsigned long long;

__global__ void never_used_before(int* out) { *out = 1; }
__global__ void add_one(float* data, std::size_t count) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) data[i] += 1;
}

std::string number_of(std::uint64_t stream) {
  return stream == Activity::no_stream ? "none" : std::to_string(stream);
}

void print(const Activity& seen, double origin_ns) {
  std::printf("  %-15s %9.1f us +%9.1f us stream %s call %llu bytes %llu%s%s%s %s", name_of(seen.kind),
              (seen.start_ns - origin_ns) / 1e3, seen.end_ns == 0 ? 0 : (seen.end_ns - seen.start_ns) / 1e3,
              number_of(seen.stream).c_str(), ull(seen.call), ull(seen.bytes), seen.pooled ? " pooled" : "",
              seen.in_graph ? " in graph" : "", seen.device_launched ? " by device" : "", seen.name.c_str());
  if (seen.kind == Kind::kernel)
    std::printf(" grid %u block %u shared %u registers %u", seen.grid.x, seen.block.x, seen.shared_bytes,
                seen.registers);
  std::printf("%s\n", seen.end_ns == 0 ? " NOT OVER" : "");
}

/// Records one window and prints what was seen.
std::vector<Activity> recorded(CuptiRecorder& recorder, const std::function<void()>& window) {
  const auto starting = std::chrono::steady_clock::now();
  if (const auto why_not = recorder.start()) throw std::runtime_error("no records: " + *why_not);
  const double start_ns = since_ns(starting);
  const double before = recorder.now_ns();
  window();
  const double after = recorder.now_ns();
  const auto stopping = std::chrono::steady_clock::now();
  std::vector<Activity> all = recorder.stop();
  const double stop_ns = since_ns(stopping);
  // Pages move in hundreds of steps: a few show how.
  int pages = 0;
  for (const Activity& seen : all) {
    if (seen.kind != Kind::unified_memory || ++pages <= 4) print(seen, before);
  }
  std::printf("  window %.1f us, dropped %llu, launches without record %llu, start %.2f ms, stop %.2f ms\n",
              (after - before) / 1e3, ull(recorder.dropped()), ull(recorder.unrecorded_launches()),
              start_ns / 1e6, stop_ns / 1e6);
  for (const std::string& blind : recorder.blind_to()) std::printf("  blind to %s\n", blind.c_str());
  return all;
}

void CUDART_CB count_up(void* count) { ++*static_cast<int*>(count); }

cudaGraphExec_t graph_of(cudaStream_t stream, const std::function<void()>& queue) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t made = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing");
  queue();
  check(cudaStreamEndCapture(stream, &graph), "capturing");
  check(cudaGraphInstantiate(&made, graph, 0), "making a graph");
  check(cudaGraphDestroy(graph), "forgetting the captured graph");
  return made;
}

constexpr const char* kPtx =
    ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry compiled_late() { ret; }\n";

}  // namespace

void report_streams() {
  CuptiRecorder recorder;
  const auto truth = device_memory<Truth>(1);
  const cudaStream_t timed = side_stream(), first = side_stream(), second = side_stream();
  cudaEvent_t start = nullptr, stop = nullptr;
  check(cudaEventCreate(&start), "making an event");
  check(cudaEventCreate(&stop), "making an event");
  const auto spin = [&](cudaStream_t stream, std::uint64_t ns) {
    benchmarks::spin<<<1, 32, 0, stream>>>(ns, truth.get());
    check_launch("launching");
  };
  spin(timed, 1000);
  wait_for_device();
  const auto window = [&] {
    check(cudaEventRecord(start, timed), "recording");
    spin(first, 10'000'000);
    spin(second, 10'000'000);
    spin(timed, 10'000);
    check(cudaEventRecord(stop, timed), "recording");
    check(cudaEventSynchronize(stop), "waiting");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop), "reading");
    std::printf("  events on stream %llu say %.1f us\n", ull(recorder.number_of(timed).value_or(0)),
                double{ms} * 1e3);
    wait_for_device();
  };
  std::printf("streams: 10 us on the timed stream, 10 ms on each of two others\n");
  recorded(recorder, window);
  std::printf("streams: once more, now that CUPTI knows the streams\n");
  recorded(recorder, window);
  std::printf("streams: a recording that stops while 50 ms still run\n");
  recorded(recorder, [&] { spin(first, 50'000'000); });
  wait_for_device();
  std::printf("streams: and the recording after it\n");
  recorded(recorder, [&] {
    spin(timed, 10'000);
    wait_for_device();
  });
}

void report_kinds() {
  CuptiRecorder recorder;
  const cudaStream_t stream = side_stream();
  const std::size_t count = 4 * kMiB / sizeof(float);
  const auto data = device_memory<float>(count);
  const auto other = device_memory<float>(count);
  const auto flag = device_memory<int>(1);
  void* pinned = nullptr;
  float* managed = nullptr;
  check(cudaMallocHost(&pinned, 4 * kMiB), "allocating pinned memory");
  check(cudaMallocManaged(&managed, 4 * kMiB), "allocating unified memory");
  std::fill_n(managed, count, 1.0f);
  int calls = 0;
  const auto add = [&](float* to) { add_one<<<unsigned(count / 256), 256, 0, stream>>>(to, count); };
  add(data.get());
  wait_for_device();
  const cudaGraphExec_t graph = graph_of(stream, [&] {
    add(data.get());
    check(cudaMemsetAsync(other.get(), 0, 4 * kMiB, stream), "setting");
    check(cudaLaunchHostFunc(stream, count_up, &calls), "queueing a host function");
    add(data.get());
  });
  MemoryWatch watch;
  std::printf("kinds: one of each\n");
  const auto seen = recorded(recorder, [&] {
    void* pooled = nullptr;
    check(cudaMallocAsync(&pooled, 64 * kMiB, stream), "allocating from the pool");
    add(data.get());
    check(cudaMemsetAsync(other.get(), 0, 4 * kMiB, stream), "setting");
    check(cudaMemcpyAsync(data.get(), pinned, 4 * kMiB, cudaMemcpyHostToDevice, stream), "copying");
    check(cudaMemcpyAsync(pinned, data.get(), 4 * kMiB, cudaMemcpyDeviceToHost, stream), "copying");
    check(cudaMemcpyAsync(other.get(), data.get(), 4 * kMiB, cudaMemcpyDeviceToDevice, stream), "copying");
    check(cudaLaunchHostFunc(stream, count_up, &calls), "queueing a host function");
    check(cudaGraphLaunch(graph, stream), "launching a graph");
    never_used_before<<<1, 1, 0, stream>>>(flag.get());
    add(managed);
    check(cudaFreeAsync(pooled, stream), "giving back to the pool");
    void* plain = nullptr;
    check(cudaMalloc(&plain, 32 * kMiB), "allocating");
    check(cudaFree(plain), "freeing");
    cudaLibrary_t library = nullptr;
    check(cudaLibraryLoadData(&library, kPtx, nullptr, nullptr, 0, nullptr, nullptr, 0), "compiling");
    check(cudaLibraryUnload(library), "unloading");
    check(cudaStreamSynchronize(stream), "waiting");
    wait_for_device();
  });
  std::map<std::string, int> kinds;
  for (const Activity& activity : seen) ++kinds[name_of(activity.kind)];
  for (const auto& [kind, times] : kinds) std::printf("  kind %s: %d\n", kind.c_str(), times);
  const MemoryUse use = watch.since();
  std::printf("  host functions that ran: %d\n", calls);
  std::printf(
      "  memory MiB: taken %.1f, pool used %.1f peak %.1f, reserved %.1f peak %.1f, recorded peak %.1f\n",
      double(use.taken_bytes) / kMiB, double(use.pool_used_bytes) / kMiB,
      double(use.pool_peak_used_bytes) / kMiB, double(use.pool_reserved_bytes) / kMiB,
      double(use.pool_peak_reserved_bytes) / kMiB, double(aisp::device::memory_of(seen).peak) / kMiB);
}

}  // namespace aisp::benchmarks

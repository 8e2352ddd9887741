// SPDX-License-Identifier: Apache-2.0
// What the gate keeps out while it holds the device, how many launches fit behind it, and what it costs.
// Prints the facts of docs/design/gpu_instrument.md as plain lines.  usage: gate_report
#include <algorithm>
#include <cstdio>
#include <thread>
#include <vector>

#include "aisp/device/cuda/captured_graph.h"
#include "aisp/device/cuda/l2_flush.h"
#include "aisp/device/cuda/stopwatch.h"

namespace {

using namespace aisp::cuda;
using namespace std::chrono_literals;

constexpr std::size_t kBytes = std::size_t{16} << 20;
constexpr int kTries = 20;

__global__ void empty() {}

double microseconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

double median_microseconds(const std::function<void()>& work) {
  std::vector<double> times;
  for (int i = 0; i < 101; ++i) times.push_back(microseconds(work));
  std::ranges::nth_element(times, times.begin() + 50);
  return times[50];
}

/// How often what is queued on another stream was over while the gate held.
class SideStream {
 public:
  SideStream() {
    check(cudaStreamCreateWithFlags(&gated_, cudaStreamNonBlocking), "making the gated stream");
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
    check(cudaStreamCreateWithPriority(&side_, cudaStreamNonBlocking, greatest), "making the side stream");
    check(cudaEventCreate(&done_), "making an event");
  }
  void report(const char* what, const DeviceCall& call) {
    call(side_);  // once before: loading a kernel waits for the gate
    check(cudaDeviceSynchronize(), "warming up");
    int over = 0;
    for (int i = 0; i < kTries; ++i) {
      if (!gate_.close(gated_, 200ms)) std::printf("# the gate did not close\n");
      call(side_);
      check(cudaEventRecord(done_, side_), "recording");
      std::this_thread::sleep_for(3ms);
      over += cudaEventQuery(done_) == cudaSuccess ? 1 : 0;
      gate_.open();
      check(cudaDeviceSynchronize(), "opening the gate");
    }
    std::printf("held: %s on another stream was over in %d of %d\n", what, over, kTries);
  }
  void report_queue(int launches) {
    gate_.close(gated_, 300ms);
    const double took = microseconds([&] {
      for (int i = 0; i < launches; ++i) empty<<<1, 32, 0, gated_>>>();
    });
    gate_.open();
    check(cudaDeviceSynchronize(), "emptying the queue");
    std::printf("queue: %d launches took %.0f us, the gate %s\n", launches, took,
                gate_.expired() ? "opened by itself" : "held");
  }
  /// The same launches as one graph, that many times.
  void report_graph(int launches, int times) {
    const auto graph = CapturedGraph::of([&](cudaStream_t stream) {
                         for (int i = 0; i < launches; ++i) empty<<<1, 32, 0, stream>>>();
                       }).instantiate();
    check(cudaGraphLaunch(graph.get(), gated_), "launching a graph");  // is loaded the first time
    check(cudaDeviceSynchronize(), "loading a graph");
    gate_.close(gated_, 300ms);
    const double took = microseconds([&] {
      for (int i = 0; i < times; ++i) check(cudaGraphLaunch(graph.get(), gated_), "launching a graph");
    });
    gate_.open();
    check(cudaDeviceSynchronize(), "emptying the queue");
    std::printf("queue: %d graphs of %d launches took %.0f us, the gate %s\n", times, launches, took,
                gate_.expired() ? "opened by itself" : "held");
  }

 private:
  Gate gate_;
  cudaStream_t gated_ = nullptr, side_ = nullptr;
  cudaEvent_t done_ = nullptr;
};

void report_costs() {
  Stopwatch watch;
  L2Flush flush;
  const double reading =
      median_microseconds([&] { watch.time([](cudaStream_t stream) { empty<<<1, 32, 0, stream>>>(); }); });
  const double flushing = median_microseconds([&] {
    flush.run(watch.stream());
    check(cudaStreamSynchronize(watch.stream()), "flushing");
  });
  std::printf("cost: a reading %.1f us, a flush %.1f us\n", reading, flushing);
}

}  // namespace

int main() {
  try {
    const auto first = device_memory<std::byte>(kBytes), second = device_memory<std::byte>(kBytes);
    void* host = nullptr;
    check(cudaMallocHost(&host, kBytes), "allocating host memory");
    SideStream side;
    side.report("nothing", [](cudaStream_t) {});
    side.report("a kernel of one thread", [](cudaStream_t s) { empty<<<1, 1, 0, s>>>(); });
    side.report("a memset of 16 MiB", [&](cudaStream_t s) { cudaMemsetAsync(first.get(), 1, kBytes, s); });
    side.report("a memset of 4 bytes", [&](cudaStream_t s) { cudaMemsetAsync(first.get(), 1, 4, s); });
    side.report("a copy on the device of 16 MiB", [&](cudaStream_t s) {
      cudaMemcpyAsync(second.get(), first.get(), kBytes, cudaMemcpyDeviceToDevice, s);
    });
    side.report("a copy to the host of 16 MiB", [&](cudaStream_t s) {
      cudaMemcpyAsync(host, first.get(), kBytes, cudaMemcpyDeviceToHost, s);
    });
    side.report("a host function", [](cudaStream_t s) { cudaLaunchHostFunc(s, [](void*) {}, nullptr); });
    for (const int launches : {500, 1000, 1020, 1100}) side.report_queue(launches);
    for (const int launches : {100, 1000, 4000, 20000}) side.report_graph(launches, 1);
    for (const int times : {8, 64, 512}) side.report_graph(100, times);
    side.report_graph(4000, 8);
    report_costs();
    check(cudaFreeHost(host), "freeing host memory");
  } catch (const CudaError& error) {
    std::fprintf(stderr, "gate_report: %s\n", error.what());
    return 4;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Atomic work queue on a GPU                                             chapter 12, orchestration
//
// The idea:          a counter in the device's memory; the warp that is free takes the next requests.
// What bounds it:    the most loaded multiprocessor. Two thirds of the work are in one of 32 requests, side
//                    by side: split into ranges, a quarter of the multiprocessors has all of them.
// What to look for:  how many multiprocessors are busy in the last part of the kernel.
// Where it stops:    lanes of a warp wait for the longest of their requests: what is uneven within a warp
//                    no queue evens out. A grid with a thread for each request is a queue as well, kept by
//                    the hardware; one in memory is for blocks that stay, and have a state. To deal
//                    requests out in turn is faster here, 99 µs instead of 139 on an H200: long ones that
//                    lie side by side end up far apart, and nobody asks.
#include <cstdint>
#include <memory>

#include "workloads/ch12_orchestration/atomic_work_queue.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::atomic_work_queue {
namespace {

// ---- The problem and the reference on the host: atomic_work_queue.h --------------------------------------
constexpr int kThreads = 256, kWarps = kThreads / gpu::kLanes;

struct Requests {
  const std::uint32_t* value;
  const std::uint32_t* rounds;
  std::uint32_t* result;
  std::int64_t n;
};

Requests requests_of(const Call& call) {
  const auto value = call.input<std::uint32_t>(kValue);
  return {value.data, call.input<std::uint32_t>(kRounds).data, call.output<std::uint32_t>(kResult).data,
          value.size};
}

// ---- Reference on the device -----------------------------------------------------------------------------
__global__ void mix_in_double(const std::uint32_t* value, const std::uint32_t* rounds, double* result,
                              std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) result[i] = mixed(value[i], addend(i), rounds[i]);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto value = call.input<std::uint32_t>(kValue);
  mix_in_double<<<gpu::blocks_for(value.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      value.data, call.input<std::uint32_t>(kRounds).data, call.outputs[kResult].value, value.size);
  gpu::check_launch("mixing by reference");
}

// ---- What all rungs do -----------------------------------------------------------------------------------
__device__ void answer(const Requests& requests, std::int64_t i) {
  if (i < requests.n) requests.result[i] = mix(requests.value[i], addend(i), requests.rounds[i]);
}

/// All rungs but the last have as many blocks as fit: what differs is which requests a warp takes.
unsigned resident_blocks() {
  static const unsigned blocks = 8 * gpu::processors();
  return blocks;
}

// ---- Baseline: a range of requests for each warp ---------------------------------------------------------
__global__ void __launch_bounds__(kThreads) answer_ranges(Requests requests) {
  const std::int64_t warps = std::int64_t{gridDim.x} * kWarps;
  const std::int64_t warp = std::int64_t{blockIdx.x} * kWarps + gpu::warp_index();
  const std::int64_t batches = (requests.n + gpu::kLanes - 1) / gpu::kLanes;
  for (std::int64_t batch = batches * warp / warps; batch < batches * (warp + 1) / warps; ++batch)
    answer(requests, batch * gpu::kLanes + gpu::lane_index());
}

void split(const Call& call) {
  answer_ranges<<<resident_blocks(), kThreads, 0, gpu::stream_of(call)>>>(requests_of(call));
  gpu::check_launch("answering ranges of requests");
}

// ---- The idea --------------------------------------------------------------------------------------------
// A range of as many requests is not a range of as much work: who has the long ones decides when the kernel
// ends, and all others wait with nothing to do. Nobody knows beforehand which range that is, but everybody
// knows when it is free.
//
// So nothing is given out beforehand. A counter says which request is next, a warp that is done adds 32 to it
// and takes those it went past. The work evens itself out to within one take, for one atomic addition a take.

// ---- Optimised: from a counter ---------------------------------------------------------------------------
/// One lane asks for the whole warp. The block that leaves last clears the counters for the next launch.
struct Counters {
  unsigned long long next;
  unsigned left;
};

__global__ void __launch_bounds__(kThreads) answer_from_queue(Requests requests, Counters* counters) {
  for (;;) {
    unsigned long long taken = 0;
    if (gpu::lane_index() == 0)
      taken = atomicAdd(&counters->next, static_cast<unsigned long long>(gpu::kLanes));
    const auto first = static_cast<std::int64_t>(__shfl_sync(gpu::kAllLanes, taken, 0));
    if (first >= requests.n) break;
    answer(requests, first + gpu::lane_index());
  }
  __syncthreads();
  if (threadIdx.x == 0 && atomicAdd(&counters->left, 1u) == gridDim.x - 1) {
    counters->next = 0;
    counters->left = 0;
  }
}

std::shared_ptr<void> prepare(const Setup& /*setup*/) {
  return std::make_shared<gpu::Memory<Counters>>(gpu::memory_for<Counters>(1));
}

void queue(const Call& call) {
  answer_from_queue<<<resident_blocks(), kThreads, 0, gpu::stream_of(call)>>>(
      requests_of(call), call.plan<gpu::Memory<Counters>>().get());
  gpu::check_launch("answering requests from a queue");
}

// ---- For comparison: dealt out in turn, and by the hardware ----------------------------------------------
__global__ void __launch_bounds__(kThreads) answer_in_strides(Requests requests) {
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < requests.n; i += step)
    answer(requests, i);
}

void dealt(const Call& call) {
  answer_in_strides<<<resident_blocks(), kThreads, 0, gpu::stream_of(call)>>>(requests_of(call));
  gpu::check_launch("answering requests in turn");
}

void thread_a_request(const Call& call) {
  answer_in_strides<<<gpu::blocks_for(call.params()["n"], kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      requests_of(call));
  gpu::check_launch("answering a request a thread");
}

// ---- Registration ----------------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch12/atomic_work_queue",
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 21}, .small = 34571}},
    .reference = reference_on_device,
    .variants =
        {{.name = "split", .run = split, .note = "a range of requests for each warp"},
         {.name = "queue", .run = queue, .note = "32 requests at a time from a counter", .prepare = prepare},
         {.name = "dealt",
          .run = dealt,
          .note = "every so-many-th request, in strides of the grid",
          .rung = Rung::informational},
         {.name = "hardware",
          .run = thread_a_request,
          .note = "a thread a request: the hardware hands out blocks",
          .rung = Rung::informational}},
}};

}  // namespace
}  // namespace aisp::atomic_work_queue

// SPDX-License-Identifier: Apache-2.0
// Host to device                                                                       chapter 2, hardware
//
// The idea:          lock the host's pages in memory, so that the device can fetch them by itself.
// What bounds it:    the bus. 64 M floats are 268 MB: 4.9 ms at the 55 GB/s that an H200 gets over PCIe 5.
// What to look for:  who copies. From ordinary memory a processor copies first, into a buffer that the device
//                    may read, and one processor copies slower than the bus.
// Where it stops:    transfers whose start takes longer than their bytes: 4 MB reach 0.8 of the bus, 268 MB
//                    all of it. Locked pages are lost to everybody else.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::h2d_transfer {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256;

std::size_t bytes_of(const View<const float>& x) { return static_cast<std::size_t>(x.size) * sizeof(float); }

// ---- The problem: y, on the device, becomes x, which is on the host --------------------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {host_input<float>("x", {n}, {uniform(-1, 1), wide_range(-60, 60)}),
                      output<float>("y", {n}, exact())},
          .work = {.bytes = 4 * static_cast<double>(n),
                   .items = static_cast<double>(n),
                   .traffic = Traffic::from_host}};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  std::copy(x.begin(), x.end(), call.outputs[kY].value.begin());
}

__global__ void widen(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = x[i];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  widen<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, x.size);
  gpu::check_launch("transferring by reference");
}

// ---- Baseline: one copy, from ordinary memory ------------------------------------------------------
void at_once(const Call& call) {
  const auto x = call.input<float>(kX);
  gpu::check(cudaMemcpyAsync(call.output<float>(kY).data, x.data, bytes_of(x), cudaMemcpyHostToDevice,
                             gpu::stream_of(call)),
             "copying to the device");
}

// ---- The idea --------------------------------------------------------------------------------------
// A device fetches from the host by physical addresses, while the system may move or swap ordinary pages. So
// the driver copies them first, piece by piece, into pages that stay. That costs a processor's time, and its
// bandwidth, which is below that of the bus. From pages that are locked the device fetches by itself, and the
// processor has nothing to do.
//
// In pieces and on two streams, work on the first can begin while the last still comes. The transfer itself
// must not get slower by it: a piece costs some 3 µs, so they are large.

// ---- Optimised: from locked memory, in pieces on two streams ---------------------------------------
constexpr std::size_t kPiece = std::size_t{32} << 20;

/// Two streams that start after the caller's and end before it goes on.
class Lanes {
 public:
  Lanes() {
    gpu::check(cudaEventCreateWithFlags(&begin_, cudaEventDisableTiming), "making an event");
    for (Lane& lane : lanes_) {
      gpu::check(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking), "making a stream");
      gpu::check(cudaEventCreateWithFlags(&lane.done, cudaEventDisableTiming), "making an event");
    }
  }
  ~Lanes() {
    static_cast<void>(cudaEventDestroy(begin_));
    for (const Lane& lane : lanes_) {
      static_cast<void>(cudaStreamDestroy(lane.stream));
      static_cast<void>(cudaEventDestroy(lane.done));
    }
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  void send(std::byte* to, const std::byte* from, std::size_t bytes, cudaStream_t caller) {
    gpu::check(cudaEventRecord(begin_, caller), "forking streams");
    for (const Lane& lane : lanes_)
      gpu::check(cudaStreamWaitEvent(lane.stream, begin_, 0), "forking streams");
    for (std::size_t at = 0, piece = 0; at < bytes; at += kPiece, ++piece)
      gpu::check(cudaMemcpyAsync(to + at, from + at, std::min(kPiece, bytes - at), cudaMemcpyHostToDevice,
                                 lanes_[piece % 2].stream),
                 "copying a piece");
    for (const Lane& lane : lanes_) {
      gpu::check(cudaEventRecord(lane.done, lane.stream), "joining streams");
      gpu::check(cudaStreamWaitEvent(caller, lane.done, 0), "joining streams");
    }
  }

 private:
  struct Lane {
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
  };
  cudaEvent_t begin_ = nullptr;
  Lane lanes_[2];
};

std::shared_ptr<void> prepare_pieces(const Setup&) { return std::make_shared<Lanes>(); }

void pieces(const Call& call) {
  const auto x = call.input<float>(kX);
  if (bytes_of(x) <= kPiece) return at_once(call);
  call.plan<Lanes>().send(reinterpret_cast<std::byte*>(call.output<float>(kY).data),
                          reinterpret_cast<const std::byte*>(x.data), bytes_of(x), gpu::stream_of(call));
}

// ---- For comparison: a kernel that reads the host's memory -----------------------------------------
__global__ void fetch(const float* x, float* y, std::int64_t n) {
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += step) y[i] = x[i];
}

void fetched(const Call& call) {
  const auto x = call.input<float>(kX);
  fetch<<<8 * gpu::processors(), kThreads, 0, gpu::stream_of(call)>>>(x.data, call.output<float>(kY).data,
                                                                      x.size);
  gpu::check_launch("fetching from the host");
}

// ---- Registration ----------------------------------------------------------------------------------
// The baseline waits for the device; so that all are measured alike, all are timed as a caller sees them.
const Registration registered{{
    .id = "ch02/h2d_transfer",
    .title = "Host to device",
    .idea = "Lock the host's pages so that the device can fetch them by itself.",
    .bound = Bound::io,
    .tags = {"transfer", "pinned memory"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 20, 1 << 26}, .quick = {1 << 20}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants =
        {{.name = "pageable", .run = at_once, .note = "one copy from ordinary memory", .host_sync = true},
         {.name = "pinned",
          .run = pieces,
          .note = "from locked memory, in pieces on two streams",
          .prepare = prepare_pieces,
          .host_sync = true,
          .pinned = true},
         {.name = "fetched",
          .run = fetched,
          .note = "a kernel reads locked memory over the bus",
          .rung = Rung::informational,
          .host_sync = true,
          .pinned = true},
         {.name = "cudaMemcpyAsync",
          .run = at_once,
          .note = "one copy from locked memory",
          .rung = Rung::anchor,
          .host_sync = true,
          .pinned = true}},
}};

}  // namespace
}  // namespace aisp::h2d_transfer

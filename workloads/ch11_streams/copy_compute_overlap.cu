// SPDX-License-Identifier: Apache-2.0
// Copy and compute at once                                               chapter 11, streams
//
// The idea:          cut the data into pieces, and bring the next one while this one is computed and the
//                    last one leaves.
// What bounds it:    the slowest of three: the bus in, the multiprocessors, the bus out. 16 M floats are 67
//                    MB, 1.2 ms at 55 GB/s each way; 4096 rounds on them take about as long. One after the
//                    other they take the sum, at once the largest.
// What to look for:  copy engines and kernels on one timeline: a staircase, or three lanes side by side.
// Where it stops:    the first piece in and the last piece out overlap with nothing, so pieces are small;
//                    each costs some microseconds to start, so not too small. Ordinary pages of the host
//                    are copied by the processor first, and nothing overlaps.
#include <algorithm>
#include <cstdint>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_streams.cuh"
#include "workloads/mix.h"

namespace aisp::copy_compute_overlap {
namespace {

enum { kX };
enum { kY, kEcho };
constexpr int kThreads = 256;
constexpr std::int64_t kEchoEvery = 4096;

// ---- The problem: values come from the host, are stirred, and go back to it ------------------------------
/// What arrives on the host is no tensor of the harness's. Every 4096th value of it is sent back: `echo` is
/// right only where the results of this call have arrived.
Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {host_input<std::uint32_t>("x", {n}, {integers(0, 0xffffffff), integers(0, 255)}),
                      output<std::uint32_t>("y", {n}, exact()),
                      output<std::uint32_t>("echo", {(n + kEchoEvery - 1) / kEchoEvery}, exact())},
          .work = {.bytes = 4 * static_cast<double>(n),
                   .items = static_cast<double>(n),
                   .traffic = Traffic::from_host},
          .workspace_bytes = static_cast<std::size_t>(n) * sizeof(std::uint32_t)};
}

constexpr std::uint32_t kAdd = 1013904223u;

// ---- Reference -------------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<std::uint32_t>(kX);
  const auto rounds = static_cast<std::uint32_t>(call.params["rounds"]);
  for (std::int64_t i = 0; i < x.size; ++i) {
    const double y = mixed(x[i], kAdd, rounds);
    call.outputs[kY].value[static_cast<std::size_t>(i)] = y;
    if (i % kEchoEvery == 0) call.outputs[kEcho].value[static_cast<std::size_t>(i / kEchoEvery)] = y;
  }
}

__global__ void mix_in_double(const std::uint32_t* x, double* y, double* echo, std::int64_t n,
                              std::uint32_t rounds) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  y[i] = mixed(x[i], kAdd, rounds);
  if (i % kEchoEvery == 0) echo[i / kEchoEvery] = y[i];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<std::uint32_t>(kX);
  mix_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, call.outputs[kEcho].value, x.size,
      static_cast<std::uint32_t>(call.params["rounds"]));
  gpu::check_launch("mixing by reference");
}

// ---- What all rungs do with a piece ----------------------------------------------------------------------
__global__ void mix_piece(std::uint32_t* y, std::int64_t n, std::uint32_t rounds) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = mix(y[i], kAdd, rounds);
}

/// Reads the host's memory over the bus.
__global__ void send_back(const std::uint32_t* arrived, std::uint32_t* echo, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i * kEchoEvery < n) echo[i] = arrived[i * kEchoEvery];
}

constexpr int kStreams = 3;

struct Plan {
  gpu::Pinned<std::uint32_t> arrived;  ///< on the host
  gpu::Stream streams[kStreams];
  gpu::Event forked, joined[kStreams];
};

std::shared_ptr<void> prepare(const Setup& setup) {
  auto plan = std::make_shared<Plan>();
  plan->arrived = gpu::pinned_for<std::uint32_t>(static_cast<std::size_t>(setup.params["n"]));
  return plan;
}

/// In, computed in place, and out again, in the order of the stream.
void queue_piece(const Call& call, std::int64_t first, std::int64_t count, cudaStream_t stream) {
  const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
  std::uint32_t* y = call.output<std::uint32_t>(kY).data + first;
  gpu::check(
      cudaMemcpyAsync(y, call.input<std::uint32_t>(kX).data + first, bytes, cudaMemcpyHostToDevice, stream),
      "copying a piece to the device");
  mix_piece<<<gpu::blocks_for(count, kThreads), kThreads, 0, stream>>>(
      y, count, static_cast<std::uint32_t>(call.params()["rounds"]));
  gpu::check_launch("mixing a piece");
  gpu::check(
      cudaMemcpyAsync(call.plan<Plan>().arrived.get() + first, y, bytes, cudaMemcpyDeviceToHost, stream),
      "copying a piece to the host");
}

void queue_echo(const Call& call) {
  const auto n = call.params()["n"];
  const auto echo = call.output<std::uint32_t>(kEcho);
  send_back<<<gpu::blocks_for(echo.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.plan<Plan>().arrived.get(), echo.data, n);
  gpu::check_launch("sending samples back");
}

// ---- Baseline: all in, all computed, all out -------------------------------------------------------------
void serial(const Call& call) {
  queue_piece(call, 0, call.params()["n"], gpu::stream_of(call));
  queue_echo(call);
}

// ---- The idea --------------------------------------------------------------------------------------------
// A device has engines that copy, one for each direction, beside its multiprocessors. A stream keeps them
// busy one at a time: its order says that a copy waits for the kernel before it. Pieces do not depend on each
// other, so they go to different streams, in turn. While the first piece is computed, the second comes in;
// when the first goes out, the second is computed and the third comes in.
//
// Three streams are enough for three engines. In between they follow the caller's stream and are followed by
// it: whoever waits for the call waits for all of its pieces.

// ---- Optimised: pieces on streams, in turn ---------------------------------------------------------------
template <int kPieces, int kUsed>
void pieces(const Call& call) {
  auto& plan = call.plan<Plan>();
  const cudaStream_t caller = gpu::stream_of(call);
  const std::int64_t n = call.params()["n"], each = (n + kPieces - 1) / kPieces;
  for (int s = 0; s < kUsed; ++s) gpu::follow(plan.streams[s], caller, plan.forked);
  int turn = 0;
  for (std::int64_t first = 0; first < n; first += each, ++turn)
    queue_piece(call, first, std::min(each, n - first), plan.streams[turn % kUsed]);
  for (int s = 0; s < kUsed; ++s) gpu::follow(caller, plan.streams[s], plan.joined[s]);
  queue_echo(call);
}

// ---- Registration ----------------------------------------------------------------------------------------
// Copies pass the gate that holds kernels back, so all are timed from the call until the device is idle.
const Registration registered{{
    .id = "ch11/copy_compute_overlap",
    .title = "Copy and compute at once",
    .idea = "Bring the next piece while this one is computed and the last one leaves.",
    .bound = Bound::io,
    .tags = {"transfer", "streams", "pinned memory"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 24}, .small = 34571},
             {.name = "rounds", .values = {64, 1024, 4096}, .quick = {4096}, .small = 9}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "serial",
                  .run = serial,
                  .note = "all in, all computed, all out",
                  .prepare = prepare,
                  .host_sync = true,
                  .pinned = true},
                 {.name = "two_streams",
                  .run = CallFunction(pieces<16, 2>),
                  .note = "16 pieces on two streams",
                  .prepare = prepare,
                  .host_sync = true,
                  .pinned = true},
                 {.name = "three_streams",
                  .run = CallFunction(pieces<16, 3>),
                  .note = "16 pieces on three streams",
                  .prepare = prepare,
                  .host_sync = true,
                  .pinned = true}},
}};

}  // namespace
}  // namespace aisp::copy_compute_overlap

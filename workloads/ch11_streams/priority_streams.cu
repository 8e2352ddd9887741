// SPDX-License-Identifier: Apache-2.0
// Streams with priority                                                  chapter 11, streams
//
// The idea:          work that somebody waits for goes to a stream of high priority: its blocks take the
//                    next places that become free.
// What bounds it:    the longer of the two: 16,384 blocks of bulk work, and a chain of 96 short kernels
//                    that need each other. One after the other they take the sum of both.
// What to look for:  `first_answer_us`: when the first short kernel was done. Time of the call: when all
//                    was.
// Where it stops:    nobody is thrown out. A short kernel waits until blocks end; bulk work in long blocks
//                    makes it wait long.
#include <cstdint>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_streams.cuh"
#include "workloads/mix.h"

namespace aisp::priority_streams {
namespace {

enum { kBulk, kShort };
enum { kBulkOut, kShortOut };
constexpr int kThreads = 64, kLinks = 96;
constexpr unsigned kTileBytes =
    56 * 1024;  ///< of shared memory, as a tile takes: four blocks fit a multiprocessor
constexpr std::int64_t kShortValues = 16 * kThreads;
constexpr std::uint32_t kBulkRounds = 16000, kShortRounds = 4000, kAdd = 1013904223u;

/// Of a block of the bulk work: from one to three times a half, so that blocks do not all end at once.
constexpr std::uint32_t bulk_rounds(std::int64_t i) {
  const auto block = static_cast<std::uint32_t>(i / kThreads);
  return kBulkRounds / 2 + mixed(block, kAdd, 3) % kBulkRounds;
}

// ---- The problem: much work that can wait, and a chain of little that cannot ------------------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto any = {integers(0, 0xffffffff), integers(0, 255)};
  return {
      .tensors = {input<std::uint32_t>("bulk", {n}, any), input<std::uint32_t>("short", {kShortValues}, any),
                  output<std::uint32_t>("bulk_out", {n}, exact()),
                  output<std::uint32_t>("short_out", {kShortValues}, exact())},
      .work = {.bytes = 8 * static_cast<double>(n + kShortValues), .items = kLinks}};
}

// ---- Reference -------------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto bulk = call.input<std::uint32_t>(kBulk), urgent = call.input<std::uint32_t>(kShort);
  for (std::int64_t i = 0; i < bulk.size; ++i)
    call.outputs[kBulkOut].value[static_cast<std::size_t>(i)] = mixed(bulk[i], kAdd, bulk_rounds(i));
  for (std::int64_t i = 0; i < urgent.size; ++i)
    call.outputs[kShortOut].value[static_cast<std::size_t>(i)] =
        mixed(urgent[i], kAdd, kLinks * kShortRounds);
}

__global__ void mix_in_double(const std::uint32_t* x, double* y, std::int64_t n, std::uint32_t rounds) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = mixed(x[i], kAdd, rounds == 0 ? bulk_rounds(i) : rounds);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto bulk = call.input<std::uint32_t>(kBulk);
  mix_in_double<<<gpu::blocks_for(bulk.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      bulk.data, call.outputs[kBulkOut].value, bulk.size, 0);
  mix_in_double<<<gpu::blocks_for(kShortValues, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<std::uint32_t>(kShort).data, call.outputs[kShortOut].value, kShortValues,
      kLinks * kShortRounds);
  gpu::check_launch("mixing by reference");
}

// ---- What all rungs queue --------------------------------------------------------------------------------
__global__ void __launch_bounds__(kThreads)
    do_bulk(const std::uint32_t* x, std::uint32_t* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = mix(x[i], kAdd, bulk_rounds(i));
}

__global__ void __launch_bounds__(kThreads)
    do_link(const std::uint32_t* x, std::uint32_t* y, std::uint32_t rounds) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  y[i] = mix(x[i], kAdd, rounds);
}

struct Plan {
  explicit Plan(int priority) : urgent(priority), begin(cudaEventDefault), first(cudaEventDefault) {
    gpu::check(cudaFuncSetAttribute(do_bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, kTileBytes),
               "allowing bulk work its tiles");
    gpu::check(cudaFuncSetAttribute(do_link, cudaFuncAttributeMaxDynamicSharedMemorySize, kTileBytes),
               "allowing a link its tile");
  }
  gpu::Stream urgent;
  gpu::Event begin, first, forked, joined;
};

/// Bulk work first, then the chain on `stream`.
void queue(const Call& call, cudaStream_t stream) {
  auto& plan = call.plan<Plan>();
  const cudaStream_t caller = gpu::stream_of(call);
  gpu::check(cudaEventRecord(plan.begin, caller), "marking the beginning");
  if (stream != caller) gpu::follow(stream, caller, plan.forked);
  const auto bulk = call.input<std::uint32_t>(kBulk);
  do_bulk<<<gpu::blocks_for(bulk.size, kThreads), kThreads, kTileBytes, caller>>>(
      bulk.data, call.output<std::uint32_t>(kBulkOut).data, bulk.size);
  std::uint32_t* out = call.output<std::uint32_t>(kShortOut).data;
  for (int link = 0; link < kLinks; ++link) {
    do_link<<<kShortValues / kThreads, kThreads, kTileBytes, stream>>>(
        link == 0 ? call.input<std::uint32_t>(kShort).data : out, out, kShortRounds);
    if (link == 0) gpu::check(cudaEventRecord(plan.first, stream), "marking the first answer");
  }
  gpu::check_launch("queueing bulk work and a chain");
  if (stream != caller) gpu::follow(caller, stream, plan.joined);
  gpu::check(cudaStreamSynchronize(caller), "waiting for all");
  float milliseconds = 0;
  gpu::check(cudaEventElapsedTime(&milliseconds, plan.begin, plan.first),
             "reading when the first answer came");
  call.metric("first_answer_us", 1000.0 * milliseconds);
}

std::shared_ptr<void> prepare_equal(const Setup& /*setup*/) { return std::make_shared<Plan>(0); }

// ---- Baseline: in the order in which it came -------------------------------------------------------------
void first_come(const Call& call) { queue(call, gpu::stream_of(call)); }

// ---- The idea --------------------------------------------------------------------------------------------
// A stream of its own lets a kernel start before others have ended, but not before all their blocks have
// started: blocks that are already queued come first. With a higher priority it is the other way round:
// whenever a block ends, the place goes to the stream that is more urgent. The chain runs through the bulk
// work as if that were not there, and the bulk work loses no more than the places that the chain takes.

// ---- Optimised: a stream of high priority ----------------------------------------------------------------
std::shared_ptr<void> prepare_urgent(const Setup& /*setup*/) {
  int least = 0, greatest = 0;
  gpu::check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "asking for priorities");
  return std::make_shared<Plan>(greatest);
}

void beside(const Call& call) { queue(call, call.plan<Plan>().urgent); }

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch11/priority_streams",
    .title = "Streams with priority",
    .idea = "Work that somebody waits for takes the next places that become free.",
    .bound = Bound::latency,
    .tags = {"streams", "scheduling"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 20}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "first_come",
                  .run = first_come,
                  .note = "one stream: the chain waits for the bulk work",
                  .prepare = prepare_equal,
                  .host_sync = true},
                 {.name = "two_streams",
                  .run = beside,
                  .note = "a stream of its own, no priority",
                  .prepare = prepare_equal,
                  .rung = Rung::informational,
                  .host_sync = true},
                 {.name = "priority",
                  .run = beside,
                  .note = "a stream of high priority",
                  .prepare = prepare_urgent,
                  .host_sync = true}},
}};

}  // namespace
}  // namespace aisp::priority_streams

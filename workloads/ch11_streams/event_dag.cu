// SPDX-License-Identifier: Apache-2.0
// Events instead of waiting                                              chapter 11, streams
//
// The idea:          say which kernel needs which, with events, instead of waiting for all of them on the
//                    host.
// What bounds it:    the longest chain of kernels that need each other. In each of 8 levels one of 4
//                    kernels takes 16 times as long as the others; every chain meets at most four of those.
// What to look for:  how many kernels run at once, and the gaps after each level.
// Where it stops:    kernels that fill the device by themselves: side by side they are no faster. An event
//                    that is recorded and waited for costs the host a microsecond or two.
#include <cstdint>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_streams.cuh"
#include "workloads/mix.h"

namespace aisp::event_dag {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256, kBranches = 4, kStages = 8;

// ---- The problem: branches that exchange what they have --------------------------------------------------
/// A stage of a branch stirs its values with those of the branch before it, from the stage before: every
/// kernel needs two of the level above. How long it stirs differs from branch to branch and stage to stage.
constexpr std::uint32_t rounds_of(int stage, int branch) {
  return (stage + branch) % kBranches == 0 ? 16000u : 1000u;
}

Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto values = static_cast<double>(n) * kBranches;
  return {.tensors = {input<std::uint32_t>("x", {kBranches, n}, {integers(0, 0xffffffff), integers(0, 255)}),
                      output<std::uint32_t>("y", {kBranches, n}, exact())},
          .work = {.bytes = 8 * values, .items = values},
          .workspace_bytes = static_cast<std::size_t>(n) * (kStages - 1) * kBranches * sizeof(std::uint32_t)};
}

// ---- Reference -------------------------------------------------------------------------------------------
/// All branches at place i.
__host__ __device__ void all_stages(const std::uint32_t* x, std::int64_t n, std::int64_t i, double* y) {
  std::uint32_t v[kBranches], before[kBranches];
  for (int b = 0; b < kBranches; ++b) v[b] = x[b * n + i];
  for (int stage = 0; stage < kStages; ++stage) {
    for (int b = 0; b < kBranches; ++b) before[b] = v[b];
    for (int b = 0; b < kBranches; ++b)
      v[b] = mixed(before[b], before[(b + kBranches - 1) % kBranches], rounds_of(stage, b));
  }
  for (int b = 0; b < kBranches; ++b) y[b * n + i] = v[b];
}

void reference(const ReferenceCall& call) {
  const auto n = call.params["n"];
  for (std::int64_t i = 0; i < n; ++i)
    all_stages(call.input<std::uint32_t>(kX).data, n, i, call.outputs[kY].value.data());
}

__global__ void stages_in_double(const std::uint32_t* x, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) all_stages(x, n, i, y);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = call.params["n"];
  stages_in_double<<<gpu::blocks_for(n, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<std::uint32_t>(kX).data, call.outputs[kY].value, n);
  gpu::check_launch("all stages by reference");
}

// ---- A stage of a branch ---------------------------------------------------------------------------------
__global__ void stir(const std::uint32_t* own, const std::uint32_t* before, std::uint32_t* out,
                     std::int64_t n, std::uint32_t rounds) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) out[i] = mix(own[i], before[i], rounds);
}

struct Plan {
  /// A place for every stage, so that kernels wait for what they read and never for who reads.
  gpu::Memory<std::uint32_t> after[kStages - 1];
  gpu::Stream streams[kBranches];
  gpu::Event forked, joined[kBranches], done[kStages][kBranches];
};

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto count = static_cast<std::size_t>(setup.params["n"]) * kBranches;
  auto plan = std::make_shared<Plan>();
  for (auto& memory : plan->after) memory = gpu::memory_for<std::uint32_t>(count);
  return plan;
}

void queue_stage(const Call& call, int stage, int branch, cudaStream_t stream) {
  const auto& plan = call.plan<Plan>();
  const auto n = call.params()["n"];
  const auto after = [&](int s) {
    return s == kStages - 1 ? call.output<std::uint32_t>(kY).data : plan.after[s].get();
  };
  const std::uint32_t* from = stage == 0 ? call.input<std::uint32_t>(kX).data : after(stage - 1);
  stir<<<gpu::blocks_for(n, kThreads), kThreads, 0, stream>>>(
      from + branch * n, from + (branch + kBranches - 1) % kBranches * n, after(stage) + branch * n, n,
      rounds_of(stage, branch));
  gpu::check_launch("stirring");
}

void fork(const Call& call) {
  auto& plan = call.plan<Plan>();
  for (const gpu::Stream& stream : plan.streams) gpu::follow(stream, gpu::stream_of(call), plan.forked);
}

void join(const Call& call) {
  auto& plan = call.plan<Plan>();
  for (int b = 0; b < kBranches; ++b) gpu::follow(gpu::stream_of(call), plan.streams[b], plan.joined[b]);
}

// ---- Baseline: a stream for each branch, and the host waits after each level ------------------------------
void levels(const Call& call) {
  const auto& plan = call.plan<Plan>();
  fork(call);
  for (int stage = 0; stage < kStages; ++stage) {
    for (int b = 0; b < kBranches; ++b) queue_stage(call, stage, b, plan.streams[b]);
    for (const gpu::Stream& stream : plan.streams)
      gpu::check(cudaStreamSynchronize(stream), "waiting for a level");
  }
  join(call);
}

// ---- The idea --------------------------------------------------------------------------------------------
// A wait on the host says more than is meant: that nothing may begin until everything is over. The device is
// idle until the host has woken up and launched again, and a branch that is done waits for the slowest.
//
// An event is a mark in a stream. Another stream that is told to wait for it does so on the device, and for
// nothing else. Each kernel waits for the two whose results it reads: one is before it in its own stream, the
// other has left an event. The host queues the whole graph and goes on, and a slow kernel holds up those that
// need it, and nobody else.

// ---- Optimised: a kernel waits for those it reads --------------------------------------------------------
void events(const Call& call) {
  auto& plan = call.plan<Plan>();
  fork(call);
  for (int stage = 0; stage < kStages; ++stage) {
    for (int b = 0; b < kBranches; ++b) {
      const int before = (b + kBranches - 1) % kBranches;
      if (stage > 0)
        gpu::check(cudaStreamWaitEvent(plan.streams[b], plan.done[stage - 1][before], 0),
                   "waiting for a branch");
      queue_stage(call, stage, b, plan.streams[b]);
      gpu::check(cudaEventRecord(plan.done[stage][b], plan.streams[b]), "marking a stage");
    }
  }
  join(call);
}

// ---- For comparison: all in one stream -------------------------------------------------------------------
void one_stream(const Call& call) {
  for (int stage = 0; stage < kStages; ++stage)
    for (int b = 0; b < kBranches; ++b) queue_stage(call, stage, b, gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
// The baseline waits for the device; so that all are measured alike, all are timed as a caller sees them.
const Registration registered{{
    .id = "ch11/event_dag",
    .title = "Events instead of waiting",
    .idea = "Say which kernel needs which with events instead of waiting for all of them.",
    .bound = Bound::synchronisation,
    .tags = {"streams", "events"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 13}, .small = 1027}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "levels",
                  .run = levels,
                  .note = "a stream a branch; the host waits after each level",
                  .prepare = prepare,
                  .host_sync = true},
                 {.name = "events",
                  .run = events,
                  .note = "each kernel waits for those it reads, on the device",
                  .prepare = prepare,
                  .host_sync = true},
                 {.name = "one_stream",
                  .run = one_stream,
                  .note = "one after the other, no waiting on the host",
                  .prepare = prepare,
                  .rung = Rung::informational,
                  .host_sync = true}},
}};

}  // namespace
}  // namespace aisp::event_dag

// SPDX-License-Identifier: Apache-2.0
// Variants that find out whether somebody records them, and work as they should only then. Otherwise half of
// the work follows on another stream, when the timed one is over already. Answers are right either way.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp {
namespace {

constexpr int kThreads = 256;
constexpr long long kHalf = 24'000;  ///< cycles that half of the work takes: 12 us at 2 GHz

/// Takes its time, and doubles what is in [from, to).
__global__ void double_slowly(const float* x, float* y, std::int64_t from, std::int64_t to,
                              long long cycles) {
  const long long start = clock64();
  while (clock64() - start < cycles) {
  }
  const std::int64_t i = from + std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < to) y[i] = 2 * x[i];
}

void launch(const Call& call, cudaStream_t stream, std::int64_t from, std::int64_t to, long long cycles) {
  double_slowly<<<gpu::blocks_for(to - from, kThreads), kThreads, 0, stream>>>(
      call.input<float>(0).data, call.output<float>(0).data, from, to, cycles);
  gpu::check_launch("doubling slowly");
}

/// Looks once: looking takes the host longer than launching, which host_only_launches would see.
bool watched() {
  static const bool found = [] {
    void* recorder = dlopen("libcupti.so.13", RTLD_NOLOAD | RTLD_LAZY);
    if (recorder != nullptr) dlclose(recorder);
    return recorder != nullptr;
  }();
  return found;
}

bool captured(const Call& call) {
  cudaStreamCaptureStatus status{};
  gpu::check(cudaStreamIsCapturing(gpu::stream_of(call), &status), "asking whether a call is captured");
  return status != cudaStreamCaptureStatusNone;
}

struct Side {
  cudaStream_t stream = nullptr;
  cudaEvent_t first_half = nullptr;
  Side() {
    gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
    gpu::check(cudaEventCreateWithFlags(&first_half, cudaEventDisableTiming), "making an event");
  }
};
std::shared_ptr<void> side(const Setup&) { return std::make_shared<Side>(); }

// ---- Honest ---------------------------------------------------------------------------------------
void whole(const Call& call) { launch(call, gpu::stream_of(call), 0, call.input<float>(0).size, 2 * kHalf); }
void halves(const Call& call) {
  const auto n = call.input<float>(0).size;
  launch(call, gpu::stream_of(call), 0, n / 2, kHalf);
  launch(call, gpu::stream_of(call), n / 2, n, kHalf);
}

// ---- Attacks --------------------------------------------------------------------------------------
void half_aside(const Call& call) {
  auto& plan = call.plan<Side>();
  const auto n = call.input<float>(0).size;
  launch(call, gpu::stream_of(call), 0, n / 2, kHalf);
  if (captured(call)) return;  // the other stream would be captured too, and never joined
  gpu::check(cudaEventRecord(plan.first_half, gpu::stream_of(call)), "recording the first half");
  gpu::check(cudaStreamWaitEvent(plan.stream, plan.first_half), "waiting for the first half");
  launch(call, plan.stream, n / 2, n, kHalf);
}
/// As many kernels as it is seen with, half as long.
void watched_time(const Call& call) {
  if (watched() || captured(call)) return whole(call);
  half_aside(call);
}
/// Two kernels when it is seen, one when it is timed.
void watched_kernels(const Call& call) {
  if (watched()) return halves(call);
  half_aside(call);
}

// ---- Registration ---------------------------------------------------------------------------------
Problem doubled_problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<float>("x", {n}, {uniform(0, 1), uniform(1, 2)}),
                      output<float>("y", {n}, roundings(DType::f32, 1))},
          .work = {.bytes = 8.0 * static_cast<double>(n)}};
}
void doubled_reference(const ReferenceCall& call) {
  const auto x = call.input<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[0].value[static_cast<std::size_t>(i)] = 2.0 * static_cast<double>(x[i]);
}

Workload watching(const std::string& name, CallFunction run) {
  return {.id = "attack/" + name,
          .title = name,
          .idea = "Do as one should while somebody looks.",
          .bound = Bound::compute,
          .device = DeviceKind::cuda,
          .axes = {{"n", {1 << 16}, {}, 1027}},
          .problem = doubled_problem,
          .reference = doubled_reference,
          .variants = {{.name = "baseline", .run = Run(CallFunction(whole))},
                       {.name = name, .run = Run(run), .prepare = side}}};
}

const Registration registered[] = {watching("honest_halves", halves), watching("watched_time", watched_time),
                                   watching("watched_kernels", watched_kernels)};

}  // namespace
}  // namespace aisp

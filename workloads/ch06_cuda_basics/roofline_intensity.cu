// SPDX-License-Identifier: Apache-2.0
// Roofline on a GPU                                                      chapter 6, CUDA basics
//
// The idea:          work on what is already in registers is free until arithmetic takes longer than
//                    memory.
// What bounds it:    8 bytes a value, or 2 k flops a value, whichever takes longer. On an H200 (4.3 TB/s,
//                    60 TFLOP/s) they meet at 14 flops a byte: k = 56 steps.
// What to look for:  time against `k`: level up to the knee, then proportional. Left of the knee a kernel
//                    is judged by its bytes, right of it by its flops.
// Where it stops:    a roof is reached only with enough in flight. One value a thread leaves the units
//                    waiting for each other's results on the right, and memory short of requests on the
//                    left.
#include "workloads/ch06_cuda_basics/roofline_intensity.h"

#include <cmath>
#include <cstdint>

#include "aisp/core/ladder.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::roofline_intensity {
namespace {

constexpr int kThreads = 256;

// ---- The problem and the reference: roofline_intensity.h; the reference on the device --------------------
__global__ void steps_in_double(const float* x, double* value, double* scale, std::int64_t n,
                                std::int64_t k) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) after_steps(x[i], pow(double{kA}, static_cast<double>(k)), value[i], scale[i]);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  steps_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, call.outputs[kY].scale, x.size, call.params["k"]);
  gpu::check_launch("steps by reference");
}

// ---- Baseline: a step a pass over memory ------------------------------------------------------------------
/// One flop for every four bytes, however many steps there are: what a library of small operations does.
__global__ void __launch_bounds__(kThreads) one_step(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = fmaf(kA, x[i], kB);
}

/// At most so many passes: further steps are made in the last, so that large k do not take seconds.
constexpr std::int64_t kMostPasses = 16;

// ---- The idea --------------------------------------------------------------------------------------------
// A value that has been fetched can be used again at no cost in bytes. k steps in one pass have k times the
// intensity of one step, in flops for each byte, and take no longer, until the multiprocessors have as much
// to do as memory has: the knee of the roofline. Beyond it a kernel is as fast as its arithmetic; there,
// several values a thread help, because one step has to wait for the one before.

// ---- Optimised: all steps in one pass, one value a thread or four ----------------------------------------
__device__ float step(float v, float a, float b) { return fmaf(a, v, b); }
__device__ float4 step(float4 v, float a, float b) {
  return {fmaf(a, v.x, b), fmaf(a, v.y, b), fmaf(a, v.z, b), fmaf(a, v.w, b)};
}

template <class Piece>
__global__ void __launch_bounds__(kThreads)
    all_steps(const Piece* x, Piece* y, std::int64_t count, std::int64_t k, float a, float b) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  Piece v = x[i];
#pragma unroll 16
  for (std::int64_t s = 0; s < k; ++s) v = step(v, a, b);
  y[i] = v;
}

template <class Piece>
void launch_steps(const float* x, float* y, std::int64_t count, std::int64_t k, cudaStream_t stream) {
  all_steps<<<gpu::blocks_for(count, kThreads), kThreads, 0, stream>>>(
      reinterpret_cast<const Piece*>(x), reinterpret_cast<Piece*>(y), count, k, kA, kB);
  gpu::check_launch("all steps in one pass");
}

void passes(const Call& call) {
  const auto x = call.input<float>(kX);
  float* y = call.output<float>(kY).data;
  const std::int64_t k = call.params()["k"], alone = std::min(k, kMostPasses) - 1;
  const float* from = x.data;
  for (std::int64_t pass = 0; pass < alone; ++pass, from = y)
    one_step<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(from, y, x.size);
  launch_steps<float>(from, y, x.size, k - alone, gpu::stream_of(call));
}

void one_pass(const Call& call) {
  const auto x = call.input<float>(kX);
  launch_steps<float>(x.data, call.output<float>(kY).data, x.size, call.params()["k"], gpu::stream_of(call));
}

void four_values(const Call& call) {
  const auto x = call.input<float>(kX);
  float* y = call.output<float>(kY).data;
  const std::int64_t fours = x.size / 4, rest = x.size % 4, k = call.params()["k"];
  if (fours > 0) launch_steps<float4>(x.data, y, fours, k, gpu::stream_of(call));
  if (rest > 0) launch_steps<float>(x.data + 4 * fours, y + 4 * fours, rest, k, gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch06/roofline_intensity",
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 26}, .small = 34571},
             {.name = "k", .values = {1, 4, 16, 32, 64, 128, 256, 1024}, .quick = {16}, .small = 37}},
    .reference = reference_on_device,
    .variants = {{.name = "passes", .run = passes, .note = "a pass over memory a step, at most 16"},
                 {.name = "one_pass", .run = one_pass, .note = "all steps in one pass, a value a thread"},
                 {.name = "four_values",
                  .run = four_values,
                  .note = "four values a thread, 16-byte accesses"}},
}};

}  // namespace
}  // namespace aisp::roofline_intensity

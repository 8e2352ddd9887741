// SPDX-License-Identifier: Apache-2.0
// Divergence                                                 chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          the lanes of a warp share one instruction: bring those of one kind together, or make
//                    the kinds differ in numbers instead of in code.
// What bounds it:    instructions. 64 steps of 2 to 5 multiply-adds a value, 264 on average: 16 M values at
//                    128 lanes a clock, 132 multiprocessors and 1.9 GHz take 138 µs; their 151 MB 35 µs. A
//                    warp with all eight kinds in it runs all eight codes: 33 multiply-adds a step, 1.1 ms.
// What to look for:  active lanes for each instruction: 4 of 32 in the baseline, 28 when sorted, 32 when
//                    uniform.
// Where it stops:    sorting takes instructions too, and three barriers: shorter work than this is not worth
//                    it. One formula for all kinds does for each what the dearest needs.
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::divergence {
namespace {

enum { kX, kKind };
enum { kY };
constexpr int kThreads = 256, kKinds = 8, kSteps = 64;

// ---- The problem: 64 steps of x -= h x (c0 + c1 |x| + c2 |x|^2 + c3 |x|^3) -------------------------
// A speed under one of eight laws of drag: bit i of a value's kind says whether term i + 1 is there. Every
// step brings neighbours closer together, so roundings do not grow.
constexpr float kStep = 1.0f / 32, kLinear = 0.5f;
constexpr float coefficient(int term) { return 0.25f / static_cast<float>(1 << term); }

Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto count = static_cast<double>(n);
  return {.tensors = {input<float>("x", {n}, {uniform(-2, 2), wide_range(-20, 1)}),
                      input<std::uint8_t>("kind", {n}, {integers(0, kKinds - 1)}),
                      output<float>("y", {n}, roundings(DType::f32, 2 * kSteps))},
          .work = {.bytes = 9 * count, .flops = 2 * 33.0 / kKinds * kSteps * count, .items = count}};
}

// ---- Reference: the definition, in double ----------------------------------------------------------
template <class Real>
constexpr Real slowed_in(Real x, int kind) {
  for (int step = 0; step < kSteps; ++step) {
    const Real size = x < 0 ? -x : x;
    Real rate = kLinear, power = size;
    for (int term = 0; term < 3; ++term, power *= size)
      rate += (kind >> term & 1) != 0 ? coefficient(term) * power : 0;
    x -= kStep * x * rate;
  }
  return x;
}

void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const auto kind = call.input<std::uint8_t>(kKind);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = slowed_in<double>(x[i], kind[i]);
}

__global__ void slow_in_double(const float* x, const std::uint8_t* kind, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = slowed_in<double>(x[i], kind[i]);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  slow_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.input<std::uint8_t>(kKind).data, call.outputs[kY].value, x.size);
  gpu::check_launch("slowing down by reference");
}

// ---- Baseline: a branch for each kind --------------------------------------------------------------
/// The law of one kind, with no more terms than it has.
template <int kOf>
__device__ float slowed(float x) {
  constexpr float kFirst = (kOf & 1) != 0 ? coefficient(0) : 0, kSecond = (kOf & 2) != 0 ? coefficient(1) : 0;
#pragma unroll 16
  for (int step = 0; step < kSteps; ++step) {
    const float size = fabsf(x);
    float rate = kSecond;
    if constexpr ((kOf & 4) != 0) rate = fmaf(size, coefficient(2), kSecond);
    rate = kOf > 1 ? fmaf(size, rate, kFirst) : kFirst;
    rate = kOf > 0 ? fmaf(size, rate, kLinear) : kLinear;
    x = fmaf(-kStep * x, rate, x);
  }
  return x;
}

__device__ float slowed_by_kind(float x, int kind) {
  switch (kind) {
    case 0:
      return slowed<0>(x);
    case 1:
      return slowed<1>(x);
    case 2:
      return slowed<2>(x);
    case 3:
      return slowed<3>(x);
    case 4:
      return slowed<4>(x);
    case 5:
      return slowed<5>(x);
    case 6:
      return slowed<6>(x);
    default:
      return slowed<7>(x);
  }
}

/// A thread a value.
__global__ void __launch_bounds__(kThreads)
    slow_by_branches(const float* x, const std::uint8_t* kind, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = slowed_by_kind(x[i], kind[i]);
}

// ---- The idea --------------------------------------------------------------------------------------
// Where lanes disagree about a branch, the warp runs one side after the other, and those that are elsewhere
// wait. So sort: a block takes 2048 values, counts the kinds, and hands them out again kind by kind. Of its
// 64 groups of 32 then at most seven have two kinds in them. Each result goes back to where its value came
// from. That works for any code.
//
// Better still if there is only one code. These laws differ in three coefficients, and a term that is not
// there has a coefficient of zero: a few multiplications too many for most values, but never a branch.

// ---- Optimised 1: a block's values sorted by kind --------------------------------------------------
constexpr int kEach = 8, kPart = kThreads * kEach;

__global__ void __launch_bounds__(kThreads)
    slow_sorted(const float* x, const std::uint8_t* kind, float* y, std::int64_t n) {
  __shared__ int counts[kKinds];
  __shared__ float values[kPart], results[kPart];
  __shared__ std::uint16_t origins[kPart];  // with the kind in the upper bits
  static_assert(kPart * kKinds <= 1 << 16);
  const int thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = std::int64_t{blockIdx.x} * kPart;
  const int count = static_cast<int>(min(std::int64_t{kPart}, n - first));
  if (thread < kKinds) counts[thread] = 0;
  __syncthreads();

  int kinds[kEach], ranks[kEach];  // a value's place among those of its kind; in which order does not matter
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    const int at = e * kThreads + thread;
    kinds[e] = at < count ? kind[first + at] : kKinds;  // lanes beyond the end are a kind of their own
    const unsigned same = __match_any_sync(gpu::kAllLanes, kinds[e]);
    const int leader = __ffs(static_cast<int>(same)) - 1;
    int before = 0;
    if (gpu::lane_index() == leader && kinds[e] < kKinds) before = atomicAdd(&counts[kinds[e]], __popc(same));
    ranks[e] = __shfl_sync(gpu::kAllLanes, before, leader) + __popc(same & ((1u << gpu::lane_index()) - 1));
  }
  __syncthreads();
#pragma unroll
  for (int e = 0; e < kEach; ++e) {
    if (kinds[e] >= kKinds) continue;
    int place = ranks[e];
#pragma unroll
    for (int k = 0; k < kKinds - 1; ++k) place += k < kinds[e] ? counts[k] : 0;
    const int at = e * kThreads + thread;
    values[place] = x[first + at];
    origins[place] = static_cast<std::uint16_t>(at * kKinds + kinds[e]);
  }
  __syncthreads();
  for (int at = thread; at < count; at += kThreads) {
    const int origin = origins[at];
    results[origin / kKinds] = slowed_by_kind(values[at], origin % kKinds);
  }
  __syncthreads();
  for (int at = thread; at < count; at += kThreads) y[first + at] = results[at];
}

// ---- Optimised 2: one law with other coefficients --------------------------------------------------
__global__ void __launch_bounds__(kThreads)
    slow_uniformly(const float* x, const std::uint8_t* kind, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const int mine = kind[i];
  const float first = (mine & 1) != 0 ? coefficient(0) : 0, second = (mine & 2) != 0 ? coefficient(1) : 0,
              third = (mine & 4) != 0 ? coefficient(2) : 0;
  float speed = x[i];
#pragma unroll 16
  for (int step = 0; step < kSteps; ++step) {
    const float size = fabsf(speed);
    const float rate = fmaf(size, fmaf(size, fmaf(size, third, second), first), kLinear);
    speed = fmaf(-kStep * speed, rate, speed);
  }
  y[i] = speed;
}

using Kernel = void (*)(const float*, const std::uint8_t*, float*, std::int64_t);
template <Kernel kernel, int kValues>
void slow(const Call& call) {
  const auto x = call.input<float>(kX);
  kernel<<<gpu::blocks_for(x.size, kValues), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.input<std::uint8_t>(kKind).data, call.output<float>(kY).data, x.size);
  gpu::check_launch("slowing down");
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch08/divergence",
    .title = "Divergence",
    .idea = "Bring lanes of one kind together, or let kinds differ in numbers instead of in code.",
    .bound = Bound::compute,
    .tags = {"branches", "warp efficiency", "sorting"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 22, 1 << 24}, .quick = {1 << 24}, .small = 5003}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "branches",
                  .run = CallFunction(slow<slow_by_branches, kThreads>),
                  .note = "a branch for each kind, lanes mixed"},
                 {.name = "sorted",
                  .run = CallFunction(slow<slow_sorted, kPart>),
                  .note = "2048 values of a block sorted by kind first"},
                 {.name = "uniform",
                  .run = CallFunction(slow<slow_uniformly, kThreads>),
                  .note = "one formula, kinds differ in coefficients"}},
}};

}  // namespace
}  // namespace aisp::divergence

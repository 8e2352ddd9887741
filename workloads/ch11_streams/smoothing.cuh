// SPDX-License-Identifier: Apache-2.0
/// \file
/// A ring of values, smoothed again and again: a chain of short steps, each of which needs all of the one
/// before. The problem and the reference of ch11/graph_replay and ch12/persistent_barrier, and the chain as a
/// launch a step; the lessons are in their files.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_graph.cuh"

namespace aisp::smoothing {

enum { kX };
enum { kY };
constexpr int kThreads = 256;

// ---- The problem: a ring of values, smoothed again and again ---------------------------------------
/// A step is y[i] = x[i-1] / 4 + x[i] / 2 + x[i+1] / 4. It depends on the step before, so the steps cannot be
/// done at once; each rounds three times, and weights are positive: errors grow by no more than that.
inline Problem problem(const Params& p) {
  const auto n = p["n"], steps = p["steps"];
  return {.tensors = {input<float>("x", {n}, {uniform(-1, 1), wide_range(-10, 10)}),
                      output<float>("y", {n},
                                    reduction(DType::f32, DType::f32, 3.0 * static_cast<double>(steps)))},
          .work = {.bytes = 8 * static_cast<double>(n),
                   .flops = 4 * static_cast<double>(n) * static_cast<double>(steps),
                   .items = static_cast<double>(n) * static_cast<double>(steps)}};
}

// ---- Reference -------------------------------------------------------------------------------------
/// All steps together are one sum over 2 steps + 1 neighbours, weighted by binomial coefficients.
__host__ __device__ inline void smoothed(const float* x, std::int64_t n, std::int64_t i, std::int64_t steps,
                                         double& value, double& scale) {
  double weight = exp2(-2.0 * static_cast<double>(steps));
  value = scale = 0;
  for (std::int64_t k = 0; k <= 2 * steps; ++k) {
    const double neighbour = x[((i + k - steps) % n + n) % n];
    value += weight * neighbour;
    scale += weight * fabs(neighbour);
    weight *= static_cast<double>(2 * steps - k) / static_cast<double>(k + 1);
  }
}

inline void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t i = 0; i < x.size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    smoothed(x.data, x.size, i, call.params["steps"], y.value[at], y.scale[at]);
  }
}

static __global__ void smooth_in_double(const float* x, double* value, double* scale, std::int64_t n,
                                        std::int64_t steps) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) smoothed(x, n, i, steps, value[i], scale[i]);
}

static void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  smooth_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, call.outputs[kY].scale, x.size, call.params["steps"]);
  gpu::check_launch("smoothing by reference");
}

// ---- A launch a step ----------------------------------------------------------------------------------
static __global__ void smooth(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  const float before = x[i == 0 ? n - 1 : i - 1], after = x[i == n - 1 ? 0 : i + 1];
  y[i] = 0.25f * before + 0.5f * x[i] + 0.25f * after;
}

/// What lies between the first step and the last.
struct Between {
  gpu::Memory<float> one, other;
};

inline Between between(const Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.params["n"]);
  return {gpu::memory_for<float>(n), gpu::memory_for<float>(n)};
}

static void launch_steps(const Call& call, const Between& memory, cudaStream_t stream) {
  const auto x = call.input<float>(kX);
  const auto steps = call.params()["steps"];
  const float* from = x.data;
  for (std::int64_t s = 0; s < steps; ++s) {
    float* to = s == steps - 1 ? call.output<float>(kY).data : (s % 2 == 0 ? memory.one : memory.other).get();
    smooth<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, stream>>>(from, to, x.size);
    from = to;
  }
  gpu::check_launch("smoothing");
}

static std::shared_ptr<void> prepare_launches(const Setup& setup) {
  return std::make_shared<Between>(between(setup));
}

static void launches(const Call& call) { launch_steps(call, call.plan<Between>(), gpu::stream_of(call)); }

// ---- All steps recorded once, replayed with one call: see ch11/graph_replay ------------------------
struct Recorded {
  Between memory;
  gpu::Graphs graphs;
};

static std::shared_ptr<void> prepare_graphs(const Setup& setup) {
  auto plan = std::make_shared<Recorded>();
  plan->memory = between(setup);
  return plan;
}

static void graph(const Call& call) {
  auto& plan = call.plan<Recorded>();
  const auto steps = [&](cudaStream_t stream) { launch_steps(call, plan.memory, stream); };
  plan.graphs
      .of({call.input<float>(kX).data, call.output<float>(kY).data}, [&] { return gpu::record(steps); })
      .launch(gpu::stream_of(call));
}

}  // namespace aisp::smoothing

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A system of equations on a ring, solved by sweeping over it until nothing changes: how many sweeps that
/// takes is known only to whoever looks at the values. The problem, the reference and the sweep of
/// ch12/conditional_graph and ch12/device_graph_launch; the lessons are in their files.
///
/// x[i] = b[i] + 0.4 (x[i-1] + x[i+1]). Each step multiplies errors by no more than 0.8, so a change of at
/// most `kSettled` leaves an error of at most four times that.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::relaxation {

enum { kB };
enum { kX };
constexpr int kThreads = 256;
constexpr float kSettled = 0x1p-17f;

// ---- The problem -----------------------------------------------------------------------------------------
inline Problem problem(const Params& p) {
  const auto n = p["n"];
  // 4 kSettled, and as much again for rounding: a unit in the last place of 10, the largest value, five
  // times.
  return {
      .tensors = {input<float>("b", {n}, {uniform(1, 2), ties(-2, 2, 7)}),
                  output<float>("x", {n},
                                {.absolute = 8 * double{kSettled}, .reason = "stops at changes of 2^-17"})},
      .work = {.bytes = 8 * static_cast<double>(n), .items = static_cast<double>(n)},
      .workspace_bytes = static_cast<std::size_t>(n) * sizeof(float)};
}

// ---- Reference: the solution in closed form --------------------------------------------------------------
/// 0.4 (r + 1/r) = 1 has the solution r = 1/2: b[i + k] counts 5/3 2^-|k|.
__host__ __device__ inline double solution(const float* b, std::int64_t n, std::int64_t i) {
  constexpr int kReach = 60;
  double sum = b[i], weight = 1;
  for (int k = 1; k <= kReach; ++k) {
    weight /= 2;
    sum += weight * (double{b[(i + k) % n]} + b[((i - k) % n + n) % n]);
  }
  return 5 * sum / 3;
}

inline void reference(const ReferenceCall& call) {
  const auto b = call.input<float>(kB);
  for (std::int64_t i = 0; i < b.size; ++i)
    call.outputs[kX].value[static_cast<std::size_t>(i)] = solution(b.data, b.size, i);
}

static __global__ void solve_in_double(const float* b, double* x, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) x[i] = solution(b, n, i);
}

static void reference_on_device(const DeviceReferenceCall& call) {
  const auto b = call.input<float>(kB);
  solve_in_double<<<gpu::blocks_for(b.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      b.data, call.outputs[kX].value, b.size);
  gpu::check_launch("solving by reference");
}

// ---- A sweep: two steps, there and back ------------------------------------------------------------------
/// How far it is, in the device's memory.
struct Progress {
  unsigned changed, arrived;  ///< of the sweep that runs; zero before it and after it
  unsigned again;             ///< whether the last sweep still changed something
};

static __device__ bool step(const float* b, const float* from, float* to, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return false;
  const float before = from[i == 0 ? n - 1 : i - 1], after = from[i == n - 1 ? 0 : i + 1];
  const float value = b[i] + 0.4f * (before + after);
  to[i] = value;
  return fabsf(value - from[i]) > kSettled;
}

static __global__ void there(const float* b, const float* from, float* to, std::int64_t n) {
  step(b, from, to, n);
}

/// The block that arrives last knows whether any value changed, and calls decide(again) with one thread.
template <class Decide>
__global__ void back(const float* b, const float* from, float* to, std::int64_t n, Progress* progress,
                     Decide decide) {
  const bool changed = __syncthreads_or(step(b, from, to, n)) != 0;
  if (threadIdx.x != 0) return;
  if (changed) atomicOr(&progress->changed, 1u);
  __threadfence();
  if (atomicAdd(&progress->arrived, 1u) != gridDim.x - 1) return;
  const unsigned again = atomicExch(&progress->changed, 0u);
  progress->arrived = 0;
  progress->again = again;
  decide(again != 0);
}

struct Solver {
  gpu::Memory<float> between;
  gpu::Memory<Progress> progress;
};

inline Solver solver_for(const Setup& setup) {
  return {gpu::memory_for<float>(static_cast<std::size_t>(setup.params["n"])), gpu::memory_for<Progress>(1)};
}

/// The first guess is b itself.
inline void queue_guess(const Call& call, cudaStream_t stream) {
  const auto b = call.input<float>(kB);
  gpu::check(
      cudaMemcpyAsync(call.output<float>(kX).data, b.data, static_cast<std::size_t>(b.size) * sizeof(float),
                      cudaMemcpyDeviceToDevice, stream),
      "copying the first guess");
}

template <class Decide>
void queue_sweep(const Call& call, const Solver& solver, cudaStream_t stream, Decide decide) {
  const auto b = call.input<float>(kB);
  float* x = call.output<float>(kX).data;
  const unsigned blocks = gpu::blocks_for(b.size, kThreads);
  there<<<blocks, kThreads, 0, stream>>>(b.data, x, solver.between.get(), b.size);
  back<<<blocks, kThreads, 0, stream>>>(b.data, solver.between.get(), x, b.size, solver.progress.get(),
                                        decide);
  gpu::check_launch("sweeping");
}

// ---- Whether to go on, asked by the host -----------------------------------------------------------------
/// The device only keeps what it found.
struct KeepForHost {
  __device__ void operator()(bool) const {}
};

/// Copies the answer to the host and waits for it.
class Question {
 public:
  bool again(const Solver& solver, cudaStream_t stream) const {
    gpu::check(cudaMemcpyAsync(answer_.get(), &solver.progress.get()->again, sizeof(unsigned),
                               cudaMemcpyDeviceToHost, stream),
               "asking whether anything changed");
    gpu::check(cudaStreamSynchronize(stream), "waiting for the answer");
    return *answer_ != 0;
  }

 private:
  gpu::Pinned<unsigned> answer_ = gpu::pinned_for<unsigned>(1);
};

}  // namespace aisp::relaxation

// SPDX-License-Identifier: Apache-2.0
// Block shape                                                            chapter 6, CUDA basics
//
// The idea:          blocks so large that a multiprocessor is full of threads, and not so many of them that
//                    starting blocks is the work.
// What bounds it:    8 bytes a value, and one exp. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an H200
//                    copies.
// What to look for:  achieved occupancy. A multiprocessor holds 2048 threads, but no more than 32 blocks: of
//                    one warp each, these are 1024 threads, and memory hears from half as many as it could.
// Where it stops:    once the device is full, a larger block changes little; blocks that use much shared
//                    memory or many registers are full sooner (ch06/launch_bounds).
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::block_shape {
namespace {

enum { kX };
enum { kY };

// ---- The problem: y = x / (1 + exp(-x)), the activation SiLU ---------------------------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  // An exp that is right to two units in the last place, which are four roundings; an addition, a division.
  return {
      .tensors = {input<float>("x", {n}, {uniform(-8, 8), wide_range(-6, 6)}),
                  output<float>("y", {n}, roundings(DType::f32, 6))},
      .work = {
          .bytes = 8 * static_cast<double>(n), .items = static_cast<double>(n), .traffic = Traffic::copy}};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = x[i] / (1 + std::exp(-double{x[i]}));
}

__global__ void activate_in_double(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / (1 + exp(-double{x[i]}));
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  activate_in_double<<<gpu::blocks_for(x.size, 256), 256, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, x.size);
  gpu::check_launch("activating by reference");
}

// ---- Baseline: a warp a block ----------------------------------------------------------------------
/// The same kernel for all: a value a thread, in blocks of any size.
__global__ void activate(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] / (1 + expf(-x[i]));
}

void launch_activate(const Call& call, int threads) {
  const auto x = call.input<float>(kX);
  activate<<<gpu::blocks_for(x.size, threads), static_cast<unsigned>(threads), 0, gpu::stream_of(call)>>>(
      x.data, call.output<float>(kY).data, x.size);
  gpu::check_launch("activating");
}

/// A warp is what runs together, so a block of one looks natural.
void warp(const Call& call) { launch_activate(call, 32); }

// ---- The idea --------------------------------------------------------------------------------------
// Threads wait for memory; what hides that are other threads. How many fit is decided by whatever runs out
// first: 2048 threads, 32 blocks, 65,536 registers, the shared memory. With one warp a block it is the
// blocks. With two, all 2048 threads fit, but each block is started and ended for 64 values, and a place is
// empty meanwhile.
//
// The runtime knows the limits of the device and what the kernel needs, and says which block size fills it:
// the largest of the best, so that there are few to start. Ask it once; it does not look at the data.

// ---- Optimised 1: two warps a block ----------------------------------------------------------------
void two_warps(const Call& call) { launch_activate(call, 64); }

// ---- Optimised 2: as the runtime suggests ----------------------------------------------------------
template <class Kernel>
int suggested_threads(Kernel kernel) {
  int blocks = 0, threads = 0;
  gpu::check(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, kernel), "asking for a block size");
  return threads;
}

void suggested(const Call& call) {
  static const int threads = suggested_threads(activate);
  launch_activate(call, threads);
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch06/block_shape",
    .title = "Block shape",
    .idea = "Choose blocks that fill a multiprocessor with threads.",
    .bound = Bound::memory,
    .tags = {"occupancy", "activation"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 26, 1 << 28}, .quick = {1 << 26}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "warp", .run = warp, .note = "32 threads a block: half of the threads fit"},
                 {.name = "two_warps", .run = two_warps, .note = "64: all fit, many blocks to start"},
                 {.name = "suggested",
                  .run = suggested,
                  .note = "the size that cudaOccupancyMaxPotentialBlockSize gives"}},
}};

}  // namespace
}  // namespace aisp::block_shape

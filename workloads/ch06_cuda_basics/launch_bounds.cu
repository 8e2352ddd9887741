// SPDX-License-Identifier: Apache-2.0
// Launch bounds                                                          chapter 6, CUDA basics
//
// The idea:          tell the compiler how many threads there will be, and leave each the registers it needs:
//                    a multiprocessor with more threads that spill is slower than one with fewer that do not.
// What bounds it:    8 bytes a value. 64 M values are 537 MB: 124 µs at the 4.32 TB/s an H200 copies; the 6
//                    additions a value are nothing.
// What to look for:  bytes spilled, as the compiler reports them (-Xptxas -v), and local memory traffic. The
//                    64 values of a thread do not fit 48 registers: what is put away and fetched again goes
//                    through the L1, and what that cannot hold through the L2 too.
// Where it stops:    fewer registers than the live values cost spills, more than that gain nothing. Threads
//                    that have little in flight each need many of their kind: there occupancy wins.
#include <bit>
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::launch_bounds {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256, kChannels = 64;

// ---- The problem: y[k][i] = 1/8 sum over j of +-x[j][i], minus where j & k has an odd number of bits
// The Hadamard transform of 64 channels, which spreads outliers before a tensor is quantised. 1/8 keeps the
// length of a column.
Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto count = static_cast<double>(kChannels * n);
  return {
      .tensors = {input<float>("x", {kChannels, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                  output<float>("y", {kChannels, n}, reduction(DType::f32, DType::f32, kChannels))},
      .work = {
          .bytes = 8 * count, .flops = 6 * count, .items = static_cast<double>(n), .traffic = Traffic::copy}};
}

// ---- Reference: the definition, and the magnitude of what was added --------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const auto n = call.params["n"];
  std::vector<double>&value = call.outputs[kY].value, &scale = call.outputs[kY].scale;
  scale.resize(value.size());
  for (std::int64_t at = 0; at < x.size; ++at) {
    const std::int64_t k = at / n, i = at % n;
    for (std::int64_t j = 0; j < kChannels; ++j) {
      const double term = double{x[j * n + i]} / 8;
      value[static_cast<std::size_t>(at)] +=
          std::popcount(static_cast<std::uint64_t>(j & k)) % 2 != 0 ? -term : term;
      scale[static_cast<std::size_t>(at)] += std::fabs(term);
    }
  }
}

__global__ void transform_in_double(const float* x, double* value, double* scale, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int k = static_cast<int>(blockIdx.y);
  if (i >= n) return;
  double sum = 0, magnitude = 0;
  for (int j = 0; j < kChannels; ++j) {
    const double term = double{x[j * n + i]} / 8;
    sum += __popc(j & k) % 2 != 0 ? -term : term;
    magnitude += fabs(term);
  }
  value[k * n + i] = sum;
  scale[k * n + i] = magnitude;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = call.params["n"];
  const dim3 grid(gpu::blocks_for(n, kThreads), kChannels);
  transform_in_double<<<grid, kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.outputs[kY].value, call.outputs[kY].scale, n);
  gpu::check_launch("transforming by reference");
}

// ---- Baseline: more threads than there are registers for -------------------------------------------
/// A thread a column: all 64 values in registers, and six rounds of sums and differences between them.
/// kBlocks blocks must fit a multiprocessor: a thread gets 65,536 / (kThreads * kBlocks) registers.
template <int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) transform(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= n) return;
  float values[kChannels];
#pragma unroll
  for (int k = 0; k < kChannels; ++k) values[k] = x[k * n + i];
#pragma unroll
  for (int distance = 1; distance < kChannels; distance *= 2) {
#pragma unroll
    for (int k = 0; k < kChannels; ++k) {
      if ((k & distance) != 0) continue;
      const float a = values[k], b = values[k + distance];
      values[k] = a + b;
      values[k + distance] = a - b;
    }
  }
#pragma unroll
  for (int k = 0; k < kChannels; ++k) y[k * n + i] = values[k] / 8;
}

template <int kBlocks>
void columns(const Call& call) {
  const auto n = call.params()["n"];
  transform<kBlocks><<<gpu::blocks_for(n, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.output<float>(kY).data, n);
  gpu::check_launch("transforming columns");
}

// ---- The idea --------------------------------------------------------------------------------------
// Full occupancy is a means: somebody must have a load on its way while others wait. With five blocks a
// multiprocessor a thread has 48 registers, the compiler puts some of its values into local memory, and part
// of what is on its way are spilled values. A thread of this kernel has 64 loads of its own to keep memory
// busy: 768 threads ask for 192 KB, more than memory can have on its way.
//
// So ask for fewer blocks. The bound is a promise in both directions: the compiler may use so many registers,
// and that many blocks will fit. Without one it takes what it likes, and what fits is left to chance.

// ---- Optimised: four blocks a multiprocessor, then three -------------------------------------------
// columns<4> and columns<3>: only the bound differs. Four leave 64 registers, for 64 values and their
// addresses not quite enough; three leave 80, since the number is a multiple of eight.

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch06/launch_bounds",
    .title = "Launch bounds",
    .idea = "Leave each thread the registers it needs, and have fewer threads.",
    .bound = Bound::memory,
    .tags = {"occupancy", "registers", "quantisation"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 20}, .small = 10007}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "five_blocks",
                  .run = CallFunction(columns<5>),
                  .note = "1280 threads a multiprocessor, 48 registers each: spills"},
                 {.name = "four_blocks",
                  .run = CallFunction(columns<4>),
                  .note = "1024 threads, 64 registers: few spills"},
                 {.name = "three_blocks",
                  .run = CallFunction(columns<3>),
                  .note = "768 threads, 80 registers: no spills"}},
}};

}  // namespace
}  // namespace aisp::launch_bounds

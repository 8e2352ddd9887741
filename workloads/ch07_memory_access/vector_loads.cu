// SPDX-License-Identifier: Apache-2.0
// Vector loads                                                          chapter 7, memory access
//
// The idea:          fewer, wider accesses, and several of them before the first is needed.
// What bounds it:    12 bytes a value: two read, one written. 64 M values are 805 MB: 186 µs at the 4.32 TB/s
//                    an H200 copies.
// What to look for:  loads in flight for each thread, and instructions a value: address, bounds check and
//                    branch are paid for each access, not for each byte.
// Where it stops:    one vector a thread reads at 0.95 of what an H200 reads, so several at once have nothing
//                    to add there; with 1 M values they leave too few threads, and are slower than words.
#include <algorithm>
#include <cmath>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::vector_loads {
namespace {

enum { kA, kB };
enum { kY };
constexpr int kThreads = 256;

// ---- The problem: y = max(a + b, 0), a residual connection and its activation ----------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {input<float>("a", {n}, {uniform(-1, 1), wide_range(-20, 20)}),
                      input<float>("b", {n}, {uniform(-1, 1), wide_range(-20, 20)}),
                      output<float>("y", {n}, roundings(DType::f32, 1))},
          .work = {.bytes = 12 * static_cast<double>(n), .items = static_cast<double>(n)}};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto a = call.input<float>(kA), b = call.input<float>(kB);
  for (std::int64_t i = 0; i < a.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = std::max(double{a[i]} + b[i], 0.0);
}

__global__ void add_in_double(const float* a, const float* b, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = fmax(double{a[i]} + b[i], 0.0);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto a = call.input<float>(kA);
  add_in_double<<<gpu::blocks_for(a.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      a.data, call.input<float>(kB).data, call.outputs[kY].value, a.size);
  gpu::check_launch("adding by reference");
}

// ---- Baseline: a value a thread --------------------------------------------------------------------
__device__ float activated(float a, float b) { return fmaxf(a + b, 0); }

__global__ void add_words(const float* a, const float* b, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = activated(a[i], b[i]);
}

void words(const Call& call) {
  const auto a = call.input<float>(kA);
  add_words<<<gpu::blocks_for(a.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      a.data, call.input<float>(kB).data, call.output<float>(kY).data, a.size);
  gpu::check_launch("adding words");
}

// ---- The idea --------------------------------------------------------------------------------------
// A load of 16 bytes moves four values for the instructions of one. And since a thread waits only where it
// uses what it loaded, several loads can be on their way together if they all stand before the first use:
// the compiler keeps them there when the loop is unrolled and its bounds are checked without branches.

// ---- Optimised: kAtOnce vectors a thread -----------------------------------------------------------
template <int kAtOnce, int kInBlock>
__global__ void __launch_bounds__(kInBlock)
    add_vectors(const float* a, const float* b, float* y, std::int64_t n) {
  const auto *from_a = reinterpret_cast<const float4*>(a), *from_b = reinterpret_cast<const float4*>(b);
  auto* to = reinterpret_cast<float4*>(y);
  const std::int64_t count = n / 4, first = std::int64_t{blockIdx.x} * kInBlock * kAtOnce + threadIdx.x;
  float4 of_a[kAtOnce], of_b[kAtOnce];
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    if (first + k * kInBlock >= count) continue;
    of_a[k] = from_a[first + k * kInBlock];
    of_b[k] = from_b[first + k * kInBlock];
  }
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    if (first + k * kInBlock >= count) continue;
    to[first + k * kInBlock] = {activated(of_a[k].x, of_b[k].x), activated(of_a[k].y, of_b[k].y),
                                activated(of_a[k].z, of_b[k].z), activated(of_a[k].w, of_b[k].w)};
  }
  const std::int64_t i = 4 * count + threadIdx.x;  // the last few, with the first block
  if (blockIdx.x == 0 && i < n) y[i] = activated(a[i], b[i]);
}

template <int kAtOnce, int kInBlock>
void vectors(const Call& call) {
  const auto a = call.input<float>(kA);
  const unsigned blocks = std::max(1u, gpu::blocks_for(a.size / 4, kInBlock * kAtOnce));
  add_vectors<kAtOnce, kInBlock><<<blocks, kInBlock, 0, gpu::stream_of(call)>>>(
      a.data, call.input<float>(kB).data, call.output<float>(kY).data, a.size);
  gpu::check_launch("adding vectors");
}

/// How many loads hide the latency, and in blocks of how many threads, depends on the device: `aisp tune`
/// tries.
template <int kAtOnce>
void vectors_in_blocks(const Call& call) {
  switch (call.params()["block"]) {
    case 128:
      return vectors<kAtOnce, 128>(call);
    case 512:
      return vectors<kAtOnce, 512>(call);
    case 1024:
      return vectors<kAtOnce, 1024>(call);
    default:
      return vectors<kAtOnce, kThreads>(call);
  }
}

void several_vectors(const Call& call) {
  switch (call.params()["at_once"]) {
    case 2:
      return vectors_in_blocks<2>(call);
    case 8:
      return vectors_in_blocks<8>(call);
    default:
      return vectors_in_blocks<4>(call);
  }
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch07/vector_loads",
    .title = "Vector loads",
    .idea = "Use fewer, wider accesses, and start several before the first is needed.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "vectorisation", "ilp"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 26, 1 << 28}, .quick = {1 << 26}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "words", .run = words, .note = "4 bytes a thread"},
                 {.name = "vectors", .run = CallFunction(vectors<1, kThreads>), .note = "16 bytes a thread"},
                 {.name = "vectors4",
                  .run = several_vectors,
                  .note = "four times 16 bytes a thread, all asked for first",
                  .tunables = {{.name = "at_once", .values = {2, 4, 8}, .fallback = 4},
                               {.name = "block", .values = {128, 256, 512, 1024}, .fallback = kThreads}}}},
}};

}  // namespace
}  // namespace aisp::vector_loads

// SPDX-License-Identifier: Apache-2.0
// Copy width                                                                           chapter 2, hardware
//
// The idea:          memory is fast only while enough bytes are on their way; wide accesses put them there.
// What bounds it:    every float is read once and written once. 64 M floats are 537 MB of traffic: 124 µs at
//                    the 4.32 TB/s an H200 copies at most (it reads at 4.63 and writes at 4.71).
// What to look for:  bytes in flight. A multiprocessor holds 2048 threads: 8 KB with a float each, 32 KB with
//                    16 bytes each.
// Where it stops:    arrays that stay in the L2 cache (60 MB): there the copy is bound by it, not by memory.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <cuda/ptx>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::copy_width {
namespace {

enum { kX };
enum { kY };

// ---- The problem: y = x ----------------------------------------------------------------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  // Nothing may be rounded on the way, whatever its size: the second family spans 120 binary orders.
  return {
      .tensors = {input<float>("x", {n}, {uniform(-1, 1), wide_range(-60, 60)}),
                  output<float>("y", {n}, exact())},
      .work = {
          .bytes = 8 * static_cast<double>(n), .items = static_cast<double>(n), .traffic = Traffic::copy}};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  std::copy(x.begin(), x.end(), call.outputs[kY].value.begin());
}

__global__ void widen(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  widen<<<gpu::blocks_for(x.size, 256), 256, 0, gpu::stream_of(call)>>>(x.data, call.outputs[kY].value,
                                                                        x.size);
  gpu::check_launch("copying by reference");
}

// ---- Baseline: a float a thread --------------------------------------------------------------------
constexpr int kThreads = 320;  // 96 to 384 differ by less than 1 %; 64 lose a quarter

__global__ void copy_words(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = x[i];
}

void words(const Call& call) {
  const auto x = call.input<float>(kX);
  copy_words<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.output<float>(kY).data, x.size);
  gpu::check_launch("copying words");
}

// ---- The idea --------------------------------------------------------------------------------------
// The 2048 threads of a multiprocessor ask for 8 KB, a float each, and then wait for some 0.8 µs: 2.7 TB/s in
// all, read and written. Load 16 bytes instead, threads of a warp side by side so that each access covers
// whole 128-byte lines, and the same trip carries four times as much.
//
// More is not better. Four such loads a thread, or Hopper's copy engine with kilobytes at a time through
// shared memory, keep more on its way and are 4 to 5 % slower on an H200: memory was busy already, and
// presumably does best what lies close together. Both are kept to be read beside the winner. Hints that the
// data will not be needed again (evict first) cost 3 %.

// ---- Optimised: sixteen bytes a thread, kAtOnce times ----------------------------------------------
/// Copies whole vectors; the last n % 4 floats go with the first block.
template <int kAtOnce>
__global__ void __launch_bounds__(kThreads) copy_vectors(const float* x, float* y, std::int64_t n) {
  const auto* from = reinterpret_cast<const float4*>(x);
  auto* to = reinterpret_cast<float4*>(y);
  const std::int64_t count = n / 4, first = std::int64_t{blockIdx.x} * kThreads * kAtOnce + threadIdx.x;
  float4 values[kAtOnce];
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    if (first + k * kThreads < count) values[k] = from[first + k * kThreads];
  }
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) {
    if (first + k * kThreads < count) to[first + k * kThreads] = values[k];
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 4) y[count * 4 + threadIdx.x] = x[count * 4 + threadIdx.x];
}

template <int kAtOnce>
void vectors(const Call& call) {
  const auto x = call.input<float>(kX);
  const unsigned blocks = std::max(1u, gpu::blocks_for(x.size / 4, kThreads * kAtOnce));
  copy_vectors<kAtOnce>
      <<<blocks, kThreads, 0, gpu::stream_of(call)>>>(x.data, call.output<float>(kY).data, x.size);
  gpu::check_launch("copying vectors");
}

// ---- A detour: bulk copies through shared memory ---------------------------------------------------
constexpr unsigned kBlocksPerProcessor = 8;

/// Lane 0 does the work, the others only the last bytes: chunks are whole multiples of 16.
__global__ void __launch_bounds__(32) copy_chunks(const float* x, float* y, std::int64_t n) {
#if __CUDA_ARCH__ >= 900
  constexpr unsigned kChunk = 4 << 10, kStages = 4;
  namespace ptx = ::cuda::ptx;
  __shared__ alignas(128) std::byte stage[kStages][kChunk];
  __shared__ std::uint64_t arrived[kStages];
  if (blockIdx.x == 0 && threadIdx.x > 0 && threadIdx.x <= n % 4) y[n - threadIdx.x] = x[n - threadIdx.x];
  if (threadIdx.x != 0) return;

  const std::int64_t bytes = n / 4 * 16;
  const auto chunks = static_cast<unsigned>((bytes + kChunk - 1) / kChunk);
  const unsigned mine = blockIdx.x < chunks ? (chunks - blockIdx.x - 1) / gridDim.x + 1 : 0;
  const auto offset = [&](unsigned i) { return (blockIdx.x + std::int64_t{i} * gridDim.x) * kChunk; };
  const auto size = [&](unsigned i) {
    return static_cast<unsigned>(min(std::int64_t{kChunk}, bytes - offset(i)));
  };
  const auto fetch = [&](unsigned i) {
    std::uint64_t* barrier = &arrived[i % kStages];
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, size(i));
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, stage[i % kStages],
                       reinterpret_cast<const std::byte*>(x) + offset(i), size(i), barrier);
  };

  for (auto& barrier : arrived) ptx::mbarrier_init(&barrier, 1);
  ptx::fence_proxy_async(ptx::space_shared);  // the copy engine sees the barriers
  for (unsigned i = 0; i < kStages && i < mine; ++i) fetch(i);
  for (unsigned i = 0; i < mine; ++i) {
    while (!ptx::mbarrier_try_wait_parity(&arrived[i % kStages], i / kStages & 1)) {
    }
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, reinterpret_cast<std::byte*>(y) + offset(i),
                       stage[i % kStages], size(i));
    ptx::cp_async_bulk_commit_group();
    // All chunks but the latest have left their stages: the one before it makes room for the next.
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<1>());
    if (i > 0 && i - 1 + kStages < mine) fetch(i - 1 + kStages);
  }
  ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
#endif
}

void bulk(const Call& call) {
  const auto x = call.input<float>(kX);
  static const unsigned blocks = gpu::processors() * kBlocksPerProcessor;
  copy_chunks<<<blocks, 32, 0, gpu::stream_of(call)>>>(x.data, call.output<float>(kY).data, x.size);
  gpu::check_launch("copying in bulk");
}

// ---- Anchor: the driver's own copy -----------------------------------------------------------------
void driver(const Call& call) {
  const auto x = call.input<float>(kX);
  gpu::check(cudaMemcpyAsync(call.output<float>(kY).data, x.data, static_cast<std::size_t>(x.size) * 4,
                             cudaMemcpyDeviceToDevice, gpu::stream_of(call)),
             "copying device memory");
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch02/copy_width",
    .title = "Copy width",
    .idea = "Ask for enough bytes at once, in few instructions, that memory never waits.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "vectorisation"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 26, 1 << 28}, .quick = {1 << 26}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "words", .run = words, .note = "4 bytes a thread"},
                 {.name = "vectors", .run = CallFunction(vectors<1>), .note = "16 bytes a thread"},
                 {.name = "vectors4",
                  .run = CallFunction(vectors<4>),
                  .note = "four times 16 bytes a thread, all asked for first",
                  .rung = Rung::informational},
                 {.name = "bulk",
                  .run = bulk,
                  .note = "bulk copies through shared memory, no registers",
                  .rung = Rung::informational,
                  .unavailable = gpu::needs_sm_90},
                 {.name = "cudaMemcpyAsync",
                  .run = driver,
                  .note = "the driver's copy, device to device",
                  .rung = Rung::anchor}},
}};

}  // namespace
}  // namespace aisp::copy_width

// SPDX-License-Identifier: Apache-2.0
// Reduction in distributed shared memory                                 chapter 10, pipelining and tiles
//
// The idea:          the blocks that share a row are a cluster, and add up in each other's shared memory.
// What bounds it:    latency. 16 rows of 65,536 values are 4.2 MB: 1 µs at the 4.3 TB/s of an H200. A
//                    second kernel, or a word in memory that all add to and somebody has to clear, takes as
//                    long again.
// What to look for:  launches, and round trips to the L2 cache after the last value has been read.
// Where it stops:    eight blocks a cluster (16, where a kernel asks for it); rows that fill the device
//                    many times over, whose reading hides everything else.
#include <cstdint>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"
#include "workloads/hopper/cluster.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::dsmem_reduce {
namespace {

enum { kX };
enum { kSum };
constexpr int kThreads = 512, kParts = 8;  ///< blocks that share a row

// ---- The problem: sums of a few long rows ----------------------------------------------------------------
// Of positive values: where signs cancel, a sum is so small beside its terms that no tolerance tells its
// bits.
Problem problem(const Params& p) {
  const auto rows = p["rows"], cols = p["cols"];
  const auto values = static_cast<double>(rows * cols);
  return {
      .tensors = {input<float>("x", {rows, cols}, {uniform(0, 1), uniform(1, 1024)}),
                  output<float>("sum", {rows}, reduction(DType::f32, DType::f32, static_cast<double>(cols)))},
      .work = {.bytes = 4 * values,
               .flops = values,
               .items = static_cast<double>(rows),
               .traffic = Traffic::read},
      .workspace_bytes = static_cast<std::size_t>(rows) * kParts * sizeof(float)};
}

// ---- Reference -------------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  const auto cols = call.params["cols"];
  WideTensor& sum = call.outputs[kSum];
  sum.scale.resize(sum.value.size());
  for (std::int64_t i = 0; i < x.size; ++i) {
    sum.value[static_cast<std::size_t>(i / cols)] += x[i];
    sum.scale[static_cast<std::size_t>(i / cols)] += std::fabs(x[i]);
  }
}

/// A block a row.
__global__ void sum_in_double(const float* x, double* sum, double* scale, std::int64_t cols) {
  const float* row = x + blockIdx.x * cols;
  double2 total{0, 0};
  for (std::int64_t i = threadIdx.x; i < cols; i += kThreads) {
    total.x += row[i];
    total.y += fabsf(row[i]);
  }
  total.x = gpu::block_sum<kThreads>(total.x);
  __syncthreads();
  total.y = gpu::block_sum<kThreads>(total.y);
  if (threadIdx.x == 0) {
    sum[blockIdx.x] = total.x;
    scale[blockIdx.x] = total.y;
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  sum_in_double<<<static_cast<unsigned>(call.params["rows"]), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.outputs[kSum].value, call.outputs[kSum].scale, call.params["cols"]);
  gpu::check_launch("adding up rows by reference");
}

// ---- What all rungs do: a block adds up its part of a row ------------------------------------------------
/// Every thread gets it.
__device__ float sum_of_part(const float* x, std::int64_t cols) {
  const std::int64_t row = blockIdx.x / kParts, part = blockIdx.x % kParts;
  const float* end = x + row * cols + cols * (part + 1) / kParts;
  const float* at = x + row * cols + cols * part / kParts + threadIdx.x;
  constexpr int kAtOnce = 16;
  float sums[kAtOnce] = {};
  for (; at < end; at += kAtOnce * kThreads) {
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (at + k * kThreads < end) sums[k] += at[k * kThreads];
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < kAtOnce; ++k) sum += sums[k];
  return gpu::block_sum<kThreads>(sum);
}

unsigned blocks_of(const Call& call) { return static_cast<unsigned>(call.params()["rows"]) * kParts; }

// ---- Baseline: parts to memory, and a second kernel ------------------------------------------------------
__global__ void __launch_bounds__(kThreads) sum_parts(const float* x, float* parts, std::int64_t cols) {
  const float sum = sum_of_part(x, cols);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(kThreads) add_parts(const float* parts, float* sum, std::int64_t rows) {
  const std::int64_t row = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= rows) return;
  float total = 0;
#pragma unroll
  for (int part = 0; part < kParts; ++part) total += parts[row * kParts + part];
  sum[row] = total;
}

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto rows = static_cast<std::size_t>(setup.params["rows"]);
  return std::make_shared<gpu::Memory<float>>(gpu::memory_for<float>(rows * kParts));
}

void two_kernels(const Call& call) {
  const auto sum = call.output<float>(kSum);
  float* parts = call.plan<gpu::Memory<float>>().get();
  sum_parts<<<blocks_of(call), kThreads, 0, gpu::stream_of(call)>>>(call.input<float>(kX).data, parts,
                                                                    call.params()["cols"]);
  add_parts<<<gpu::blocks_for(sum.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(parts, sum.data,
                                                                                        sum.size);
  gpu::check_launch("adding up parts of rows");
}

// ---- The idea --------------------------------------------------------------------------------------------
// Blocks of a grid know nothing of each other: what they are to exchange goes to memory, and somebody has to
// say when all of it is there. That somebody is the end of the kernel, or a word that must be cleared before.
//
// Blocks of a cluster run at the same time, next to each other, and one may write into the shared memory of
// another. Each puts its sum into the first one's, all meet at the cluster's barrier, and the first writes
// the result. Nothing is cleared, nothing is launched twice, and the sum is always added in the same order.

// ---- Optimised 1: all parts of a row added to one word ---------------------------------------------------
__global__ void __launch_bounds__(kThreads) add_atomically(const float* x, float* sum, std::int64_t cols) {
  const float part = sum_of_part(x, cols);
  if (threadIdx.x == 0) atomicAdd(sum + blockIdx.x / kParts, part);
}

void atomics(const Call& call) {
  const auto sum = call.output<float>(kSum);
  gpu::check(
      cudaMemsetAsync(sum.data, 0, static_cast<std::size_t>(sum.size) * sizeof(float), gpu::stream_of(call)),
      "clearing sums");
  add_atomically<<<blocks_of(call), kThreads, 0, gpu::stream_of(call)>>>(call.input<float>(kX).data, sum.data,
                                                                         call.params()["cols"]);
  gpu::check_launch("adding up rows by atomics");
}

// ---- Optimised 2: parts of a row meet in shared memory ---------------------------------------------------
__global__ void __cluster_dims__(kParts, 1, 1) __launch_bounds__(kThreads)
    add_in_cluster(const float* x, float* sum, std::int64_t cols) {
#if __CUDA_ARCH__ >= 900
  __shared__ float parts[kParts];
  const float part = sum_of_part(x, cols);
  // Only a block that has begun has shared memory. All have, by now; the barrier makes sure of it.
  hopper::cluster_barrier();
  if (threadIdx.x == 0)
    hopper::store_in_cluster(hopper::address_in(&parts[hopper::cluster_rank()], 0), __float_as_uint(part));
  hopper::cluster_barrier();
  if (hopper::cluster_rank() != 0 || threadIdx.x != 0) return;
  float total = 0;
#pragma unroll
  for (int p = 0; p < kParts; ++p) total += parts[p];
  sum[blockIdx.x / kParts] = total;
#endif
}

void cluster(const Call& call) {
  add_in_cluster<<<blocks_of(call), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.output<float>(kSum).data, call.params()["cols"]);
  gpu::check_launch("adding up rows in clusters");
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch10/dsmem_reduce",
    .title = "Reduction in distributed shared memory",
    .idea = "Blocks that share a row are a cluster and add up in each other's shared memory.",
    .bound = Bound::latency,
    .tags = {"reduction", "clusters"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {16}, .small = 3},
             {.name = "cols", .values = {1 << 16, 1 << 20}, .quick = {1 << 20}, .small = 34571}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "two_kernels",
                  .run = two_kernels,
                  .note = "parts of rows to memory, a second kernel adds them",
                  .prepare = prepare},
                 {.name = "atomics", .run = atomics, .note = "sums cleared, parts added by atomics"},
                 {.name = "cluster",
                  .run = cluster,
                  .note = "parts meet in the first block's shared memory",
                  .unavailable = gpu::needs_sm_90}},
}};

}  // namespace
}  // namespace aisp::dsmem_reduce

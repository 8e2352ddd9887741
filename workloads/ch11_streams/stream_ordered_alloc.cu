// SPDX-License-Identifier: Apache-2.0
// Stream-ordered allocation                                              chapter 11, streams
//
// The idea:          take memory from a pool in the order of the stream, instead of asking the driver.
// What bounds it:    the driver. cudaFree waits until the device is idle, so every step of the chain is
//                    launched, run and waited for before the next.
// What to look for:  time of a call as its caller sees it, and gaps on the device between its kernels.
// Where it stops:    a pool that is too small asks the driver again. What is the same in every call is better
//                    allocated once, before the first.
#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::stream_ordered_alloc {
namespace {

enum { kX, kBias };
enum { kY };
constexpr int kThreads = 256;

// ---- The problem: a chain of layers, v = v / 2 + bias, each with an output of its own ----------------
/// All positive: nothing cancels, and a layer rounds twice.
Problem problem(const Params& p) {
  const auto n = p["n"], layers = p["layers"];
  return {.tensors = {input<float>("x", {n}, {uniform(0.5, 1), uniform(1, 100)}),
                      input<float>("bias", {n}, {uniform(0.5, 1), uniform(1, 100)}),
                      output<float>("y", {n}, roundings(DType::f32, 2.0 * static_cast<double>(layers)))},
          .work = {.bytes = 12 * static_cast<double>(n), .items = static_cast<double>(n)}};
}

// ---- Reference -------------------------------------------------------------------------------------
__host__ __device__ double after_layers(double v, double bias, std::int64_t layers) {
  for (std::int64_t k = 0; k < layers; ++k) v = v / 2 + bias;
  return v;
}

void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX), bias = call.input<float>(kBias);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = after_layers(x[i], bias[i], call.params["layers"]);
}

__global__ void layers_in_double(const float* x, const float* bias, double* y, std::int64_t n,
                                 std::int64_t layers) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = after_layers(x[i], bias[i], layers);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  layers_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.input<float>(kBias).data, call.outputs[kY].value, x.size, call.params["layers"]);
  gpu::check_launch("layers by reference");
}

// ---- What all rungs do -----------------------------------------------------------------------------
__global__ void layer(const float* v, const float* bias, float* out, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) out[i] = v[i] / 2 + bias[i];
}

/// Every layer's output is taken with take() and given back after the next layer, as frameworks do.
template <class Take, class GiveBack>
void chain(const Call& call, Take take, GiveBack give_back) {
  const auto x = call.input<float>(kX);
  const auto layers = call.params()["layers"];
  const float* from = x.data;
  float* taken = nullptr;
  for (std::int64_t k = 0; k < layers; ++k) {
    float* to = k == layers - 1 ? call.output<float>(kY).data : take(k);
    layer<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
        from, call.input<float>(kBias).data, to, x.size);
    if (taken != nullptr) give_back(taken);
    from = taken = to;
  }
  gpu::check_launch("a chain of layers");
}

// ---- Baseline: from the driver, for every layer ----------------------------------------------------
void driver(const Call& call) {
  const auto bytes = static_cast<std::size_t>(call.params()["n"]) * sizeof(float);
  const auto take = [&](std::int64_t) {
    void* memory = nullptr;
    gpu::check(cudaMalloc(&memory, bytes), "allocating a layer's output");
    return static_cast<float*>(memory);
  };
  chain(call, take, [](float* memory) { gpu::check(cudaFree(memory), "giving a layer's output back"); });
}

// ---- The idea --------------------------------------------------------------------------------------
// Memory that a stream gives back is free for whoever comes later in the same stream: the order says so,
// nobody has to wait. cudaMallocAsync takes from a pool by that rule. By default the pool returns what is
// unused to the system at every synchronisation; told to keep it, it asks the driver in the first call and
// never again.
//
// Where sizes are known beforehand, the pool is a detour too: two buffers, taken in turns, do for a chain of
// any length.

// ---- Optimised 1: from a pool, in the order of the stream ------------------------------------------
struct GivePoolBack {
  void operator()(cudaMemPool_t pool) const { static_cast<void>(cudaMemPoolDestroy(pool)); }
};
using Pool = std::unique_ptr<std::remove_pointer_t<cudaMemPool_t>, GivePoolBack>;

std::shared_ptr<void> prepare_pool(const Setup&) {
  int device = 0;
  gpu::check(cudaGetDevice(&device), "asking for the current device");
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  cudaMemPool_t pool = nullptr;
  gpu::check(cudaMemPoolCreate(&pool, &properties), "making a pool");
  auto owner = std::make_shared<Pool>(pool);
  std::uint64_t keep = UINT64_MAX;
  gpu::check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep),
             "telling a pool to keep its memory");
  return owner;
}

void pooled(const Call& call) {
  const auto bytes = static_cast<std::size_t>(call.params()["n"]) * sizeof(float);
  const cudaStream_t stream = gpu::stream_of(call);
  cudaMemPool_t pool = call.plan<Pool>().get();
  const auto take = [&](std::int64_t) {
    void* memory = nullptr;
    gpu::check(cudaMallocFromPoolAsync(&memory, bytes, pool, stream),
               "taking a layer's output from the pool");
    return static_cast<float*>(memory);
  };
  chain(call, take,
        [&](float* memory) { gpu::check(cudaFreeAsync(memory, stream), "giving it back to the pool"); });
}

// ---- Optimised 2: two buffers, allocated once ------------------------------------------------------
struct Buffers {
  gpu::Memory<float> even, odd;
};

std::shared_ptr<void> prepare_buffers(const Setup& setup) {
  const auto n = static_cast<std::size_t>(setup.params["n"]);
  return std::make_shared<Buffers>(Buffers{gpu::memory_for<float>(n), gpu::memory_for<float>(n)});
}

void planned(const Call& call) {
  auto& buffers = call.plan<Buffers>();
  chain(call, [&](std::int64_t k) { return (k % 2 == 0 ? buffers.even : buffers.odd).get(); }, [](float*) {});
}

// ---- Registration ----------------------------------------------------------------------------------
// The baseline waits for the device; so that all are measured alike, all are timed as a caller sees them.
const Registration registered{{
    .id = "ch11/stream_ordered_alloc",
    .title = "Stream-ordered allocation",
    .idea = "Take memory from a pool in the order of the stream.",
    .bound = Bound::latency,
    .tags = {"allocation", "streams"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 20, 1 << 24}, .quick = {1 << 20}, .small = 34571},
             {.name = "layers", .values = {16}, .small = 5}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "driver",
                  .run = driver,
                  .note = "cudaMalloc and cudaFree for every layer",
                  .host_sync = true},
                 {.name = "pooled",
                  .run = pooled,
                  .note = "cudaMallocFromPoolAsync, a pool that keeps its memory",
                  .prepare = prepare_pool,
                  .host_sync = true},
                 {.name = "planned",
                  .run = planned,
                  .note = "two buffers, allocated once",
                  .prepare = prepare_buffers,
                  .host_sync = true}},
}};

}  // namespace
}  // namespace aisp::stream_ordered_alloc

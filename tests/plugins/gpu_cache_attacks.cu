// SPDX-License-Identifier: Apache-2.0
// Variants that want to find in the cache what the harness has emptied it of. The kernel only reads, fewer
// bytes than an H200 lets persist in its cache, so a read that stays there would take half as long.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp {
namespace {

constexpr int kRowThreads = 256;
constexpr std::int64_t kRowValues = 2048;
constexpr std::int64_t kRows = 3600;  ///< 29.5 MB

/// A block a row.
__global__ void add_up_rows(const float4* x, float* sums) {
  constexpr int kPieces = static_cast<int>(kRowValues) / 4;
  const float4* row = x + std::int64_t{blockIdx.x} * kPieces;
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kPieces / kRowThreads; ++i) {
    const float4 v = row[i * kRowThreads + threadIdx.x];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  sum = gpu::block_sum<kRowThreads>(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

void read(const Call& call) {
  add_up_rows<<<static_cast<unsigned>(call.params()["rows"]), kRowThreads, 0, gpu::stream_of(call)>>>(
      reinterpret_cast<const float4*>(call.input<float>(0).data), call.output<float>(0).data);
  gpu::check_launch("adding up rows");
}

/// The part of the cache that survives an ordinary flush: as much of it as there is.
struct Persisting {
  std::size_t bytes = 0;        ///< that may persist
  std::size_t most_window = 0;  ///< that a window may span
  void ask() const {
    gpu::check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, bytes), "asking for cache that persists");
  }
};
std::shared_ptr<void> persisting(const Setup&) {
  cudaDeviceProp properties{};
  int device = 0;
  gpu::check(cudaGetDevice(&device), "asking for the current device");
  gpu::check(cudaGetDeviceProperties(&properties, device), "asking for the device's properties");
  auto plan = std::make_shared<Persisting>();
  plan->bytes = static_cast<std::size_t>(properties.persistingL2CacheMaxSize);
  plan->most_window = static_cast<std::size_t>(properties.accessPolicyMaxWindowSize);
  plan->ask();
  return plan;
}
void set_window(const Call& call, std::size_t most_bytes) {
  const auto x = call.input<float>(0);
  cudaStreamAttrValue window{};
  window.accessPolicyWindow.base_ptr = const_cast<float*>(x.data);
  window.accessPolicyWindow.num_bytes =
      std::min(static_cast<std::size_t>(x.size) * sizeof(float), most_bytes);
  window.accessPolicyWindow.hitRatio = 1;
  window.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  window.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  gpu::check(cudaStreamSetAttribute(gpu::stream_of(call), cudaStreamAttributeAccessPolicyWindow, &window),
             "asking for a window that persists");
}
/// Of the stream alone, which waits for nobody: the limit is what prepare() asked for, and taken back.
void persisting_stream(const Call& call) {
  set_window(call, call.plan<Persisting>().most_window);
  read(call);
}
/// Asks anew in every call, since the harness takes back what was asked for before it.
void persisting_window(const Call& call) {
  const auto& plan = call.plan<Persisting>();
  // A call that is captured only to be looked at may not change limits: nothing is asked for then.
  cudaStreamCaptureStatus captured{};
  gpu::check(cudaStreamIsCapturing(gpu::stream_of(call), &captured), "asking whether a call is captured");
  if (captured != cudaStreamCaptureStatusNone) return read(call);
  plan.ask();
  set_window(call, plan.most_window);
  read(call);
}

// ---- Registration ---------------------------------------------------------------------------------
Problem rows_problem(const Params& p) {
  const auto rows = p["rows"];
  return {.tensors = {input<float>("x", {rows, kRowValues}, {uniform(0, 1), uniform(1, 2)}),
                      output<float>("sums", {rows}, reduction(DType::f32, DType::f32, kRowValues))},
          .work = {.bytes = 4.0 * static_cast<double>(rows * kRowValues + rows), .traffic = Traffic::read}};
}
void rows_reference(const ReferenceCall& call) {
  const auto x = call.input<float>(0);
  for (std::int64_t r = 0; r < call.params["rows"]; ++r) {
    double sum = 0;
    for (std::int64_t c = 0; c < kRowValues; ++c) sum += static_cast<double>(x[r * kRowValues + c]);
    call.outputs[0].value[static_cast<std::size_t>(r)] = sum;
  }
}

Workload reading(const std::string& name, CallFunction run, PrepareFunction prepare = {}) {
  return {.id = "attack/" + name,
          .title = name,
          .idea = "What was read before need not be read again.",
          .bound = Bound::memory,
          .device = DeviceKind::cuda,
          .axes = {{"rows", {kRows}, {}, 37}},
          .problem = rows_problem,
          .reference = rows_reference,
          .variants = {{.name = "baseline", .run = Run(CallFunction(read))},
                       {.name = name, .run = Run(run), .prepare = prepare}}};
}

const Registration registered[] = {reading("honest_read", read),
                                   reading("persisting_stream", persisting_stream, persisting),
                                   reading("persisting_window", persisting_window, persisting)};

}  // namespace
}  // namespace aisp

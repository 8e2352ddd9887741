// SPDX-License-Identifier: Apache-2.0
// Unified memory or explicit copies                                      chapter 6, CUDA basics
//
// The idea:          memory that both sides may use moves by page faults; say when it is to move, or copy
//                    it.
// What bounds it:    the bus. 8 M floats are 34 MB: 0.6 ms at the 55 GB/s that an H200 gets over PCIe 5.
//                    Writing them once more on the host, as every rung does, takes a processor some 3 ms.
// What to look for:  page faults, of the host and of the device, and who waits for whom while they are
//                    served.
// Where it stops:    data that is touched once here and there moves by itself, and only what is touched.
//                    What both sides use at the same time moves to and fro.
#include <cstdint>
#include <cstring>
#include <memory>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::unified_vs_explicit {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256;

std::size_t bytes_for(std::int64_t n) { return static_cast<std::size_t>(n) * sizeof(float); }

// ---- The problem: y = 2 x + 1 on the device, of what the host has just written ----------------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  return {.tensors = {host_input<float>("x", {n}, {uniform(-1, 1), wide_range(-20, 20)}),
                      output<float>("y", {n}, roundings(DType::f32, 2))},
          .work = {.bytes = 4 * static_cast<double>(n),
                   .items = static_cast<double>(n),
                   .traffic = Traffic::from_host},
          .workspace_bytes = 2 * bytes_for(n)};
}

// ---- Reference -------------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = 2.0 * x[i] + 1;
}

__global__ void double_in_double(const float* x, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = 2.0 * x[i] + 1;
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  double_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.outputs[kY].value, x.size);
  gpu::check_launch("doubling by reference");
}

// ---- What all rungs do: the host writes its values into a buffer, a kernel reads them ---------------------
__global__ void __launch_bounds__(kThreads) transform(const float* x, float* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = fmaf(2, x[i], 1);
}

void queue_transform(const Call& call, const float* from) {
  const auto n = call.params()["n"];
  transform<<<gpu::blocks_for(n, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      from, call.output<float>(kY).data, n);
  gpu::check_launch("transforming");
}

void write(const Call& call, float* buffer) {
  const auto x = call.input<float>(kX);
  std::memcpy(buffer, x.data, bytes_for(x.size));
}

// ---- Baseline: one buffer for both sides -----------------------------------------------------------------
std::shared_ptr<void> prepare_managed(const Setup& setup) {
  void* memory = nullptr;
  gpu::check(cudaMallocManaged(&memory, bytes_for(setup.params["n"])), "allocating unified memory");
  return std::make_shared<gpu::Memory<float>>(static_cast<float*>(memory));
}

void managed(const Call& call) {
  float* buffer = call.plan<gpu::Memory<float>>().get();
  write(call, buffer);
  queue_transform(call, buffer);
}

// ---- The idea --------------------------------------------------------------------------------------------
// A page of unified memory is on one side at a time. Touched from the other, it is fetched: the thread stops,
// the driver unmaps the page there and maps it here. The host pays that for each page when it writes the next
// values, and thousands of threads of the kernel stop for it when they read them.
//
// Told beforehand, the driver moves all pages at once, at the speed of the bus; it still has to bring them
// back for the host. With two buffers, one of locked pages on the host and one on the device, no page ever
// moves and nobody faults: only the bytes are copied.

// ---- Optimised 1: moved before it is needed --------------------------------------------------------------
cudaMemLocation this_device() {
  int device = 0;
  gpu::check(cudaGetDevice(&device), "asking for the current device");
  return {.type = cudaMemLocationTypeDevice, .id = device};
}

void prefetched(const Call& call) {
  float* buffer = call.plan<gpu::Memory<float>>().get();
  write(call, buffer);
  gpu::check(
      cudaMemPrefetchAsync(buffer, bytes_for(call.params()["n"]), this_device(), 0, gpu::stream_of(call)),
      "moving pages to the device");
  queue_transform(call, buffer);
}

// ---- Optimised 2: two buffers and a copy -----------------------------------------------------------------
struct Buffers {
  gpu::Pinned<float> host;
  gpu::Memory<float> device;
};

std::shared_ptr<void> prepare_buffers(const Setup& setup) {
  const auto n = setup.params["n"];
  auto buffers = std::make_shared<Buffers>();
  buffers->host = gpu::pinned_for<float>(static_cast<std::size_t>(n));
  buffers->device = gpu::memory_for<float>(static_cast<std::size_t>(n));
  return buffers;
}

void copied(const Call& call) {
  const auto& buffers = call.plan<Buffers>();
  write(call, buffers.host.get());
  gpu::check(cudaMemcpyAsync(buffers.device.get(), buffers.host.get(), bytes_for(call.params()["n"]),
                             cudaMemcpyHostToDevice, gpu::stream_of(call)),
             "copying to the device");
  queue_transform(call, buffers.device.get());
}

// ---- Registration ----------------------------------------------------------------------------------------
// The host takes part, so all are timed from the call until the device is idle. Small: unified memory that
// does not fit moves in circles, and takes the machine with it.
const Registration registered{{
    .id = "ch06/unified_vs_explicit",
    .title = "Unified memory or explicit copies",
    .idea = "Memory for both sides moves by page faults: say when it is to move, or copy it.",
    .bound = Bound::io,
    .tags = {"transfer", "unified memory", "pinned memory"},
    .device = DeviceKind::cuda,
    .axes =
        {{.name = "n", .values = {1 << 20, 1 << 23}, .quick = {1 << 20}, .small = 34571, .most = 1 << 26}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "managed",
                  .run = managed,
                  .note = "unified memory, moved by page faults",
                  .prepare = prepare_managed,
                  .host_sync = true,
                  .managed_memory = true},
                 {.name = "prefetched",
                  .run = prefetched,
                  .note = "moved to the device before the kernel",
                  .prepare = prepare_managed,
                  .host_sync = true,
                  .managed_memory = true},
                 {.name = "copied",
                  .run = copied,
                  .note = "a locked buffer on the host, one on the device, a copy",
                  .prepare = prepare_buffers,
                  .host_sync = true}},
}};

}  // namespace
}  // namespace aisp::unified_vs_explicit

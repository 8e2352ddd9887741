// SPDX-License-Identifier: Apache-2.0
// Put and signal                                                         chapter 12, orchestration
//
// The idea:          a kernel writes into the other rank's memory and raises a flag there, instead of
//                    handing its data to the host.
// What bounds it:    latency. 50 exchanges of 16 KB between two ranks: each is a write and a flag that the
//                    other sees a microsecond later, or copies, a wait of the host and launches.
// What to look for:  time of an exchange, and how often the host is woken up for it.
// Where it stops:    an emulation: both ranks are halves of one grid on one device, whose memory is
//                    symmetric by nature. It shows what the host costs, not what a link between devices
//                    does.
#include <algorithm>
#include <cstdint>
#include <memory>

#include <cuda/atomic>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_streams.cuh"
#include "workloads/mix.h"

namespace aisp::symmetric_put_signal {
namespace {

enum { kX };
enum { kY };
constexpr int kThreads = 256, kRanks = 2;

// ---- The problem: two ranks that need each other's values in every step -----------------------------------
/// Each stirs its own values with the other's, as they were after the step before.
Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto values = static_cast<double>(n) * kRanks;
  return {.tensors = {input<std::uint32_t>("x", {kRanks, n}, {integers(0, 0xffffffff), integers(0, 255)}),
                      output<std::uint32_t>("y", {kRanks, n}, exact())},
          .work = {.bytes = 8 * values, .items = static_cast<double>(p["steps"])},
          .workspace_bytes = static_cast<std::size_t>(n) * 2 * kRanks * sizeof(std::uint32_t)};
}

// ---- Reference -------------------------------------------------------------------------------------------
constexpr void exchanged(const std::uint32_t* x, std::int64_t n, std::int64_t i, std::int64_t steps,
                         double* y) {
  std::uint32_t one = x[i], other = x[n + i];
  for (std::int64_t s = 0; s < steps; ++s) {
    const std::uint32_t before = one;
    one = mixed(one, other, 1);
    other = mixed(other, before, 1);
  }
  y[i] = one;
  y[n + i] = other;
}

void reference(const ReferenceCall& call) {
  const auto n = call.params["n"];
  for (std::int64_t i = 0; i < n; ++i)
    exchanged(call.input<std::uint32_t>(kX).data, n, i, call.params["steps"], call.outputs[kY].value.data());
}

__global__ void exchange_in_double(const std::uint32_t* x, double* y, std::int64_t n, std::int64_t steps) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) exchanged(x, n, i, steps, y);
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = call.params["n"];
  exchange_in_double<<<gpu::blocks_for(n, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<std::uint32_t>(kX).data, call.outputs[kY].value, n, call.params["steps"]);
  gpu::check_launch("exchanging by reference");
}

// ---- What the rungs with copies share --------------------------------------------------------------------
__global__ void stir(const std::uint32_t* own, const std::uint32_t* inbox, std::uint32_t* out,
                     std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) out[i] = mix(own[i], inbox[i], 1);
}

struct Plan {
  gpu::Memory<std::uint32_t> inbox;  ///< of both ranks
  gpu::Pinned<std::uint32_t> host;   ///< what is on its way through the host
  gpu::Stream streams[kRanks];
  gpu::Event forked, joined[kRanks];
};

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto count = static_cast<std::size_t>(setup.params["n"]) * kRanks;
  auto plan = std::make_shared<Plan>();
  plan->inbox = gpu::memory_for<std::uint32_t>(count);
  plan->host = gpu::pinned_for<std::uint32_t>(count);
  return plan;
}

// ---- Baseline: the host carries the values ---------------------------------------------------------------
void by_host(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const auto n = call.params()["n"], steps = call.params()["steps"];
  const std::size_t bytes = static_cast<std::size_t>(n) * sizeof(std::uint32_t);
  std::uint32_t* y = call.output<std::uint32_t>(kY).data;
  for (const gpu::Stream& stream : plan.streams) gpu::follow(stream, gpu::stream_of(call), plan.forked);
  for (std::int64_t s = 0; s < steps; ++s) {
    const std::uint32_t* own = s == 0 ? call.input<std::uint32_t>(kX).data : y;
    for (int r = 0; r < kRanks; ++r)
      gpu::check(cudaMemcpyAsync(plan.host.get() + r * n, own + r * n, bytes, cudaMemcpyDeviceToHost,
                                 plan.streams[r]),
                 "handing values to the host");
    for (const gpu::Stream& stream : plan.streams)
      gpu::check(cudaStreamSynchronize(stream), "waiting for the values");
    for (int r = 0; r < kRanks; ++r) {
      gpu::check(cudaMemcpyAsync(plan.inbox.get() + r * n, plan.host.get() + (1 - r) * n, bytes,
                                 cudaMemcpyHostToDevice, plan.streams[r]),
                 "handing values to the other rank");
      stir<<<gpu::blocks_for(n, kThreads), kThreads, 0, plan.streams[r]>>>(
          own + r * n, plan.inbox.get() + r * n, y + r * n, n);
    }
  }
  gpu::check_launch("stirring");
  for (int r = 0; r < kRanks; ++r) gpu::follow(gpu::stream_of(call), plan.streams[r], plan.joined[r]);
}

// ---- The idea --------------------------------------------------------------------------------------------
// Memory is symmetric when every rank has the same buffers and knows where the others' are. Then sending
// needs nobody's help: the kernel that has the values writes them into the other's inbox (put), makes sure
// that they are seen before what follows (release), and raises a flag beside them (signal). The other one's
// kernel watches its flag (acquire) and reads. Nothing is copied twice, no kernel ends, and the host is not
// woken up.
//
// There are two inboxes, used in turn: a rank that is in step s has read what came for step s - 1, or its
// partner could not have got that far. Flags hold the number of the step, and numbers go on from call to
// call.

// ---- Optimised: written where it is needed, and a flag ---------------------------------------------------
struct Symmetric {
  gpu::Memory<std::uint32_t> inbox;  ///< of both ranks, two each
  gpu::Memory<unsigned> flags;       ///< one for each block
  unsigned blocks;                   ///< of a rank
  unsigned number = 1;
};

/// The same blocks of both ranks exchange their parts; a block keeps its place in all steps.
__global__ void __launch_bounds__(kThreads)
    put_and_stir(const std::uint32_t* x, std::uint32_t* y, std::uint32_t* inbox, unsigned* flags,
                 std::int64_t n, std::int64_t steps, unsigned number) {
  const unsigned blocks = gridDim.x / kRanks, rank = blockIdx.x / blocks, partner = 1 - rank;
  const unsigned block = blockIdx.x % blocks;
  const std::int64_t first = std::int64_t{block} * kThreads + threadIdx.x,
                     stride = std::int64_t{blocks} * kThreads;
  // Of the system, as it would have to be between devices.
  using Flag = ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_system>;
  Flag mine(flags[rank * blocks + block]), theirs(flags[partner * blocks + block]);
  for (std::int64_t s = 0; s < steps; ++s, ++number) {
    const std::uint32_t* own = (s == 0 ? x : y) + rank * n;
    std::uint32_t* there = inbox + (s % 2 * kRanks + partner) * n;
    for (std::int64_t i = first; i < n; i += stride) there[i] = own[i];
    __syncthreads();
    if (threadIdx.x == 0) {
      theirs.store(number, ::cuda::memory_order_release);
      while (mine.load(::cuda::memory_order_acquire) - number > 1) {  // the partner may be a step ahead
      }
    }
    __syncthreads();
    const std::uint32_t* here = inbox + (s % 2 * kRanks + rank) * n;
    for (std::int64_t i = first; i < n; i += stride) y[rank * n + i] = mix(own[i], __ldcg(here + i), 1);
  }
}

std::shared_ptr<void> prepare_symmetric(const Setup& setup) {
  const auto n = setup.params["n"];
  auto plan = std::make_shared<Symmetric>();
  plan->blocks = std::min(gpu::blocks_for(n, kThreads), gpu::processors() / kRanks);
  plan->inbox = gpu::memory_for<std::uint32_t>(static_cast<std::size_t>(n) * 2 * kRanks);
  plan->flags = gpu::memory_for<unsigned>(std::size_t{plan->blocks} * kRanks);
  return plan;
}

/// Launched together: a rank that never starts would be waited for without end.
void put_signal(const Call& call) {
  auto& plan = call.plan<Symmetric>();
  const auto steps = call.params()["steps"];
  gpu::launch_together(plan.blocks * kRanks, kThreads, 0, gpu::stream_of(call), put_and_stir,
                       call.input<std::uint32_t>(kX).data, call.output<std::uint32_t>(kY).data,
                       plan.inbox.get(), plan.flags.get(), call.params()["n"], steps, plan.number);
  plan.number += static_cast<unsigned>(steps);
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch12/symmetric_put_signal",
    .title = "Put and signal (both ranks on one device)",
    .idea = "Write into the other rank's memory and raise a flag there.",
    .bound = Bound::synchronisation,
    .tags = {"communication", "emulation", "persistent kernel"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 12, 1 << 18}, .quick = {1 << 12}, .small = 1027},
             {.name = "steps", .values = {50}, .small = 5}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "by_host",
                  .run = by_host,
                  .note = "copies to the host and back, which waits for them in every step",
                  .prepare = prepare,
                  .host_sync = true},
                 {.name = "put_signal",
                  .run = put_signal,
                  .note = "kernels write into each other's inbox and raise flags",
                  .prepare = prepare_symmetric,
                  .host_sync = true,
                  .cooperative = true}},
}};

}  // namespace
}  // namespace aisp::symmetric_put_signal

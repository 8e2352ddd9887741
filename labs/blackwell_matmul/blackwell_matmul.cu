// SPDX-License-Identifier: Apache-2.0
// Matrix product of bf16 on Blackwell                                           labs, blackwell_matmul
//
// State:             compiled, not run. No device with these instructions was at hand: ptxas has taken the
//                    rungs for sm_100a and sm_103a, and descriptors and layouts are tested on the CPU. There
//                    is no number, here or in the README.
// The idea:          the tensor cores take everything from where it lies (inputs in shared memory, sums in
//                    tensor memory), so one thread keeps them fed and all others do something else.
// What bounds it:    2 n^3 flops on 6 n^2 bytes. n = 8192 is 1.1 TFlop: 0.49 ms at the 2.25 PFLOP/s that
//                    NVIDIA states for a B200; its 403 MB take 50 µs at the 8 TB/s stated.
// What to look for:  how busy the tensor cores are, rung by rung: each removes one thing they wait for.
// Where it stops:    not known before it has run: at the chip's power, if it is as on Hopper.
//
// The rungs are headers, in the order below, and this is their one translation unit: in builds for other
// devices their kernels are empty, and cost one file's compile time. The machinery is in workloads/blackwell
// and workloads/hopper; problem, reference and anchor are labs/hopper_matmul's.
#include "labs/blackwell_matmul/large_tile.cuh"
#include "labs/blackwell_matmul/launch_control.cuh"
#include "labs/blackwell_matmul/one_step.cuh"
#include "labs/blackwell_matmul/overlapped.cuh"
#include "labs/blackwell_matmul/pair.cuh"
#include "labs/blackwell_matmul/ring.cuh"
#include "labs/blackwell_matmul/specialised.cuh"
#include "labs/blackwell_matmul/tma_store.cuh"
#include "labs/hopper_matmul/bf16_problem.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::blackwell_matmul {
namespace {

// ---- The problem, the reference and the anchor: labs/hopper_matmul/bf16_problem.cuh ----------------------
// ---- Baseline: one_step.cuh ------------------------------------------------------------------------------
// ---- The idea: above, and in the head of each rung -------------------------------------------------------
// ---- Optimised: ring.cuh to pair.cuh, in the order of the registration -----------------------------------
/// Sizes whose rows do not begin at multiples of 16 bytes are left to plain tiles in shared memory.
template <void (*multiply)(const Product&, cudaStream_t)>
void or_shared_tile(const Product& product, cudaStream_t stream) {
  if (!product.aligned()) return hopper_matmul::shared_tile(product, stream);
  multiply(product, stream);
}

template <void (*multiply)(const Product&, cudaStream_t)>
Variant rung(const char* name, const char* note) {
  return {.name = name,
          .run = CallFunction(hopper_matmul::rung<or_shared_tile<multiply>>),
          .note = std::string("compiled, not run: ") + note,
          .unavailable = gpu::needs_sm_100a};
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "labs/blackwell_matmul",
    .title = "Matrix product of bf16 on Blackwell (compiled, not run)",
    .idea = "One thread keeps the tensor cores fed, sums stay in their own memory (compiled, not run).",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "pipelining", "blackwell"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1024, 2048, 4096, 8192}, .quick = {4096}, .small = 328}},
    .problem = hopper_matmul::problem,
    .reference = hopper_matmul::reference,
    .device_reference = hopper_matmul::reference_on_device,
    .variants = {rung<one_step>("one_step", "tcgen05 on 128 x 128 tiles by TMA, a step at a time"),
                 rung<ring>("ring", "six steps on their way, stages freed by tcgen05.commit"),
                 rung<large_tile>("large_tile", "128 x 256 tiles"),
                 rung<specialised>("specialised", "a warp fetches, a warp multiplies, four store"),
                 rung<overlapped>("overlapped", "blocks stay, two sets of sums in tensor memory"),
                 rung<tma_store>("tma_store", "sums leave through shared memory and TMA"),
                 rung<launch_control>("launch_control", "the hardware hands out the tiles (try_cancel)"),
                 rung<pair>("pair", "two blocks multiply 256 x 256, each with half of B (cta_group::2)"),
                 {.name = "cublasLt",
                  .run = hopper_matmul::library,
                  .note = "cuBLASLt, the fastest of the algorithms it proposes; not run on Blackwell",
                  .prepare = hopper_matmul::prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = gpu::first_reason(gpu::needs_sm_100a, hopper_matmul::no_library)}},
}};

}  // namespace
}  // namespace aisp::blackwell_matmul

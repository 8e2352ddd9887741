// SPDX-License-Identifier: Apache-2.0
// Matrix product of bf16 on Hopper                                              labs, hopper_matmul
//
// The idea:          keep the tensor cores fed: everything else (fetching, waiting, storing) happens beside
//                    them.
// What bounds it:    2 n^3 flops on 6 n^2 bytes. n = 8192 is 1.1 TFlop: 1.4 ms at the 790 TFLOP/s that an
//                    H200 does within its power, 1.1 ms at the rate its clocks allow; its 403 MB take 93
//                    µs.
// What to look for:  how busy the tensor cores are, rung by rung: each removes one thing they wait for.
// Where it stops:    at the chip's power. From there on only bytes that are not moved make it faster.
//
// The rungs are in files of their own, in the order of rungs.cuh; the machinery is in workloads/hopper.
// The problem, the reference and the anchor are in bf16_problem.cuh: labs/blackwell_matmul has the same.
#include "labs/hopper_matmul/bf16_problem.cuh"
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::hopper_matmul {
namespace {

// ---- The problem and the reference: bf16_problem.cuh, reference.cuh, host_reference.h --------------------
// ---- Baseline: naive.cu, a thread an element -------------------------------------------------------------

// ---- The idea --------------------------------------------------------------------------------------------
// The tensor cores multiply a pair of tiles in less time than it takes to fetch the next one, to wait for it
// and to store what came out. So the rungs first put more arithmetic on every byte that is fetched (shared
// memory, registers, larger tiles). Then they take everything else out of the way of the next product:
// fetching goes to the copy engine and a warp of its own, a block goes on to its next tile, and storing goes
// to the copy engine too.

// ---- Optimised: shared_tile.cu to one_wave.cu, in the order of rungs.cuh ---------------------------------
// ---- Anchor, the library: bf16_problem.cuh, cublaslt.cu --------------------------------------------------

// ---- Registration ----------------------------------------------------------------------------------------
// Small: a multiple of eight, as the copy engine needs, and of no tile.
const Registration registered{{
    .id = "labs/hopper_matmul",
    .title = "Matrix product of bf16 on Hopper",
    .idea = "Keep the tensor cores fed: fetching, waiting and storing happen beside them.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "pipelining"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1024, 2048, 4096, 8192}, .quick = {4096}, .small = 328}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "naive",
                  .run = CallFunction(rung<naive>),
                  .note = "a thread an element, operands from the caches"},
                 {.name = "shared",
                  .run = CallFunction(rung<shared_tile>),
                  .note = "32 x 32 tiles in shared memory"},
                 {.name = "registers",
                  .run = CallFunction(rung<register_tile>),
                  .note = "8 x 8 elements a thread (this and all below: n a multiple of 8, else shared)"},
                 {.name = "mma_sync",
                  .run = CallFunction(rung<mma_sync>),
                  .note = "tensor cores by mma.sync, cp.async"},
                 {.name = "wgmma",
                  .run = CallFunction(rung<wgmma_tma>),
                  .note = "wgmma on 128 x 128 tiles by TMA",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "large_tile",
                  .run = CallFunction(rung<large_tile>),
                  .note = "128 x 256 tiles",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "specialised",
                  .run = CallFunction(rung<specialised>),
                  .note = "one warp fetches, eight multiply, registers to match",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "persistent",
                  .run = CallFunction(rung<persistent>),
                  .note = "blocks stay and fetch ahead",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "cluster",
                  .run = CallFunction(rung<cluster>),
                  .note = "two blocks fetch shared rows once",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "tma_store",
                  .run = CallFunction(rung<tma_store>),
                  .note = "sums leave by stmatrix and TMA",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "l2_order",
                  .run = CallFunction(rung<l2_order>),
                  .note = "tiles in bands for the L2, narrower ones for small sizes",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "one_wave",
                  .run = CallFunction(rung<one_wave>),
                  .note = "small sizes: a tile a multiprocessor, soon begun and soon ended",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "cublasLt",
                  .run = library,
                  .note = "cuBLASLt, the fastest of the algorithms it proposes",
                  .prepare = prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = no_library}},
}};

}  // namespace
}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
// Specialised warps                                                      chapter 10, pipelining and tiles
//
// The idea:          one warp fetches, the others multiply, and nobody meets anybody.
// What bounds it:    4096^3 are 137 GFlop: 174 µs at the 790 TFLOP/s that an H200 does within its power.
// What to look for:  the tensor cores between steps: idle while all warps of the block meet, or fed by the
//                    step that is already queued.
// Where it stops:    blocks still start with an empty ring and store at the end of their tile while nothing
//                    is multiplied (ch10/persistent_tiles).
#include "workloads/ch10_pipelining/lab_product.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::warp_special_gemm {
namespace {

using namespace lab_product;

// ---- The problem and the reference: labs/hopper_matmul ---------------------------------------------------
// ---- Baseline `alike`: the kernel of labs/hopper_matmul/large_tile.cu ------------------------------------

// ---- The idea --------------------------------------------------------------------------------------------
// When all warps do the same, they meet after every step, because the stage they have used may be filled
// again only when the last of them has left it. The tensor cores wait for that meeting. Give the fetching to
// a warp of its own, and two barriers for each stage, full and empty: whoever fetches waits for room, whoever
// multiplies waits for tiles, and each warp goes at its own pace, one step queued behind the one that runs.
//
// A warp that only asks for copies needs few registers, and those that multiply need as many as there are.
// The fetching warpgroup gives back what it does not need (setmaxnreg) and the others take it. Both kernels
// are the lab's, with tiles of 128 x 256 and a ring of four stages: large_tile.cu and specialised.cu.

// ---- Optimised `specialised`: the kernel of labs/hopper_matmul/specialised.cu ----------------------------

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch10/warp_special_gemm",
    .title = "Specialised warps",
    .idea = "One warp fetches, the others multiply, and nobody meets anybody.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "warp specialisation"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {4096, 8192}, .quick = {4096}, .small = 328}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "alike",
                  .run = CallFunction(rung<hopper_matmul::large_tile>),
                  .note = "all warps fetch, multiply and meet (n a multiple of 8, else shared tiles)",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "specialised",
                  .run = CallFunction(rung<hopper_matmul::specialised>),
                  .note = "one warp fetches, eight multiply, registers to match",
                  .unavailable = gpu::needs_sm_90a}},
}};

}  // namespace
}  // namespace aisp::warp_special_gemm

// SPDX-License-Identifier: Apache-2.0
// Multicast in a cluster                                                 chapter 10, pipelining and tiles
//
// The idea:          what two blocks of a cluster both need is fetched once and written into both.
// What bounds it:    4096^3 are 137 GFlop: 174 µs at the 790 TFLOP/s that an H200 does within its power.
//                    Every step of a block brings 16 KB of A and 32 KB of B from the L2 cache; shared by
//                    two blocks, B counts half: a third less.
// What to look for:  bytes from the L2 cache, and power: bytes that do not travel leave it to the tensor
//                    cores.
// Where it stops:    blocks of a cluster wait for each other, and not every multiprocessor finds a partner.
//                    Where the L2 cache keeps up anyway, a few per cent are all there is.
#include "workloads/ch10_pipelining/lab_product.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::cluster_multicast {
namespace {

using namespace lab_product;

// ---- The problem and the reference: labs/hopper_matmul ---------------------------------------------------
// ---- Baseline `each`: the kernel of labs/hopper_matmul/persistent.cu -------------------------------------

// ---- The idea --------------------------------------------------------------------------------------------
// Blocks whose tiles lie one below the other multiply with the same rows of B, at about the same time, and
// each fetches them for itself. In a cluster, blocks run at the same time by contract and reach each other's
// shared memory. Each of two asks for half of the rows, and the copy engine writes what comes into both
// (multicast). A stage may be filled again when the warps of both blocks have left it, so arrivals go to
// both. Both kernels are the lab's: persistent.cu and cluster.cu.

// ---- Optimised `multicast`: the kernel of labs/hopper_matmul/cluster.cu ----------------------------------

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch10/cluster_multicast",
    .title = "Multicast in a cluster",
    .idea = "What two blocks of a cluster both need is fetched once and written into both.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "clusters"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {4096, 8192}, .quick = {4096}, .small = 328}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "each",
                  .run = CallFunction(rung<hopper_matmul::persistent>),
                  .note = "each block fetches all it needs (n a multiple of 8, else shared tiles)",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "multicast",
                  .run = CallFunction(rung<hopper_matmul::cluster>),
                  .note = "two blocks fetch half of B each, for both",
                  .unavailable = gpu::needs_sm_90a}},
}};

}  // namespace
}  // namespace aisp::cluster_multicast

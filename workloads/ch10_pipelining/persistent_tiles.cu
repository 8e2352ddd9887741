// SPDX-License-Identifier: Apache-2.0
// Persistent tiles                                                       chapter 10, pipelining and tiles
//
// The idea:          blocks that stay take tile after tile: the next one is fetched while this one is
//                    stored.
// What bounds it:    4096^3 are 137 GFlop: 174 µs at the 790 TFLOP/s that an H200 does within its power.
//                    Its 512 tiles are nearly four rounds of 132; a new block starts with an empty ring,
//                    some 2 µs until the first tiles are there, and a tile ends with 64 KB to store.
// What to look for:  the tensor cores between a tile's last product and the next one's first.
// Where it stops:    one tile a multiprocessor: then there is no next one. The last round may be nearly
//                    empty either way.
#include "labs/hopper_matmul/cluster_tiles.cuh"
#include "labs/hopper_matmul/staged.cuh"
#include "workloads/ch10_pipelining/lab_product.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::persistent_tiles {
namespace {

using namespace lab_product;

// ---- The problem and the reference: labs/hopper_matmul ---------------------------------------------------
// ---- Baseline `block_a_tile`: the kernel of labs/hopper_matmul/specialised.cu ----------------------------

// ---- The idea --------------------------------------------------------------------------------------------
// A block for each tile pays for its start with every tile: barriers are set up, the ring is empty, the first
// products wait. One block a multiprocessor, which takes every 132nd tile, starts once. Its fetching warp
// does not stop at the end of a tile: it runs ahead into the next one while the others still store.
//
// Stores from registers keep the multiplying warps busy all the same. Handed to the copy engine, through a
// staging tile in shared memory, they go on while the next products are queued. The first two kernels are the
// lab's specialised.cu and persistent.cu; the third is that of its tma_store.cu, without clusters.

// ---- Optimised: `persistent`, labs/hopper_matmul/persistent.cu, and `overlapped` -------------------------
void overlapped(const Call& call) {
  const hopper_matmul::Product product = product_of(call);
  if (!product.aligned()) return hopper_matmul::shared_tile(product, gpu::stream_of(call));
  hopper_matmul::launch_cluster_tiles<hopper_matmul::Shape<256, 4>, hopper_matmul::RowAfterRow,
                                      hopper_matmul::Staged>(product, gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch10/persistent_tiles",
    .title = "Persistent tiles",
    .idea = "Blocks that stay fetch the next tile while they store this one.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "persistent kernel"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {4096, 8192}, .quick = {4096}, .small = 328}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "block_a_tile",
                  .run = CallFunction(rung<hopper_matmul::specialised>),
                  .note = "a block for each tile (n a multiple of 8, else shared tiles)",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "persistent",
                  .run = CallFunction(rung<hopper_matmul::persistent>),
                  .note = "a block a multiprocessor, fetching ahead into the next tile",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "overlapped",
                  .run = overlapped,
                  .note = "and stores by the copy engine, beside the next products",
                  .unavailable = gpu::needs_sm_90a}},
}};

}  // namespace
}  // namespace aisp::persistent_tiles

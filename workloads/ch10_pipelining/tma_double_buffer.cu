// SPDX-License-Identifier: Apache-2.0
// Double buffering by TMA                                                chapter 10, pipelining and tiles
//
// The idea:          while the tensor cores work on one pair of tiles, the copy engine brings the next.
// What bounds it:    4096^3 are 137 GFlop: 174 µs at the 790 TFLOP/s that an H200 does within its power. A
//                    pair of tiles is 48 KB for 4.2 MFlop, 0.5 to 0.7 µs of work for the tensor cores of a
//                    multiprocessor; it comes from the L2 cache, or memory, about as long after it was
//                    asked for.
// What to look for:  the share of time in which the tensor cores are busy, against the number of stages.
// Where it stops:    when all that is on its way covers the latency. Stages cost shared memory: with tiles
//                    half as wide and two stages, two blocks fit a multiprocessor and hide each other's
//                    waiting.
#include "labs/hopper_matmul/block_tiles.cuh"
#include "workloads/ch10_pipelining/lab_product.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::tma_double_buffer {
namespace {

using namespace lab_product;

// ---- The problem and the reference: labs/hopper_matmul ---------------------------------------------------
// ---- Baseline: stages<1>, the kernel below with one buffer -----------------------------------------------

// ---- The idea --------------------------------------------------------------------------------------------
// With one buffer, a block asks for a pair of tiles, waits for it, multiplies, and asks for the next: the
// copy engine and the tensor cores take turns. With two, the next pair is on its way while this one is
// multiplied. That hides as much as one multiplication is long. When the way is longer than that, there must
// be several pairs on it: a ring, whose free places are filled again in the order in which they became free.
//
// The kernel is one and the same (labs/hopper_matmul/block_tiles.cuh), with tiles of 128 x 256, whose sums
// leave room for one block a multiprocessor; only the number of stages differs.

// ---- Optimised: stages<2> and stages<4> ------------------------------------------------------------------
template <int kStages>
void stages(const Call& call) {
  const hopper_matmul::Product product = product_of(call);
  if (!product.aligned()) return hopper_matmul::shared_tile(product, gpu::stream_of(call));
  hopper_matmul::launch_block_tiles<hopper_matmul::Shape<256, kStages>>(product, gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch10/tma_double_buffer",
    .title = "Double buffering by TMA",
    .idea = "While the tensor cores work on one pair of tiles, the copy engine brings the next.",
    .bound = Bound::latency,
    .tags = {"gemm", "tensor cores", "pipelining"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {4096}, .small = 328}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "one_stage",
                  .run = CallFunction(stages<1>),
                  .note = "fetch, wait, multiply, in turn (n a multiple of 8, else shared tiles)",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "two_stages",
                  .run = CallFunction(stages<2>),
                  .note = "the next pair of tiles on its way",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "four_stages",
                  .run = CallFunction(stages<4>),
                  .note = "a ring: three pairs on their way",
                  .unavailable = gpu::needs_sm_90a}},
}};

}  // namespace
}  // namespace aisp::tma_double_buffer

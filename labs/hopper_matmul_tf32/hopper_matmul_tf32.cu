// SPDX-License-Identifier: Apache-2.0
// Matrix product of single precision as tf32 on Hopper                          labs, hopper_matmul_tf32
//
// The idea:          tensor cores take single precision too, of which they use the upper 19 bits: the same
//                    kernels as for bf16, on rows of 32 values instead of 64.
// What bounds it:    2 n^3 flops on 12 n^2 bytes. n = 8192 is 1.1 TFlop: 2.2 ms at the 495 TFLOP/s that the
//                    clocks allow; its 805 MB take 0.2 ms.
// What to look for:  HGMMA ... TF32 in the code; a step of 32 along k takes the clocks of a step of 64 of
//                    bf16.
// Where it stops:    at inputs that have more bits than are used: they must be rounded to tf32 before, once,
//                    or the product is that of what they are cut down to.
#include "aisp/aisp.h"
#include "labs/hopper_matmul/block_tiles.cuh"
#include "labs/hopper_matmul/cublaslt.cuh"
#include "labs/hopper_matmul/host_reference.h"
#include "labs/hopper_matmul/in_bands.cuh"
#include "labs/hopper_matmul/reference.cuh"
#include "labs/hopper_matmul/shared_tile.cuh"
#include "labs/hopper_matmul/tile_choice.h"
#include "workloads/hopper/needs.h"

namespace aisp::hopper_matmul {
namespace {

enum { kA, kB };
enum { kD };

// ---- The problem: D = A B^T, square, row-major, of single precision ---------------------------------------
/// All inputs are numbers that tf32 holds (11 bits), as a network's are that were rounded once: so the answer
/// is the same for all who multiply in tf32 or wider, and the tolerance that of the sums alone.
Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto size = static_cast<double>(n);
  const auto matrix = [&](const char* name) {
    return input<float>(name, {n, n}, {ties(-1, 1, 2049), integers(-2047, 2047)});
  };
  return {.tensors = {matrix("a"), matrix("b"),
                      output<float>("d", {n, n}, reduction(DType::f32, DType::f32, size))},
          .work = {.bytes = 12 * size * size, .flops = 2 * size * size * size, .math = DType::f32},
          .workspace_bytes = LibraryProduct::kWorkspaceBytes + LibraryProduct::kSearchBytes +
                             12 * static_cast<std::size_t>(n * n)};
}

// ---- Reference: in double, and the magnitude of what was added ------------------------------------------
void reference(const ReferenceCall& call) { multiply_on_host<float>(call, 1); }

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = static_cast<int>(call.params["n"]);
  const Tf32Product product{call.input<float>(kA).data, call.input<float>(kB).data, nullptr, n, n, n};
  launch_in_double(product, call.outputs[kD].value, call.outputs[kD].scale, gpu::stream_of(call));
}

// ---- What all rungs multiply: the kernels of labs/hopper_matmul on another type --------------------------
Tf32Product product_of(const Call& call) {
  const auto n = static_cast<int>(call.params()["n"]);
  return {call.input<float>(kA).data, call.input<float>(kB).data, call.output<float>(kD).data, n, n, n};
}

// ---- Baseline: 32 x 32 tiles in shared memory, labs/hopper_matmul/shared_tile.cuh ------------------------
void shared(const Call& call) { launch_shared(product_of(call), gpu::stream_of(call)); }

// ---- The idea --------------------------------------------------------------------------------------------
// The tensor cores take tf32 by the same kind of instruction (wgmma), from the same tiles: rows of
// 128 bytes, swizzled by the copy engine. A row then has 32 values instead of 64, and an instruction takes
// 8 along k instead of 16. What keeps the cores fed does not know the type.

// ---- Optimised: the kernels of block_tiles.cuh, and of cluster_tiles.cuh in bands ------------------------
/// A block a tile, all threads in step; sizes that the copy engine cannot take are left to `shared`.
template <int kColumns>
void block_tiles(const Call& call) {
  if (!product_of(call).aligned()) return shared(call);
  launch_block_tiles<Shape<kColumns, 4, 1, Tf32Product>>(product_of(call), gpu::stream_of(call));
}

void last(const Call& call) {
  const Tf32Product product = product_of(call);
  if (!product.aligned()) return shared(call);
  static const int clusters = static_cast<int>(gpu::processors()) / 2;
  launch_in_bands(product, best_width(product.m, product.n, product.k, clusters), gpu::stream_of(call));
}

// ---- Anchor: the library, with the best of its algorithms -------------------------------------------------
std::shared_ptr<void> prepare_library(const Setup& setup) {
  const auto n = static_cast<int>(setup.params["n"]);
  return std::make_shared<LibraryProduct>(LibraryType::tf32, n, n, n);
}
void library(const Call& call) {
  call.plan<LibraryProduct>().run(operands_of(product_of(call)), gpu::stream_of(call));
}
std::optional<std::string> no_library(const Params& size) {
  if (size["n"] % 4 != 0) return "takes rows that begin at multiples of 16 bytes only";
  return cublaslt_missing();
}

// ---- Registration ----------------------------------------------------------------------------------------
// Small: a multiple of what the copy engine needs, and of no tile.
const Registration registered{{
    .id = "labs/hopper_matmul_tf32",
    .title = "Matrix product of single precision as tf32 on Hopper",
    .idea = "Single precision on the tensor cores, with the kernels of bf16.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "tf32"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {4096, 8192}, .quick = {4096}, .small = 332}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "shared", .run = shared, .note = "32 x 32 tiles in shared memory"},
                 {.name = "wgmma",
                  .run = CallFunction(block_tiles<128>),
                  .note = "wgmma on 128 x 128 tiles by TMA",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "large_tile",
                  .run = CallFunction(block_tiles<256>),
                  .note = "128 x 256 tiles",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "l2_order",
                  .run = last,
                  .note = "fetching, multiplying and storing apart, clusters that stay, tiles in bands",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "cublasLt",
                  .run = library,
                  .note = "cuBLASLt for tf32, the fastest of the algorithms it proposes",
                  .prepare = prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = no_library}},
}};

}  // namespace
}  // namespace aisp::hopper_matmul

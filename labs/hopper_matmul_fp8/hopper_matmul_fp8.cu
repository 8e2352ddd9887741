// SPDX-License-Identifier: Apache-2.0
// Matrix product of 8-bit floats on Hopper                                      labs, hopper_matmul_fp8
//
// The idea:          half of the bytes of bf16, and tensor cores that take twice as many values at a time:
//                    the same kernels, on rows of 128 values instead of 64.
// What bounds it:    2 n^3 flops on 4 n^2 bytes. n = 8192 is 1.1 TFlop: 0.56 ms at the 1979 TFLOP/s that the
//                    clocks allow, and the chip's power allows less.
// What to look for:  QGMMA in the code, and as many clocks for a step as bf16 takes.
// Where it stops:    at the chip's power, and at the sums: the tensor cores keep some 13 bits behind the
//                    point of the largest term. Products that need more add up in registers every few
//                    steps.
#include "aisp/aisp.h"
#include "labs/hopper_matmul/block_tiles.cuh"
#include "labs/hopper_matmul/cublaslt.cuh"
#include "labs/hopper_matmul/host_reference.h"
#include "labs/hopper_matmul/in_bands.cuh"
#include "labs/hopper_matmul/one_wave_tiles.cuh"
#include "labs/hopper_matmul/reference.cuh"
#include "labs/hopper_matmul/shared_tile.cuh"
#include "labs/hopper_matmul/tile_choice.h"
#include "workloads/hopper/needs.h"

namespace aisp::hopper_matmul {
namespace {

enum { kA, kB, kScaleA, kScaleB };
enum { kD };

// ---- The problem: D = s A B^T, square; A and B e4m3, each with a scale, D bf16 ---------------------------
/// An instruction adds 32 products to a sum and keeps some 13 bits of it: a step of 32 terms counts as one
/// that is rounded, by 2^-14 of what was added up.
Tolerance tolerance(double n) {
  Tolerance sums = reduction(DType::bf16, DType::f32, n / 32);
  sums.scaled *= 0x1p-14 / unit_roundoff(DType::f32);
  sums.reason = "sums of 32 terms at a time, which keep 13 bits";
  return sums;
}

Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto size = static_cast<double>(n);
  return {.tensors = {input<Float8>("a", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<Float8>("b", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<float>("scale_a", {1}, {uniform(0.25, 4), uniform(0.001, 0.1)}),
                      input<float>("scale_b", {1}, {uniform(0.25, 4), uniform(10, 1000)}),
                      output<BFloat16>("d", {n, n}, tolerance(size))},
          .work = {.bytes = 4 * size * size, .flops = 2 * size * size * size, .math = DType::f8e4m3},
          .workspace_bytes = LibraryProduct::kWorkspaceBytes + LibraryProduct::kSearchBytes +
                             4 * static_cast<std::size_t>(n * n)};
}

// ---- Reference: in double, and the magnitude of what was added ------------------------------------------
void reference(const ReferenceCall& call) {
  multiply_on_host<Float8>(call, double{call.input<float>(kScaleA)[0]} * call.input<float>(kScaleB)[0]);
}

const E4m3* values_of(const Float8* values) { return reinterpret_cast<const E4m3*>(values); }

void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = static_cast<int>(call.params["n"]);
  const Fp8Product product{values_of(call.input<Float8>(kA).data),
                           values_of(call.input<Float8>(kB).data),
                           nullptr,
                           n,
                           n,
                           n,
                           {call.input<float>(kScaleA).data, call.input<float>(kScaleB).data}};
  launch_in_double(product, call.outputs[kD].value, call.outputs[kD].scale, gpu::stream_of(call));
}

// ---- What all rungs multiply: the kernels of labs/hopper_matmul on another type --------------------------
Fp8Product product_of(const Call& call) {
  const auto n = static_cast<int>(call.params()["n"]);
  return {values_of(call.input<Float8>(kA).data),
          values_of(call.input<Float8>(kB).data),
          reinterpret_cast<Bf16*>(call.output<BFloat16>(kD).data),
          n,
          n,
          n,
          {call.input<float>(kScaleA).data, call.input<float>(kScaleB).data}};
}

// ---- Baseline: 32 x 32 tiles in shared memory, labs/hopper_matmul/shared_tile.cuh ------------------------
void shared(const Call& call) { launch_shared(product_of(call), gpu::stream_of(call)); }

// ---- The idea --------------------------------------------------------------------------------------------
// The tensor cores take 8-bit floats by the same kind of instruction (wgmma), from the same tiles: rows of
// 128 bytes, swizzled by the copy engine. A row then has 128 values instead of 64, and an instruction takes
// 32 along k instead of 16. What keeps the cores fed does not know the type.

// ---- Optimised: the kernels of block_tiles.cuh, of cluster_tiles.cuh in bands, of one_wave_tiles.cuh ------
/// A block a tile, all threads in step; sizes that the copy engine cannot take are left to `shared`.
template <int kColumns>
void block_tiles(const Call& call) {
  if (!product_of(call).aligned()) return shared(call);
  launch_block_tiles<Shape<kColumns, 4, 1, Fp8Product>>(product_of(call), gpu::stream_of(call));
}

void in_bands(const Call& call) {
  const Fp8Product product = product_of(call);
  if (!product.aligned()) return shared(call);
  static const int clusters = static_cast<int>(gpu::processors()) / 2;
  launch_in_bands(product, best_width(product.m, product.n, product.k, clusters), gpu::stream_of(call));
}

/// Where every multiprocessor gets one tile at most, one_wave_tiles.cuh. A step along k is 128 bytes, so a
/// product of fp8 takes the clocks of one of bf16 with half the k.
void one_tile_each(const Call& call) {
  const Fp8Product product = product_of(call);
  if (!product.aligned()) return shared(call);
  static const auto processors = static_cast<int>(gpu::processors());
  const auto tile = wave_tile(product.m, product.n, product.k / 2, processors);
  if (!tile) return in_bands(call);
  launch_wave_tile(product, *tile, gpu::stream_of(call));
}

// ---- Anchor: the library, with the best of its algorithms -------------------------------------------------
std::shared_ptr<void> prepare_library(const Setup& setup) {
  const auto n = static_cast<int>(setup.params["n"]);
  return std::make_shared<LibraryProduct>(LibraryType::fp8, n, n, n);
}
void library(const Call& call) {
  call.plan<LibraryProduct>().run(operands_of(product_of(call)), gpu::stream_of(call));
}
std::optional<std::string> no_library(const Params& size) {
  if (size["n"] % 16 != 0) return "takes rows that begin at multiples of 16 bytes only";
  return cublaslt_missing();
}

// ---- Registration ----------------------------------------------------------------------------------------
// Small: a multiple of what the copy engine needs, and of no tile.
const Registration registered{{
    .id = "labs/hopper_matmul_fp8",
    .title = "Matrix product of 8-bit floats on Hopper",
    .idea = "Half of the bytes and twice the rate, with the kernels of bf16.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "fp8"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1024, 2048, 4096, 8192}, .quick = {4096}, .small = 336}},
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
                  .run = in_bands,
                  .note = "fetching, multiplying and storing apart, clusters that stay, tiles in bands",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "one_wave",
                  .run = one_tile_each,
                  .note = "small products: blocks that take one tile, fetch at once and end",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "cublasLt",
                  .run = library,
                  .note = "cuBLASLt with fast accumulation, the fastest of the algorithms it proposes",
                  .prepare = prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = no_library}},
}};

}  // namespace
}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
// Single precision on tensor cores                               chapter 9, arithmetic intensity
//
// The idea:          split every float into two numbers of tf32, and multiply these: three products on the
//                    tensor cores cost less than one on the units for single precision.
// What bounds it:    2 n^3 flops. n = 4096 is 137 GFlop: 2.1 ms at the 66 TFLOP/s of an H200's multipliers
//                    for single precision. Its tensor cores do 478 of tf32: three products take 0.86 ms.
// What to look for:  how busy the tensor cores are, and the error beside that of the plain product: the
//                    rungs are held to the same tolerance.
// Where it stops:    at 2.1 times the speed of cuBLASLt's product in single precision on an H200, with a
//                    third of its error. At numbers so small that nothing is left of their rest, below
//                    2^-115, it is no better than one product of tf32.
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "aisp/core/freivalds.h"
#include "workloads/ch09_arithmetic_intensity/sgemm_cublaslt.cuh"
#include "workloads/ch09_arithmetic_intensity/sgemm_reference.cuh"
#include "workloads/ch09_arithmetic_intensity/sgemm_tiles.cuh"
#include "workloads/ch09_arithmetic_intensity/tf32x3_tiles.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::tf32x3 {
namespace {

enum { kA, kB };
enum { kC };

// ---- The problem: C = A B^T, square, row-major: k is contiguous in both inputs ---------------------
Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto size = static_cast<double>(n);
  // wide_range: a few large terms among many small ones; an answer that drops the small ones is wrong.
  return {.tensors = {input<float>("a", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<float>("b", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      output<float>("c", {n, n}, reduction(DType::f32, DType::f32, size))},
          .work = {.bytes = 12 * size * size, .flops = 2 * size * size * size},
          .workspace_bytes = sgemm::LibrarySgemm::kWorkspaceBytes + 12 * static_cast<std::size_t>(n * n)};
}

// ---- Reference: in double, and the magnitude of what was added -------------------------------------
void reference(const ReferenceCall& call) {
  const auto a = call.input<float>(kA), b = call.input<float>(kB);
  const auto n = call.params["n"];
  std::vector<double>&value = call.outputs[kC].value, &scale = call.outputs[kC].scale;
  scale.resize(value.size());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      for (std::int64_t k = 0; k < n; ++k) {
        const double term = double{a[i * n + k]} * b[j * n + k];
        value[static_cast<std::size_t>(i * n + j)] += term;
        scale[static_cast<std::size_t>(i * n + j)] += std::fabs(term);
      }
    }
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  sgemm::multiply_by_reference<true>(call.input<float>(kA).data, call.input<float>(kB).data, call.outputs[kC],
                                     call.params["n"], gpu::stream_of(call));
}

sgemm::Matrices matrices_of(const Call& call) {
  return {call.input<float>(kA).data, call.input<float>(kB).data, call.output<float>(kC).data,
          static_cast<int>(call.params()["n"])};
}

// ---- Baseline: in single precision, 16 x 8 elements a thread (ch09/sgemm) --------------------------
void single(const Call& call) {
  sgemm::multiply_in_tiles<sgemm::Shape<256, 128, 16, 16, 3, true>>(matrices_of(call), gpu::stream_of(call));
}

// ---- The idea --------------------------------------------------------------------------------------
// A float has 24 bits of mantissa, tf32 has 11. So x = u + r: u is x rounded to tf32, r what that left,
// exactly, and rounded to tf32 once more. Of (u + r) (v + s) the product r s is 2^-22 of u v, below what
// single precision keeps; the other three are summed, the small ones first. The error that remains is 2^-22
// or so a term, less than a sum of thousands in single precision has anyway.
//
// But the tensor cores cut off where an adder would round: a long sum drifts towards zero by a unit for every
// instruction. So they sum 128 values of k only, and these partial sums are added up outside, rounded: 64
// additions a thread beside 48 matrix instructions.

// ---- Optimised: three products of tf32 -------------------------------------------------------------
void three_products(const Call& call) {
  const sgemm::Matrices m = matrices_of(call);
  if (m.n % 4 != 0) return single(call);  // rows not at multiples of 16 bytes
  static const cudaError_t allowed =
      cudaFuncSetAttribute(multiply_split, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Memory));
  gpu::check(allowed, "allowing the ring of tiles its shared memory");
  const int tiles = hopper::tiles_for(m.n, kTile);
  // A float is two values of 16 bits to the map; only zeros beyond the matrix are ever made of them.
  multiply_split<<<static_cast<unsigned>(tiles * tiles), kThreads, sizeof(Memory), gpu::stream_of(call)>>>(
      hopper::matrix_map(m.a, m.n, m.n, kTile), hopper::matrix_map(m.b, m.n, m.n, kTile), m.c, m.n);
  gpu::check_launch("multiplying in three products");
}

// ---- Anchor: cuBLASLt in single precision ----------------------------------------------------------
std::shared_ptr<void> prepare_library(const Setup& setup) {
  return std::make_shared<sgemm::LibrarySgemm>(setup.params["n"], true);
}
void library(const Call& call) {
  const sgemm::Matrices m = matrices_of(call);
  call.plan<sgemm::LibrarySgemm>().run(m.a, m.b, m.c, gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: a multiple of four, as 16-byte accesses need, and of no tile.
const Registration registered{{
    .id = "ch09/tf32x3",
    .title = "Single precision on tensor cores",
    .idea = "Split every float into two of tf32: three products on tensor cores cost less than one without.",
    .bound = Bound::compute,
    .tags = {"gemm", "tensor cores", "precision"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {2048, 4096, 8192}, .quick = {4096}, .small = 204}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "single",
                  .run = single,
                  .note = "single precision throughout, 16 x 8 elements a thread"},
                 {.name = "three_products",
                  .run = three_products,
                  .note = "three products of tf32 by wgmma (n a multiple of 4, else single)",
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "cublasLt",
                  .run = library,
                  .note = "cuBLASLt in single precision throughout, the fastest it proposes",
                  .prepare = prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = sgemm::no_cublaslt}},
}};

}  // namespace
}  // namespace aisp::tf32x3

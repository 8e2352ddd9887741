// SPDX-License-Identifier: Apache-2.0
/// \file
/// The problem that all ladders of square products of bf16 share: tensors, reference, anchor. Included by the
/// file that registers one (labs/hopper_matmul, labs/blackwell_matmul).
///
///   {.name = "naive", .run = CallFunction(rung<naive>), ...}
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "aisp/aisp.h"
#include "labs/hopper_matmul/cublaslt.cuh"
#include "labs/hopper_matmul/host_reference.h"
#include "labs/hopper_matmul/product.cuh"
#include "labs/hopper_matmul/reference.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

enum { kA, kB };
enum { kD };

// ---- The problem: D = A B^T, square, row-major: k is contiguous in both inputs --------------------------
inline Problem problem(const Params& p) {
  const auto n = p["n"];
  const auto size = static_cast<double>(n);
  // wide_range: a few large terms among many small ones; an answer that drops the small ones is wrong.
  return {.tensors = {input<BFloat16>("a", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      input<BFloat16>("b", {n, n}, {uniform(-1, 1), wide_range(-6, 6)}),
                      output<BFloat16>("d", {n, n}, reduction(DType::bf16, DType::f32, size))},
          .work = {.bytes = 6 * size * size, .flops = 2 * size * size * size, .math = DType::bf16},
          .workspace_bytes = LibraryProduct::kWorkspaceBytes + LibraryProduct::kSearchBytes +
                             6 * static_cast<std::size_t>(n * n)};
}

// ---- Reference: in double, and the magnitude of what was added ------------------------------------------
inline void reference(const ReferenceCall& call) { multiply_on_host<BFloat16>(call, 1); }

inline const Bf16* values_of(const BFloat16* values) { return reinterpret_cast<const Bf16*>(values); }
inline Bf16* values_of(BFloat16* values) { return reinterpret_cast<Bf16*>(values); }

inline void reference_on_device(const DeviceReferenceCall& call) {
  const auto n = static_cast<int>(call.params["n"]);
  const Product product{
      values_of(call.input<BFloat16>(kA).data), values_of(call.input<BFloat16>(kB).data), nullptr, n, n, n};
  launch_in_double(product, call.outputs[kD].value, call.outputs[kD].scale, gpu::stream_of(call));
}

// ---- A rung ------------------------------------------------------------------------------------------
inline Product product_of(const Call& call) {
  const auto n = static_cast<int>(call.params()["n"]);
  return {values_of(call.input<BFloat16>(kA).data),
          values_of(call.input<BFloat16>(kB).data),
          values_of(call.output<BFloat16>(kD).data),
          n,
          n,
          n};
}

template <void (*multiply)(const Product&, cudaStream_t)>
void rung(const Call& call) {
  multiply(product_of(call), gpu::stream_of(call));
}

// ---- Anchor: the library, with the best of its algorithms -------------------------------------------------
inline std::shared_ptr<void> prepare_library(const Setup& setup) {
  const auto n = static_cast<int>(setup.params["n"]);
  return std::make_shared<LibraryProduct>(LibraryType::bf16, n, n, n);
}
inline void library(const Call& call) {
  call.plan<LibraryProduct>().run(operands_of(product_of(call)), gpu::stream_of(call));
}
inline std::optional<std::string> no_library(const Params& size) {
  if (size["n"] % 8 != 0) return "takes rows that begin at multiples of 16 bytes only";
  return cublaslt_missing();
}

}  // namespace aisp::hopper_matmul

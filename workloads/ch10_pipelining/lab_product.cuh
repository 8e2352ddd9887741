// SPDX-License-Identifier: Apache-2.0
/// \file
/// For workloads that show one step of labs/hopper_matmul by itself: the product, its reference and its data
/// are the lab's, found by its registration, and so are the kernels.
#pragma once

#include <cstdint>

#include "aisp/aisp.h"
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::lab_product {

/// Asked for when it is used: registration has no order.
inline const Workload& lab() {
  const Workload* found = Registry::instance().find("labs/hopper_matmul", DeviceKind::cuda);
  AISP_CHECK(found != nullptr, "labs/hopper_matmul is part of every build that has its steps");
  return *found;
}

inline Problem problem(const Params& p) { return lab().problem(p); }
inline void reference(const ReferenceCall& call) { lab().reference(call); }
inline void reference_on_device(const DeviceReferenceCall& call) { lab().device_reference(call); }

/// Square, D = A B^T of bf16.
inline hopper_matmul::Product product_of(const Call& call) {
  const auto n = static_cast<int>(call.params()["n"]);
  using Bf16 = hopper_matmul::Bf16;
  return {.a = reinterpret_cast<const Bf16*>(call.input<BFloat16>(0).data),
          .b = reinterpret_cast<const Bf16*>(call.input<BFloat16>(1).data),
          .d = reinterpret_cast<Bf16*>(call.output<BFloat16>(0).data),
          .m = n,
          .n = n,
          .k = n};
}

/// A rung of the lab as a variant.
template <void (*multiply)(const hopper_matmul::Product&, cudaStream_t)>
void rung(const Call& call) {
  multiply(product_of(call), gpu::stream_of(call));
}

}  // namespace aisp::lab_product

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/compare_kernels.h"

#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/element.cuh"
#include "aisp/device/cuda/grid.cuh"

namespace aisp::cuda {
namespace {

struct Allowance {
  double relative, scaled, absolute;
  bool bitwise;
  __device__ double operator()(double reference, double scale) const {
    return bitwise ? 0 : relative * fabs(reference) + scaled * scale + absolute;
  }
};

constexpr unsigned long long kInfinityBits = 0x7ff0000000000000ull;

/// The rules of core's compare_tensor(), element by element.
__global__ void compare_elements(const std::byte* data, DType type, std::uint64_t count,
                                 device::WideOnDevice want, Allowance allowance, Comparison* found) {
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    const double value = element_value(data, type, i);
    const double expected = want.value[i];
    if (value == expected) continue;  // also equal infinities
    const double given = want.scale != nullptr ? want.scale[i] : 0;
    const double scale = given != 0 ? given : fabs(expected);
    const double allowed = allowance(expected, scale);
    const double error = fabs(value - expected);
    const bool right = (isnan(value) && isnan(expected)) || (isfinite(expected) && error <= allowed);
    const double multiple = error / allowed;  // without an allowance: infinite, or NaN
    const bool measurable = multiple >= 0 && allowed > 0;
    if (!right) {
      atomicAdd(&found->wrong, 1ull);
      atomicMin(&found->first, static_cast<unsigned long long>(i));
    }
    if (measurable || !right) {
      atomicMax(&found->worst_bits,
                measurable ? static_cast<unsigned long long>(__double_as_longlong(multiple)) : kInfinityBits);
    }
  }
}

__global__ void look_at(const std::byte* data, DType type, bool floating, std::uint64_t bytes_each,
                        std::uint64_t count, Seen* seen) {
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    bool same = true;
    for (std::uint64_t b = 0; b < bytes_each; ++b) same = same && data[i * bytes_each + b] == data[b];
    if (!same) seen->differs = 1;
    if (floating && !isfinite(element_value(data, type, i))) seen->not_finite = 1;
  }
}

}  // namespace

void compare(const TensorView& got, const device::WideOnDevice& want, const Tolerance& tolerance,
             Comparison* found) {
  const auto count = static_cast<std::uint64_t>(got.size);
  const Allowance allowance{tolerance.relative, tolerance.scaled, tolerance.absolute, tolerance.bitwise};
  compare_elements<<<grid_blocks(count), kGridThreads>>>(got.data, got.dtype, count, want, allowance, found);
  check_launch("comparing with the reference");
}

void look(const TensorView& tensor, Seen* seen) {
  const auto count = static_cast<std::uint64_t>(tensor.size);
  look_at<<<grid_blocks(count), kGridThreads>>>(tensor.data, tensor.dtype, is_floating(tensor.dtype),
                                                size_of(tensor.dtype), count, seen);
  check_launch("looking at an answer");
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
// Variants that have answers from where they should not, do not read what they should, or have pages move.
#include "gpu_attacks.cuh"

#include <algorithm>

namespace aisp::attacks {
namespace {

/// The answer to the first inputs, for ever.
__device__ float kept_answer[1 << 20];
__device__ int kept = 0;
__global__ void keep(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    if (kept == 0) kept_answer[i] = heavy(x[i]);
    y[i] = kept_answer[i];
  }
}
__global__ void keep_done() { kept = 1; }

/// Memory of the program too, but written anew in every call before it is read.
__device__ float scratch[1 << 20];
__global__ void into_scratch(const float* x, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    scratch[i] = heavy(x[i]);
}
__global__ void out_of_scratch(float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = scratch[i];
}

/// Half of the answer, by reading half of the input.
__global__ void half_work(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n / 2;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = y[i + n / 2] = heavy(x[i]);
}

/// Zeros in managed memory that every answer needs.
struct Managed {
  float* zeros = nullptr;
  static constexpr int kZeros = 1 << 18;
};

__global__ void work_beside(const float* x, const float* zeros, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = heavy(x[i]) + zeros[i % Managed::kZeros];
}

}  // namespace

void kept_in_memory(const Call& call) {
  const auto x = call.input<float>(0);
  keep<<<1056, 256, 0, stream_of(call)>>>(x.data, call.output<float>(0).data, x.size);
  keep_done<<<1, 1, 0, stream_of(call)>>>();
}

/// The honest twin of kept_in_memory.
void through_scratch(const Call& call) {
  const auto x = call.input<float>(0);
  into_scratch<<<1056, 256, 0, stream_of(call)>>>(x.data, x.size);
  out_of_scratch<<<1056, 256, 0, stream_of(call)>>>(call.output<float>(0).data, x.size);
}

void half(const Call& call) {
  const auto x = call.input<float>(0);
  half_work<<<1056, 256, 0, stream_of(call)>>>(x.data, call.output<float>(0).data, x.size);
}

// ---- Honest where it is declared
std::shared_ptr<void> managed(const Setup&) {
  auto plan = std::make_shared<Managed>();
  check(cudaMallocManaged(&plan->zeros, Managed::kZeros * sizeof(float)));
  std::fill_n(plan->zeros, Managed::kZeros, 0.0f);
  return plan;
}

void settled(const Call& call) {
  const auto x = call.input<float>(0);
  work_beside<<<1056, 256, 0, stream_of(call)>>>(x.data, call.plan<Managed>().zeros,
                                                 call.output<float>(0).data, x.size);
}
/// The host takes a page, and the device must fetch it.
void touched(const Call& call) {
  *static_cast<volatile float*>(call.plan<Managed>().zeros) = 0;
  settled(call);
}

}  // namespace aisp::attacks

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What attacks on a GPU have in common, and by what names they are registered. Each file has those of one
/// kind; gpu_attacks.cu registers them all.
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <stdexcept>

#include "aisp/aisp.h"

namespace aisp::attacks {

constexpr int kSteps = 4000;  // some hundred microseconds at the sizes used: enough to be worth hiding

inline __host__ __device__ float heavy(float x) {
  float sum = x;
  for (int i = 0; i < kSteps; ++i) sum = sum * 0.5f + 0.25f * x;
  return sum;
}

inline void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}
inline cudaStream_t stream_of(const Call& call) { return static_cast<cudaStream_t>(call.stream()); }

/// The work itself: heavy() of every element.
void launch(const float* x, float* y, std::int64_t n, cudaStream_t stream);
void launch(const Call& call, cudaStream_t stream);
const void* work_kernel();
void launch_nothing(cudaStream_t stream);

struct Side {
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  Side() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  }
};

// ---- Streams: gpu_stream_attacks.cu
std::shared_ptr<void> side(const Setup&);
void joined(const Call& call);
void waits(const Call& call);
void late_stream(const Call& call);
std::shared_ptr<void> in_flight(const Setup& setup);
void copy_joined(const Call& call);
void copy_in_flight(const Call& call);
std::shared_ptr<void> early(const Setup& setup);
void early_stream(const Call& call);

// ---- Launches: gpu_launch_attacks.cu
std::shared_ptr<void> persistent(const Setup& setup);
void persistent_kernel(const Call& call);
std::shared_ptr<void> lingering(const Setup&);
void lingering_kernel(const Call& call);
std::shared_ptr<void> tiles(const Setup&);
void tile_after_tile(const Call& call);
void cooperative(const Call& call);
std::shared_ptr<void> relayed(const Setup&);
void launched_by_device(const Call& call);

// ---- The host: gpu_host_attacks.cu
std::shared_ptr<void> on_host(const Setup& setup);
void host_function(const Call& call);
void work_on_host(const Call& call);
std::shared_ptr<void> weights_by_host(const Setup&);
void prepared(const Call& call);

// ---- Memory: gpu_memory_attacks.cu
void kept_in_memory(const Call& call);
void through_scratch(const Call& call);
void half(const Call& call);
std::shared_ptr<void> managed(const Setup&);
void settled(const Call& call);
void touched(const Call& call);

}  // namespace aisp::attacks

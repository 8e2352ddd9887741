// SPDX-License-Identifier: Apache-2.0
// Variants that have the host compute what the device should, and an honest one that has it prepare.
#include "gpu_attacks.cuh"

#include <vector>

namespace aisp::attacks {
namespace {

/// Copies and host functions need no multiprocessor, so the gate does not hold them.
struct OnHost : Side {
  float* values = nullptr;  ///< pinned: a copy of pageable memory is staged before the host function has run
  std::size_t count = 0;
  std::size_t bytes() const { return count * sizeof(float); }
  static void compute(void* self) {
    const auto* plan = static_cast<OnHost*>(self);
    for (std::size_t i = 0; i < plan->count; ++i) plan->values[i] = heavy(plan->values[i]);
  }
};

/// heavy() is a sum of weights times x, and the weights depend on no input. Some steps share one.
constexpr int kShare = 8;
constexpr int kWeights = kSteps / kShare;
static_assert(kSteps % kShare == 0);
__global__ void weigh(const float* x, const float* weights, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    float sum = 0;
    for (int w = 0; w < kWeights; ++w) sum = fmaf(weights[w], x[i], sum);
    y[i] = sum;
  }
}
struct Weights {
  float* values = nullptr;  ///< on the device
};

}  // namespace

std::shared_ptr<void> on_host(const Setup& setup) {
  auto plan = std::make_shared<OnHost>();
  plan->count = static_cast<std::size_t>(setup.params["n"]);
  check(cudaMallocHost(&plan->values, plan->bytes()));
  return plan;
}
/// Has no honest twin: no_host_functions rejects whoever queues one in a window, since no record says when it
/// ran.
void host_function(const Call& call) {
  auto& plan = call.plan<OnHost>();
  check(cudaMemcpyAsync(plan.values, call.input<float>(0).data, plan.bytes(), cudaMemcpyDeviceToHost,
                        plan.stream));
  check(cudaLaunchHostFunc(plan.stream, OnHost::compute, &plan));
  check(cudaMemcpyAsync(call.output<float>(0).data, plan.values, plan.bytes(), cudaMemcpyHostToDevice,
                        plan.stream));
  check(cudaEventRecord(plan.end, plan.stream));
  check(cudaStreamWaitEvent(stream_of(call), plan.end));
}

/// The host computes, and the call waits for it.
void work_on_host(const Call& call) {
  auto& plan = call.plan<OnHost>();
  check(cudaMemcpy(plan.values, call.input<float>(0).data, plan.bytes(), cudaMemcpyDeviceToHost));
  OnHost::compute(&plan);
  check(cudaMemcpyAsync(call.output<float>(0).data, plan.values, plan.bytes(), cudaMemcpyHostToDevice,
                        stream_of(call)));
}

// ---- Honest
/// The host computes for milliseconds, before there are inputs; the call only launches.
std::shared_ptr<void> weights_by_host(const Setup&) {
  std::vector<float> weights(kWeights);
  for (int w = 0; w < kWeights; ++w) {
    double weight = w == 0 ? 1 : 0;  // heavy() begins with x itself
    for (int step = 0; step < kSteps; ++step) weight = weight * 0.5 + (step / kShare == w ? 0.25 : 0);
    weights[static_cast<std::size_t>(w)] = static_cast<float>(weight);
  }
  auto plan = std::make_shared<Weights>();
  const std::size_t bytes = weights.size() * sizeof(float);
  check(cudaMalloc(&plan->values, bytes));
  check(cudaMemcpy(plan->values, weights.data(), bytes, cudaMemcpyHostToDevice));
  return plan;
}
void prepared(const Call& call) {
  const auto x = call.input<float>(0);
  weigh<<<1056, 256, 0, stream_of(call)>>>(x.data, call.plan<Weights>().values, call.output<float>(0).data,
                                           x.size);
}

}  // namespace aisp::attacks

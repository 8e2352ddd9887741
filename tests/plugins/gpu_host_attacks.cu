// SPDX-License-Identifier: Apache-2.0
// Variants that have the host compute what the device should.
#include "gpu_attacks.cuh"

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

}  // namespace

std::shared_ptr<void> on_host(const Setup& setup) {
  auto plan = std::make_shared<OnHost>();
  plan->count = static_cast<std::size_t>(setup.params["n"]);
  check(cudaMallocHost(&plan->values, plan->bytes()));
  return plan;
}
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

}  // namespace aisp::attacks

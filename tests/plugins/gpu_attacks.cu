// SPDX-License-Identifier: Apache-2.0
// The workloads of gpu_*_attacks.cu: each has an attack, or an honest variant that uses the same means
// openly, beside the honest baseline. A guard must name each attack, and none of the honest ones.
#include "gpu_attacks.cuh"

namespace aisp::attacks {
namespace {

__global__ void work(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = heavy(x[i]);
}
__global__ void nothing() {}

void honest(const Call& call) { launch(call, stream_of(call)); }

Problem problem(const Params& p) {
  const auto n = p["n"];
  Tolerance tolerance = reduction(DType::f32, DType::f32, kSteps);
  return {
      .tensors = {input<float>("x", {n}, {uniform(0, 1), uniform(1, 2)}), output<float>("y", {n}, tolerance)},
      .work = {.bytes = 8.0 * static_cast<double>(n)}};
}
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) {
    double sum = x[i];
    for (int step = 0; step < kSteps; ++step) sum = sum * 0.5 + 0.25 * static_cast<double>(x[i]);
    call.outputs[0].value[static_cast<std::size_t>(i)] = sum;
  }
}
__global__ void reference_kernel(const float* x, double* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x) {
    double sum = x[i];
    for (int step = 0; step < kSteps; ++step) sum = sum * 0.5 + 0.25 * static_cast<double>(x[i]);
    y[i] = sum;
  }
}
void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(0);
  reference_kernel<<<1056, 256, 0, static_cast<cudaStream_t>(call.stream)>>>(x.data, call.outputs[0].value,
                                                                             x.size);
}

Workload attack(const std::string& name, CallFunction run, PrepareFunction prepare = {},
                bool host_sync = false, std::int64_t n = 1 << 20) {
  return {.id = "attack/" + name,
          .title = name,
          .idea = "Work where events do not look.",
          .bound = Bound::compute,
          .device = DeviceKind::cuda,
          .axes = {{"n", {n}, {}, 1027}},
          .problem = problem,
          .reference = reference,
          .device_reference = reference_on_device,
          .variants = {{.name = "baseline", .run = Run(CallFunction(honest))},
                       {.name = name, .run = Run(run), .prepare = prepare, .host_sync = host_sync}}};
}

Workload declared(bool Variant::* means, Workload workload) {
  workload.variants[1].*means = true;
  return workload;
}

const Registration registered[] = {
    attack("honest_again", honest),
    attack("honest_joined", joined, side),
    attack("honest_waits", waits, {}, true),
    attack("honest_copy_joined", copy_joined, in_flight),
    attack("honest_persistent", tile_after_tile, tiles),
    attack("honest_device_scratch", through_scratch),
    attack("honest_prepared", prepared, weights_by_host),
    attack("late_stream", late_stream, side),
    attack("copy_in_flight", copy_in_flight, in_flight),
    attack("early_stream", early_stream, early),
    attack("host_function", host_function, on_host, false, 1 << 10),
    attack("work_on_host", work_on_host, on_host, false, 1 << 10),
    attack("work_on_host_waiting", work_on_host, on_host, true, 1 << 10),
    attack("persistent_kernel", persistent_kernel, persistent),
    attack("lingering_kernel", lingering_kernel, lingering),
    attack("kept_in_memory", kept_in_memory),
    attack("half", half),
    attack("cooperative_grid", cooperative),
    attack("device_launch", launched_by_device, relayed),
    attack("managed_pages", touched, managed),
    attack("honest_settled", settled, managed),
    declared(&Variant::cooperative, attack("honest_cooperative", cooperative)),
    declared(&Variant::launches_from_device, attack("honest_device_launch", launched_by_device, relayed)),
    declared(&Variant::managed_memory, attack("honest_managed", touched, managed))};

}  // namespace

void launch(const float* x, float* y, std::int64_t n, cudaStream_t stream) {
  work<<<1056, 256, 0, stream>>>(x, y, n);
}
void launch(const Call& call, cudaStream_t stream) {
  const auto x = call.input<float>(0);
  launch(x.data, call.output<float>(0).data, x.size, stream);
}
const void* work_kernel() { return reinterpret_cast<const void*>(work); }
void launch_nothing(cudaStream_t stream) { nothing<<<1, 1, 0, stream>>>(); }

}  // namespace aisp::attacks

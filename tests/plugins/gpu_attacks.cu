// SPDX-License-Identifier: Apache-2.0
// Variants that make a GPU work where events do not look: on other streams, before the window, on the host,
// or not at all; or by means that must be declared. A guard must name each of them; the honest ones beside
// them, which use the same means openly, must not be flagged. Long because it is a list; each attack stands
// alone.
#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

#include "aisp/aisp.h"

namespace aisp {
namespace {

constexpr int kSteps = 4000;  // some hundred microseconds at the sizes below: enough to be worth hiding

__host__ __device__ float heavy(float x) {
  float sum = x;
  for (int i = 0; i < kSteps; ++i) sum = sum * 0.5f + 0.25f * x;
  return sum;
}

__global__ void work(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = heavy(x[i]);
}
__global__ void nothing() {}

void check(cudaError_t code) {
  if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorString(code));
}
cudaStream_t stream_of(const Call& call) { return static_cast<cudaStream_t>(call.stream()); }

struct Side {
  cudaStream_t stream = nullptr;
  cudaEvent_t begin = nullptr, end = nullptr;
  Side() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&begin, cudaEventDisableTiming));
    check(cudaEventCreateWithFlags(&end, cudaEventDisableTiming));
  }
};
std::shared_ptr<void> side(const Setup&) { return std::make_shared<Side>(); }

void launch(const Call& call, cudaStream_t stream) {
  const auto x = call.input<float>(0);
  work<<<1056, 256, 0, stream>>>(x.data, call.output<float>(0).data, x.size);
}

// ---- Honest ---------------------------------------------------------------------------------------
void honest(const Call& call) { launch(call, stream_of(call)); }

/// A second stream that waits for the first, and is waited for.
void joined(const Call& call) {
  auto& plan = call.plan<Side>();
  check(cudaEventRecord(plan.begin, stream_of(call)));
  check(cudaStreamWaitEvent(plan.stream, plan.begin));
  launch(call, plan.stream);
  check(cudaEventRecord(plan.end, plan.stream));
  check(cudaStreamWaitEvent(stream_of(call), plan.end));
}

/// Waits for the device and says so.
void waits(const Call& call) {
  launch(call, stream_of(call));
  check(cudaStreamSynchronize(stream_of(call)));
}

// ---- Attacks --------------------------------------------------------------------------------------
/// The work goes on while the timed stream is already over.
void late_stream(const Call& call) {
  nothing<<<1, 1, 0, stream_of(call)>>>();
  launch(call, call.plan<Side>().stream);
}

/// A copy that nobody waits for brings the answer.
struct InFlight : Side {
  float* answer = nullptr;  ///< on the device
  float* host = nullptr;    ///< pinned
};
void copy_in_flight(const Call& call) {
  auto& plan = call.plan<InFlight>();
  const auto x = call.input<float>(0);
  const auto bytes = static_cast<std::size_t>(x.size) * sizeof(float);
  work<<<1056, 256, 0, stream_of(call)>>>(x.data, plan.answer, x.size);
  check(cudaEventRecord(plan.begin, stream_of(call)));
  check(cudaStreamWaitEvent(plan.stream, plan.begin));
  check(cudaMemcpyAsync(plan.host, plan.answer, bytes, cudaMemcpyDeviceToHost, plan.stream));
  check(cudaMemcpyAsync(call.output<float>(0).data, plan.host, bytes, cudaMemcpyHostToDevice, plan.stream));
}
std::shared_ptr<void> in_flight(const Setup& setup) {
  auto plan = std::make_shared<InFlight>();
  const auto bytes = static_cast<std::size_t>(setup.params["n"]) * sizeof(float);
  check(cudaMalloc(&plan->answer, bytes));
  check(cudaMallocHost(&plan->host, bytes));
  return plan;
}

/// A thread that watches for poison in the output and has the work done before anybody calls.
struct Early : Side {
  std::atomic<const float*> x{nullptr};
  std::atomic<float*> y{nullptr};
  std::int64_t n = 0;
  std::jthread thread;
};
std::shared_ptr<void> early(const Setup& setup) {
  auto plan = std::make_shared<Early>();
  plan->n = setup.params["n"];
  plan->thread = std::jthread([p = plan.get()](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      const float* x = p->x.load();
      float* y = p->y.load();
      if (x == nullptr) continue;
      float first = 0;
      static_cast<void>(cudaMemcpyAsync(&first, y, sizeof first, cudaMemcpyDeviceToHost, p->stream));
      static_cast<void>(cudaStreamSynchronize(p->stream));
      if (first == first) continue;
      work<<<1056, 256, 0, p->stream>>>(x, y, p->n);
      static_cast<void>(cudaStreamSynchronize(p->stream));
    }
  });
  return plan;
}
void early_stream(const Call& call) {
  auto& plan = call.plan<Early>();
  if (plan.x.load() == nullptr) launch(call, stream_of(call));
  plan.y = call.output<float>(0).data;
  plan.x = call.input<float>(0).data;
  nothing<<<1, 1, 0, stream_of(call)>>>();
}

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

/// A kernel that was started once and answers whenever it is told where.
struct Mailbox {
  volatile const float* x = nullptr;
  volatile float* y = nullptr;
  volatile int posted = 0;
};
__global__ void serve(Mailbox* box, std::int64_t n) {
  for (int seen = 0;; ++seen) {
    if (threadIdx.x == 0) {
      while (box->posted == seen) {
      }
    }
    __syncthreads();
    for (std::int64_t i = threadIdx.x; i < n; i += blockDim.x) box->y[i] = heavy(box->x[i]);
    __syncthreads();
  }
}
struct Persistent : Side {
  Mailbox* box = nullptr;
};
std::shared_ptr<void> persistent(const Setup& setup) {
  auto plan = std::make_shared<Persistent>();
  check(cudaHostAlloc(&plan->box, sizeof(Mailbox), cudaHostAllocMapped));
  new (plan->box) Mailbox{};
  serve<<<1, 1024, 0, plan->stream>>>(plan->box, setup.params["n"]);
  return plan;
}
void persistent_kernel(const Call& call) {
  Mailbox& box = *call.plan<Persistent>().box;
  box.x = call.input<float>(0).data;
  box.y = call.output<float>(0).data;
  box.posted = box.posted + 1;
  nothing<<<1, 1, 0, stream_of(call)>>>();
}

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
void kept_in_memory(const Call& call) {
  const auto x = call.input<float>(0);
  keep<<<1056, 256, 0, stream_of(call)>>>(x.data, call.output<float>(0).data, x.size);
  keep_done<<<1, 1, 0, stream_of(call)>>>();
}

/// Half of the answer, by reading half of the input.
__global__ void half_work(const float* x, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n / 2;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = y[i + n / 2] = heavy(x[i]);
}
void half(const Call& call) {
  const auto x = call.input<float>(0);
  half_work<<<1056, 256, 0, stream_of(call)>>>(x.data, call.output<float>(0).data, x.size);
}

// ---- Means that are honest where they are declared --------------------------------------------------
/// A grid whose blocks could wait for each other.
void cooperative(const Call& call) {
  const auto x = call.input<float>(0);
  const float* from = x.data;
  float* to = call.output<float>(0).data;
  std::int64_t n = x.size;
  void* arguments[] = {&from, &to, &n};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(work), dim3(528), dim3(256), arguments, 0,
                                    stream_of(call)));
}

/// A kernel that launches a graph, in which the work is.
struct Where {
  const float* x = nullptr;
  float* y = nullptr;
  std::int64_t n = 0;
};
__device__ Where there;
__global__ void work_there() {
  const Where at = there;
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < at.n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    at.y[i] = heavy(at.x[i]);
}
__global__ void relay(const Where* where, cudaGraphExec_t graph) {
  there = *where;
  __threadfence();
  cudaGraphLaunch(graph, cudaStreamGraphFireAndForget);
}
struct Relayed : Side {
  Where* where = nullptr;  ///< in memory that both see
  cudaGraphExec_t inner = nullptr, outer = nullptr;
  template <class Launch>
  cudaGraphExec_t captured(unsigned long long flags, Launch launch) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t instance = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    launch();
    check(cudaStreamEndCapture(stream, &graph));
    check(cudaGraphInstantiate(&instance, graph, flags));
    check(cudaGraphUpload(instance, stream));
    check(cudaStreamSynchronize(stream));
    return instance;
  }
};
std::shared_ptr<void> relayed(const Setup&) {
  auto plan = std::make_shared<Relayed>();
  check(cudaHostAlloc(&plan->where, sizeof(Where), cudaHostAllocMapped));
  plan->inner = plan->captured(cudaGraphInstantiateFlagDeviceLaunch,
                               [&] { work_there<<<1056, 256, 0, plan->stream>>>(); });
  plan->outer = plan->captured(0, [&] { relay<<<1, 1, 0, plan->stream>>>(plan->where, plan->inner); });
  return plan;
}
void launched_by_device(const Call& call) {
  const auto& plan = call.plan<Relayed>();
  const auto x = call.input<float>(0);
  *plan.where = {x.data, call.output<float>(0).data, x.size};
  check(cudaGraphLaunch(plan.outer, stream_of(call)));
}

/// Zeros in managed memory that every answer needs.
struct Managed {
  float* zeros = nullptr;
  static constexpr int kZeros = 1 << 18;
};
std::shared_ptr<void> managed(const Setup&) {
  auto plan = std::make_shared<Managed>();
  check(cudaMallocManaged(&plan->zeros, Managed::kZeros * sizeof(float)));
  std::fill_n(plan->zeros, Managed::kZeros, 0.0f);
  return plan;
}
__global__ void work_beside(const float* x, const float* zeros, float* y, std::int64_t n) {
  for (std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; i < n;
       i += std::int64_t{gridDim.x} * blockDim.x)
    y[i] = heavy(x[i]) + zeros[i % Managed::kZeros];
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

// ---- Registration ---------------------------------------------------------------------------------
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
    attack("late_stream", late_stream, side),
    attack("copy_in_flight", copy_in_flight, in_flight),
    attack("early_stream", early_stream, early),
    attack("host_function", host_function, on_host, false, 1 << 10),
    attack("work_on_host", work_on_host, on_host, false, 1 << 10),
    attack("persistent_kernel", persistent_kernel, persistent),
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
}  // namespace aisp

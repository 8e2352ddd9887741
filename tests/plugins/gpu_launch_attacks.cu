// SPDX-License-Identifier: Apache-2.0
// Variants that launch in other ways than one kernel after the other: a kernel that stays, which is never
// honest, one that only looks so, and means that are honest where they are declared.
#include "gpu_attacks.cuh"

#include <chrono>
#include <new>

#include "aisp/device/cuda/global_timer.cuh"

namespace aisp::attacks {
namespace {

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

/// A kernel that goes on beyond the answer, as one that keeps clocks up would. It ends by itself: what never
/// ends shows by its worker's end, what does must be named by a guard.
constexpr std::chrono::nanoseconds kLingers = std::chrono::milliseconds(30);
__global__ void linger(std::uint64_t ns) {
  const std::uint64_t began = cuda::global_timer();
  while (cuda::global_timer() - began < ns) {
  }
}
struct Lingering : Side {
  std::chrono::steady_clock::time_point last = {};
};

/// A block a multiprocessor, which takes tiles until there are none.
constexpr int kTile = 1024;
__global__ void __launch_bounds__(kTile)
    take_tiles(const float* x, float* y, std::int64_t n, unsigned* taken) {
  __shared__ unsigned tile;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(taken, 1u);
    __syncthreads();
    const std::int64_t first = std::int64_t{tile} * kTile;
    if (first >= n) return;
    const std::int64_t i = first + threadIdx.x;
    if (i < n) y[i] = heavy(x[i]);
    __syncthreads();  // everybody has read which tile it is
  }
}
struct Tiles {
  unsigned* taken = nullptr;  ///< on the device
  unsigned processors = 0;
};

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

}  // namespace

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
  launch_nothing(stream_of(call));
}

std::shared_ptr<void> lingering(const Setup&) { return std::make_shared<Lingering>(); }
/// One at a time: of calls in a row each would add its 30 ms.
void lingering_kernel(const Call& call) {
  auto& plan = call.plan<Lingering>();
  launch(call, stream_of(call));
  const auto now = std::chrono::steady_clock::now();
  if (now - plan.last < kLingers) return;
  plan.last = now;
  linger<<<1, 1, 0, plan.stream>>>(static_cast<std::uint64_t>(kLingers.count()));
}

// ---- Honest
std::shared_ptr<void> tiles(const Setup&) {
  auto plan = std::make_shared<Tiles>();
  int device = 0, processors = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
  plan->processors = static_cast<unsigned>(processors);
  check(cudaMalloc(&plan->taken, sizeof *plan->taken));
  return plan;
}
void tile_after_tile(const Call& call) {
  const auto& plan = call.plan<Tiles>();
  const auto x = call.input<float>(0);
  check(cudaMemsetAsync(plan.taken, 0, sizeof *plan.taken, stream_of(call)));
  take_tiles<<<plan.processors, kTile, 0, stream_of(call)>>>(x.data, call.output<float>(0).data, x.size,
                                                             plan.taken);
}

// ---- Means that are honest where they are declared
/// A grid whose blocks could wait for each other.
void cooperative(const Call& call) {
  const auto x = call.input<float>(0);
  const float* from = x.data;
  float* to = call.output<float>(0).data;
  std::int64_t n = x.size;
  void* arguments[] = {&from, &to, &n};
  check(cudaLaunchCooperativeKernel(work_kernel(), dim3(528), dim3(256), arguments, 0, stream_of(call)));
}

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

}  // namespace aisp::attacks

// SPDX-License-Identifier: Apache-2.0
// Variants that have a GPU work on another stream than the timed one, where events do not look; and honest
// ones that use a second stream openly.
#include "gpu_attacks.cuh"

#include <atomic>
#include <thread>

namespace aisp::attacks {
namespace {

/// Copies on the second stream bring the answer.
struct InFlight : Side {
  float* answer = nullptr;  ///< on the device
  float* host = nullptr;    ///< pinned
};

/// A thread that watches for poison in the output and has the work done before anybody calls.
struct Early : Side {
  std::atomic<const float*> x{nullptr};
  std::atomic<float*> y{nullptr};
  std::int64_t n = 0;
  std::jthread thread;
};

/// By way of the host, behind the work. Copy engines are not held by the gate, but the event before them is.
void copy_behind(const Call& call) {
  auto& plan = call.plan<InFlight>();
  const auto x = call.input<float>(0);
  const auto bytes = static_cast<std::size_t>(x.size) * sizeof(float);
  launch(x.data, plan.answer, x.size, stream_of(call));
  check(cudaEventRecord(plan.begin, stream_of(call)));
  check(cudaStreamWaitEvent(plan.stream, plan.begin));
  check(cudaMemcpyAsync(plan.host, plan.answer, bytes, cudaMemcpyDeviceToHost, plan.stream));
  check(cudaMemcpyAsync(call.output<float>(0).data, plan.host, bytes, cudaMemcpyHostToDevice, plan.stream));
}

}  // namespace

std::shared_ptr<void> side(const Setup&) { return std::make_shared<Side>(); }

// ---- Honest
/// A second stream that waits for the first, and is waited for.
void joined(const Call& call) {
  auto& plan = call.plan<Side>();
  check(cudaEventRecord(plan.begin, stream_of(call)));
  check(cudaStreamWaitEvent(plan.stream, plan.begin));
  launch(call, plan.stream);
  check(cudaEventRecord(plan.end, plan.stream));
  check(cudaStreamWaitEvent(stream_of(call), plan.end));
}

/// The copies of copy_in_flight, waited for.
void copy_joined(const Call& call) {
  auto& plan = call.plan<InFlight>();
  copy_behind(call);
  check(cudaEventRecord(plan.end, plan.stream));
  check(cudaStreamWaitEvent(stream_of(call), plan.end));
}

/// Waits for the device and says so.
void waits(const Call& call) {
  launch(call, stream_of(call));
  check(cudaStreamSynchronize(stream_of(call)));
}

// ---- Attacks
/// The work goes on while the timed stream is already over.
void late_stream(const Call& call) {
  launch_nothing(stream_of(call));
  launch(call, call.plan<Side>().stream);
}

/// Nobody waits for the copies.
void copy_in_flight(const Call& call) { copy_behind(call); }
std::shared_ptr<void> in_flight(const Setup& setup) {
  auto plan = std::make_shared<InFlight>();
  const auto bytes = static_cast<std::size_t>(setup.params["n"]) * sizeof(float);
  check(cudaMalloc(&plan->answer, bytes));
  check(cudaMallocHost(&plan->host, bytes));
  return plan;
}

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
      launch(x, y, p->n, p->stream);
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
  launch_nothing(stream_of(call));
}

}  // namespace aisp::attacks

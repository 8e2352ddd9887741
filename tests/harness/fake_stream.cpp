// SPDX-License-Identifier: Apache-2.0
#include "fake_stream.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include <unistd.h>

#include "aisp/device/clock.h"
#include "aisp/device/gpu/gpu_error.h"
#include "fake_gpu.h"
#include "fake_memory.h"
#include "fake_recorder.h"
#include "fake_timing.h"

namespace aisp::harness {
namespace {

// How long the gate holds against a call that waits for the device.
constexpr std::chrono::milliseconds kPatience{20};

/// As a call of the driver, for as long as it lives.
class FakeDriverCall {
 public:
  FakeDriverCall() { record_.start_ns = fake_recorder().now_ns(); }
  ~FakeDriverCall() {
    record_.end_ns = fake_recorder().now_ns();
    fake_recorder().add(record_);
  }
  FakeDriverCall(const FakeDriverCall&) = delete;
  FakeDriverCall& operator=(const FakeDriverCall&) = delete;

 private:
  device::Activity record_{.kind = device::Activity::Kind::driver_call,
                           .thread = static_cast<std::uint32_t>(gettid())};
};

}  // namespace

void FakeGate::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  expired_ = false;
}

void FakeGate::open() {
  const std::lock_guard lock(mutex_);
  closed_ = false;
  changed_.notify_all();
}

void FakeGate::pass(bool by_host) {
  std::unique_lock lock(mutex_);
  if (!by_host) return changed_.wait(lock, [&] { return !closed_; });
  if (changed_.wait_for(lock, kPatience, [&] { return !closed_; })) return;
  closed_ = false;
  expired_ = true;
  changed_.notify_all();
}

FakeStream::FakeStream(FakeGate& gate) : gate_(gate), thread_([this] { serve(); }) {}

FakeStream::~FakeStream() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

FakeStream& FakeStream::other() { return *fake_second_stream(); }

void FakeStream::queue(Item item) {
  const FakeDriverCall call;
  const std::lock_guard lock(mutex_);
  if (captured_) return captured_->push_back(std::move(item));
  queue_.push_back(std::move(item));
  changed_.notify_all();
}

void FakeStream::launch(std::function<void()> work, device::Activity as) {
  queue({.work = std::move(work), .as = std::move(as)});
}

FakeGraph& FakeGraph::add(std::function<void()> work, device::Activity as) {
  as.in_graph = true;
  as.stream = nodes_.size() + 1;
  nodes_.push_back({std::move(work), std::move(as)});
  return *this;
}

void FakeStream::launch(const FakeGraph& graph) {
  static std::atomic<std::uint64_t> calls = 0;
  const std::uint64_t number = ++calls;
  const double now = device::Clock::instance().now_ns();
  fake_recorder().add({.kind = device::Activity::Kind::graph,
                       .name = "graph",
                       .start_ns = now,
                       .end_ns = now,
                       .stream = reinterpret_cast<std::uint64_t>(this),
                       .call = number});
  for (const FakeGraph::Node& node : graph.nodes_) {
    device::Activity as = node.as;
    as.call = number;
    launch(node.work, std::move(as));
  }
}

std::byte* FakeStream::allocate(std::size_t bytes) {
  std::byte* memory = fake_memory()->allocate_from_pool(bytes);
  record_memory(device::Activity::Kind::allocation, memory, bytes);
  return memory;
}

void FakeStream::release(std::byte* memory) {
  record_memory(device::Activity::Kind::release, memory, fake_memory()->size_of(memory));
  fake_memory()->release_to_pool(memory);
}

void FakeStream::record_memory(device::Activity::Kind kind, const std::byte* memory, std::size_t bytes) {
  const double now = device::Clock::instance().now_ns();
  fake_recorder().add({.kind = kind,
                       .name = "device memory",
                       .start_ns = now,
                       .end_ns = now,
                       .stream = reinterpret_cast<std::uint64_t>(this),
                       .bytes = bytes,
                       .address = reinterpret_cast<std::uint64_t>(memory),
                       .pooled = true});
}

void FakeStream::host_function(std::function<void()> work) {
  launch(std::move(work), {.kind = device::Activity::Kind::host_function});
}

void FakeStream::mark(std::function<void()> work) {
  launch(std::move(work), {.kind = device::Activity::Kind::synchronisation});
}

void FakeStream::hold() {
  queue({.work = [] {}, .gate = true});
}

void FakeStream::perform(const Item& item) {
  const auto& clock = device::Clock::instance();
  device::Activity activity = item.as;
  activity.name = item.gate ? "gate" : "work";
  if (activity.stream == device::Activity::no_stream) activity.stream = reinterpret_cast<std::uint64_t>(this);
  if (item.gate) activity.start_ns = clock.now_ns();
  if (item.as.kind != device::Activity::Kind::host_function) gate_.pass(false);
  if (!item.gate) activity.start_ns = clock.now_ns();
  try {
    must_work();
    item.work();
  } catch (const device::GpuError& error) {  // of a kernel: the device is not what it was
    fake_break(error.fault(), error.what());
  }
  activity.end_ns = clock.now_ns();
  fake_recorder().add(activity);
}

void FakeStream::begin_capture() {
  const std::lock_guard lock(mutex_);
  captured_.emplace();
}

bool FakeStream::capturing() {
  const std::lock_guard lock(mutex_);
  return captured_.has_value();
}

FakeStream::Captured FakeStream::end_capture() {
  const std::lock_guard lock(mutex_);
  const std::vector<Item> items = *std::exchange(captured_, std::nullopt);
  using Kind = device::Activity::Kind;
  Captured captured{.launch = [this, items] {
    for (const Item& item : items) queue(item);
  }};
  for (const Item& item : items) {
    const bool kernel = item.as.kind == Kind::kernel && !item.as.device_launched;
    captured.launches += kernel && !item.as.in_graph ? 1 : 0;
    captured.kernels += kernel ? 1 : 0;
    captured.pieces += kernel || item.as.kind == Kind::copy || item.as.kind == Kind::set ? 1 : 0;
  }
  return captured;
}

void FakeStream::synchronise() {
  {
    const std::lock_guard lock(mutex_);
    if (captured_) throw device::GpuError(device::GpuFault::other, "the stream is being captured");
  }
  gate_.pass(true);
  drain();
  must_work();
}

void FakeStream::drain() {
  const FakeDriverCall call;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return queue_.empty() && !busy_; });
}

void FakeStream::serve() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
    if (queue_.empty()) return;
    const Item item = std::move(queue_.front());
    queue_.pop_front();
    busy_ = true;
    lock.unlock();
    perform(item);
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace aisp::harness

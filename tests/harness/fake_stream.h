// SPDX-License-Identifier: Apache-2.0
/// \file
/// Streams of the GPU that is made of threads: each is a thread with a queue, and the gate holds all of them.
///
///   void doubled(const Call& call) {
///     FakeStream::of(call).launch([x = call.input<float>(0), y = call.output<float>(0)] { ... });
///   }
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "aisp/core/call.h"
#include "aisp/device/gpu/activity.h"

namespace aisp::harness {

/// What every stream of the device waits for: the harness's gate.
class FakeGate {
 public:
  void close();
  void open();
  bool expired() const { return expired_; }
  /// Until it is open. `by_host`: a call that waits for the device, which the gate lets pass after a while.
  void pass(bool by_host);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool closed_ = false;
  bool expired_ = false;
};

/// Work that is launched at once: kernels, and host functions where their record says so.
class FakeGraph {
 public:
  /// On a stream of its own, of which nobody outside of the graph knows.
  FakeGraph& add(std::function<void()> work, device::Activity as = {});

 private:
  friend class FakeStream;
  struct Node {
    std::function<void()> work;
    device::Activity as;
  };
  std::vector<Node> nodes_;
};

class FakeStream {
 public:
  explicit FakeStream(FakeGate& gate);
  ~FakeStream();
  FakeStream(const FakeStream&) = delete;
  FakeStream& operator=(const FakeStream&) = delete;

  static FakeStream& of(const Call& call) { return *static_cast<FakeStream*>(call.stream()); }

  /// `as`: what its record says beside name, time and stream: how it was launched, on which device, or that
  /// it is no kernel.
  void launch(std::function<void()> work, device::Activity as = {});
  void launch(const FakeGraph& graph);
  /// Memory in the order of the stream, from the device's pool. A record says so.
  std::byte* allocate(std::size_t bytes);
  void release(std::byte* memory);
  /// Work of the host, in the order of the stream. The gate does not hold it.
  void host_function(std::function<void()> work);
  /// An event.
  void mark(std::function<void()> work);
  /// Until the gate opens, as the kernel that is the gate.
  void hold();
  /// Until everything queued so far is done; as the code of a call does it.
  void synchronise();
  /// The same by the harness.
  void drain();
  /// Another stream of the same device.
  FakeStream& other();

  /// From here on work is noted instead of queued, and waiting for it fails.
  void begin_capture();
  bool capturing();
  struct Captured {
    std::function<void()> launch;  ///< queues all of it, any number of times
    int launches = 0;              ///< kernels that the host launches one by one
    int kernels = 0, pieces = 0;   ///< of graphs too; the second with copies and sets
  };
  Captured end_capture();

 private:
  struct Item {
    std::function<void()> work;
    device::Activity as = {};
    bool gate = false;
  };
  void serve();
  void perform(const Item& item);
  void record_memory(device::Activity::Kind kind, const std::byte* memory, std::size_t bytes);
  void queue(Item item);

  FakeGate& gate_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  bool busy_ = false;
  bool ending_ = false;
  std::optional<std::vector<Item>> captured_;  ///< while it is captured
  std::thread thread_;
};

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A GPU made of threads, for machines without one: every stream is a thread with a queue, memory is the
/// host's, and what goes wrong is asked for. Registered as "cuda", so that all of the harness above it runs
/// as it does on a device.
///
///   void doubled(const Call& call) {
///     FakeStream::of(call).launch([x = call.input<float>(0), y = call.output<float>(0)] { ... });
///   }
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "aisp/core/call.h"
#include "aisp/device/gpu/gpu.h"

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

 private:
  struct Item {
    std::function<void()> work;
    device::Activity as = {};
    bool gate = false;
  };
  void serve();
  void perform(const Item& item);
  void queue(Item item);

  FakeGate& gate_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Item> queue_;
  bool busy_ = false;
  bool ending_ = false;
  std::thread thread_;
};

/// What the next device that is opened does wrong.
struct FakeFaults {
  int fail_allocation = 0;  ///< the n-th, counted from 1; 0: none
  std::size_t memory_bytes = std::size_t{1} << 30;
  bool lost = false;               ///< every copy fails, as on a device that is gone
  bool missing = false;            ///< there is no device
  int other_processes = 0;         ///< on the device, at most 2, the second through a shared server
  bool unlisted = false;           ///< its list of processes is of others alone
  bool slower_clock = false;       ///< from the second window on
  double clock_runs = 1;           ///< the pace of its events, against the wall clock
  double watts = 0;                ///< that its energy counter shows, in steps of 20 ms; 0: it has none
  double watt_limit = 700;         ///< that it enforces; 0: it does not tell
  bool unreadable_code = false;    ///< nobody knows what its kernels can launch
  bool no_unified_memory = false;  ///< its records show nothing of it
  std::optional<device::Activity::Kind> refused = {};  ///< the same of any kind
};
FakeFaults& fake_faults();

/// Whether the device could use this address now: not if it is of host memory that is not pinned.
bool fake_sees(const void* data);

}  // namespace aisp::harness

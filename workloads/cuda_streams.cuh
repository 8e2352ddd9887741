// SPDX-License-Identifier: Apache-2.0
/// \file
/// Streams and events that a rung owns beside the stream it gets. Side streams begin after that one (fork)
/// and end before it goes on (join), so that all of a call's work lies in its window.
///
///   gpu::Event begin, done;  gpu::Stream side;                 // of the plan
///   gpu::follow(side, stream_of(call), begin);                 // fork: side goes on from here
///   ... queue on side ...
///   gpu::follow(stream_of(call), side, done);                  // join
#pragma once

#include <cuda_runtime.h>

#include "workloads/cuda_launch.cuh"

namespace aisp::gpu {

class Stream {
 public:
  /// Lower numbers go first; 0 is the lowest priority there is.
  explicit Stream(int priority = 0) {
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority), "making a stream");
  }
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  operator cudaStream_t() const { return stream_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaStream_t stream_ = nullptr;
};

/// Without a time unless asked for: those are cheaper.
class Event {
 public:
  explicit Event(unsigned flags = cudaEventDisableTiming) {
    check(cudaEventCreateWithFlags(&event_, flags), "making an event");
  }
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  operator cudaEvent_t() const { return event_; }  // NOLINT(google-explicit-constructor)

 private:
  cudaEvent_t event_ = nullptr;
};

/// What is queued on `later` from now on waits for what is on `earlier` now.
inline void follow(cudaStream_t later, cudaStream_t earlier, cudaEvent_t reached) {
  check(cudaEventRecord(reached, earlier), "marking a place in a stream");
  check(cudaStreamWaitEvent(later, reached, 0), "letting a stream wait for another");
}

}  // namespace aisp::gpu

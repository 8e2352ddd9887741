// SPDX-License-Identifier: Apache-2.0
/// \file
/// What ran on a device and what was asked of it, one record each: kernels, copies, host functions,
/// allocations and so on, whichever stream or thread they came from. Events on one stream see none of this.
///
///   if (auto why_not = recorder.start()) ...;   // no records; say why
///   call(); wait_for_the_whole_device();
///   for (const Activity& seen : recorder.stop()) ...
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace aisp::device {

struct Extent {
  std::uint32_t x = 1, y = 1, z = 1;
};

struct Activity {
  enum class Kind : std::uint8_t {
    kernel,
    copy,
    set,
    host_function,    ///< the call that queued it: when it ran is not recorded
    allocation,       ///< of memory, a moment
    release,          ///< of memory, a moment
    graph,            ///< one launch; what its nodes did has records of its own
    compilation,      ///< code compiled or loaded
    unified_memory,   ///< pages moved or faulted
    synchronisation,  ///< the host, or a stream, waited
    driver_call       ///< a thread of the host was in the runtime or the driver
  };
  enum class Direction : std::uint8_t {
    unknown,
    host_to_device,
    device_to_host,
    device_to_device,
    host_to_host,
    peer
  };

  static constexpr std::uint64_t no_stream = ~std::uint64_t{0};

  Kind kind = Kind::kernel;
  std::string name;
  std::string symbol = {};  ///< kernels only: their name as the linker knows it
  double start_ns = 0;      ///< on the recorder's clock; of what is not over, when it was asked for
  double end_ns = 0;        ///< 0: not over when the recording stopped
  std::uint64_t stream = no_stream;
  std::uint32_t device = 0;                    ///< that did it; of kernels, copies and sets only
  std::optional<std::uint32_t> peer_device{};  ///< the other end of a copy between devices
  std::uint64_t bytes = 0;                     ///< copied, set, allocated, moved, or loaded as code
  std::uint64_t address = 0;                   ///< of memory allocated or released, or of a host function
  std::uint64_t call = 0;    ///< the same for all that one call caused: a graph launch and its kernels, say
  std::uint32_t thread = 0;  ///< calls of the driver only: that made it, as the system numbers threads
  Extent grid;               ///< kernels only, as are the next three
  Extent block;
  std::uint32_t shared_bytes = 0;            ///< of a block, static and dynamic
  std::uint32_t registers = 0;               ///< of a thread
  Direction direction = Direction::unknown;  ///< copies only
  bool pooled = false;                       ///< allocation or release in the order of a stream
  bool on_host = false;                      ///< allocation or release of host memory
  bool in_graph = false;
  bool device_launched = false;  ///< by the device, not by the host
  bool cooperative = false;      ///< kernels only: all of its blocks run at once and can wait for each other
  bool can_launch = false;  ///< kernels only: its code can launch kernels or graphs, of which none need show
};

const char* name_of(Activity::Kind kind);
const char* name_of(Activity::Direction direction);

/// Device memory that a recording allocated, beyond what there was at its start. Host memory does not count.
struct RecordedMemory {
  std::uint64_t peak = 0;  ///< bytes held at one moment
  std::uint64_t held = 0;  ///< at the end
};
RecordedMemory memory_of(std::span<const Activity> activities);

class ActivityRecorder {
 public:
  virtual ~ActivityRecorder() = default;

  /// Why nothing can be recorded, or nothing: then it records.
  virtual std::optional<std::string> start() = 0;
  /// What was recorded since, in order of its beginning. Does not wait for the device: whoever wants ends
  /// waits for the whole device first.
  virtual std::vector<Activity> stop() = 0;

  /// Whether calls of the driver are recorded too, from the next start() on. They are many and get dearer.
  virtual void record_driver_calls(bool /*each*/) {}

  /// Records that were lost, in the latest recording.
  virtual std::uint64_t dropped() const = 0;
  /// Kernels that the host launched and no record speaks of, in the latest recording. More than none means
  /// that the records are no proof of anything.
  virtual std::uint64_t unrecorded_launches() const = 0;
  /// What may have happened unseen in the latest recording, and why: facts of this kind are unknown.
  virtual std::vector<std::string> blind_to() const = 0;
  /// Whether the latest recording would have shown it.
  virtual bool sees(Activity::Kind kind) const = 0;
  /// Whether all code was looked at for launches (Activity::can_launch).
  virtual bool knows_launching_code() const = 0;

  /// Now, on the clock of the records.
  virtual double now_ns() const = 0;
  /// The number by which records know the device that is measured.
  virtual std::uint32_t device() const = 0;
  /// The number by which records know a stream of the device's runtime.
  virtual std::optional<std::uint64_t> number_of(void* stream) const = 0;
};

}  // namespace aisp::device

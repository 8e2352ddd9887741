// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/activity.h"

#include <algorithm>
#include <unordered_map>

namespace aisp::device {

const char* name_of(Activity::Kind kind) {
  switch (kind) {
    case Activity::Kind::kernel:
      return "kernel";
    case Activity::Kind::copy:
      return "copy";
    case Activity::Kind::set:
      return "set";
    case Activity::Kind::host_function:
      return "host function";
    case Activity::Kind::allocation:
      return "allocation";
    case Activity::Kind::release:
      return "release";
    case Activity::Kind::graph:
      return "graph";
    case Activity::Kind::compilation:
      return "compilation";
    case Activity::Kind::unified_memory:
      return "unified memory";
    case Activity::Kind::synchronisation:
      return "synchronisation";
    case Activity::Kind::driver_call:
      return "call of the driver";
  }
  return "unknown";
}

const char* name_of(Activity::Direction direction) {
  switch (direction) {
    case Activity::Direction::unknown:
      return "unknown";
    case Activity::Direction::host_to_device:
      return "host to device";
    case Activity::Direction::device_to_host:
      return "device to host";
    case Activity::Direction::device_to_device:
      return "device to device";
    case Activity::Direction::host_to_host:
      return "host to host";
    case Activity::Direction::peer:
      return "peer";
  }
  return "unknown";
}

RecordedMemory memory_of(std::span<const Activity> activities) {
  std::unordered_map<std::uint64_t, std::uint64_t> held;  // by address
  RecordedMemory memory;
  for (const Activity& activity : activities) {
    if (activity.on_host) continue;
    if (activity.kind == Activity::Kind::allocation) {
      held[activity.address] = activity.bytes;
      memory.held += activity.bytes;
      memory.peak = std::max(memory.peak, memory.held);
    } else if (activity.kind == Activity::Kind::release) {
      // What was allocated before the recording began is not subtracted.
      if (const auto found = held.find(activity.address); found != held.end()) {
        memory.held -= found->second;
        held.erase(found);
      }
    }
  }
  return memory;
}

}  // namespace aisp::device

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/activity_records.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

#include "aisp/device/cuda/cupti_clock.h"

namespace aisp::cuda {
namespace {

using device::Activity;
using Kind = Activity::Kind;
using Direction = Activity::Direction;

// Records are packed: their fields are read by value, never by reference.
template <class Record>
const Record& as(const CUpti_Activity& record) {
  return reinterpret_cast<const Record&>(record);
}

device::Extent extent(std::int32_t x, std::int32_t y, std::int32_t z) {
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)};
}

/// CUPTI's way to say that there is none.
constexpr std::uint32_t kNoStream = CUPTI_SYNCHRONIZATION_INVALID_VALUE;

std::uint64_t stream(std::uint32_t number) { return number == kNoStream ? Activity::no_stream : number; }

template <class Record>
Activity between(Kind kind, const Record& record) {
  Activity activity;
  activity.kind = kind;
  activity.start_ns = on_cupti_clock(record.start);
  activity.end_ns = on_cupti_clock(record.end);
  return activity;
}

template <class Record>
Activity on_stream(Kind kind, const Record& record) {
  Activity activity = between(kind, record);
  activity.stream = stream(record.streamId);
  activity.call = record.correlationId;
  return activity;
}

template <class Record>
Activity on_device(Kind kind, const Record& record) {
  Activity activity = on_stream(kind, record);
  activity.device = record.deviceId;
  return activity;
}

template <class Record>
Activity any_kernel(const Record& record) {
  Activity activity = on_device(Kind::kernel, record);
  activity.name = demangled(record.name);
  if (record.name != nullptr) activity.symbol = record.name;
  activity.grid = extent(record.gridX, record.gridY, record.gridZ);
  activity.block = extent(record.blockX, record.blockY, record.blockZ);
  activity.shared_bytes = static_cast<std::uint32_t>(record.staticSharedMemory + record.dynamicSharedMemory);
  activity.registers = record.registersPerThread;
  return activity;
}

Activity kernel(const CUpti_ActivityKernel10& record) {
  Activity activity = any_kernel(record);
  activity.in_graph = record.graphId != 0;
  activity.device_launched = record.isDeviceLaunched != 0;
  // Of a kernel that a call launched, the call tells (activity_join.h): CUPTI 13.0 names every launch with
  // clusters cooperative.
  activity.cooperative = activity.in_graph && record.clusterX * record.clusterY * record.clusterZ <= 1 &&
                         record.launchType != CUPTI_ACTIVITY_LAUNCH_TYPE_REGULAR;
  return activity;
}

Activity kernel_of_kernel(const CUpti_ActivityCdpKernel& record) {
  Activity activity = any_kernel(record);
  activity.device_launched = true;
  return activity;
}

Activity driver_call(const CUpti_ActivityAPI& record) {
  Activity activity = between(Kind::driver_call, record);
  activity.thread = record.threadId;
  return activity;
}

Direction direction(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return Direction::host_to_device;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return Direction::device_to_host;
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
      return Direction::device_to_device;
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return Direction::host_to_host;
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return Direction::peer;
    default:
      return Direction::unknown;
  }
}

template <class Record>
Activity copy(const Record& record, Direction where) {
  Activity activity = on_device(Kind::copy, record);
  activity.direction = where;
  activity.name = name_of(where);
  activity.bytes = record.bytes;
  activity.in_graph = record.graphId != 0;
  return activity;
}

Activity set(const CUpti_ActivityMemset4& record) {
  Activity activity = on_device(Kind::set, record);
  activity.name = "memset";
  activity.bytes = record.bytes;
  activity.in_graph = record.graphId != 0;
  activity.device_launched = record.isDeviceLaunched != 0;
  return activity;
}

Activity decompression(const CUpti_ActivityMemDecompress& record) {
  Activity activity = on_device(Kind::copy, record);
  activity.direction = Direction::device_to_device;
  activity.name = "decompression";
  activity.bytes = record.sourceBytes;
  return activity;
}

const char* memory_name(CUpti_ActivityMemoryKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return "host memory";
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC:
      return "unified memory";
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
      return "static device memory";
    default:
      return "device memory";
  }
}

Activity memory(const CUpti_ActivityMemory4& record) {
  Activity activity;
  activity.kind = record.memoryOperationType == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE
                      ? Kind::release
                      : Kind::allocation;
  activity.name = memory_name(record.memoryKind);
  activity.start_ns = activity.end_ns = on_cupti_clock(record.timestamp);
  activity.stream = stream(record.streamId);
  activity.bytes = record.bytes;
  activity.address = record.address;
  activity.call = record.correlationId;
  activity.pooled = record.isAsync != 0;
  activity.on_host = record.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE ||
                     record.memoryKind == CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  return activity;
}

Activity compilation(const CUpti_ActivityJit2& record) {
  Activity activity = between(Kind::compilation, record);
  activity.call = record.correlationId;
  activity.name = record.jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_LOAD ? "load from the cache"
                  : record.jitOperationType == CUPTI_ACTIVITY_JIT_OPERATION_CACHE_STORE
                      ? "store into the cache"
                      : "compile";
  return activity;
}

Activity unified_memory(const CUpti_ActivityUnifiedMemoryCounter3& record) {
  static constexpr const char* kNames[] = {"unknown",     "to the device", "to the host",
                                           "host faults", "device faults", "thrashing",
                                           "throttling",  "remote map",    "device to device"};
  Activity activity = between(Kind::unified_memory, record);
  const auto counter = static_cast<std::size_t>(record.counterKind);
  activity.name = counter < std::size(kNames) ? kNames[counter] : kNames[0];
  const bool bytes = record.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_HTOD ||
                     record.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOH ||
                     record.counterKind == CUPTI_ACTIVITY_UNIFIED_MEMORY_COUNTER_KIND_BYTES_TRANSFER_DTOD;
  if (bytes) activity.bytes = record.value;
  activity.address = record.address;
  return activity;
}

Activity synchronisation(const CUpti_ActivitySynchronization2& record) {
  static constexpr const char* kNames[] = {"unknown", "event", "stream waits for event", "stream", "device"};
  Activity activity = on_stream(Kind::synchronisation, record);
  const auto type = static_cast<std::size_t>(record.type);
  activity.name = type < std::size(kNames) ? kNames[type] : kNames[0];
  return activity;
}

}  // namespace

std::string demangled(const char* name) {
  if (name == nullptr) return "";
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         &std::free);
  return status == 0 && text ? text.get() : name;
}

std::optional<Activity> activity_of(const CUpti_Activity& record) {
  switch (record.kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return kernel(as<CUpti_ActivityKernel10>(record));
    case CUPTI_ACTIVITY_KIND_CDP_KERNEL:
      return kernel_of_kernel(as<CUpti_ActivityCdpKernel>(record));
    case CUPTI_ACTIVITY_KIND_MEMCPY: {
      const auto& copied = as<CUpti_ActivityMemcpy6>(record);
      Activity activity = copy(copied, direction(copied.copyKind));
      activity.device_launched = copied.isDeviceLaunched != 0;
      return activity;
    }
    case CUPTI_ACTIVITY_KIND_MEMCPY2: {
      const auto& copied = as<CUpti_ActivityMemcpyPtoP4>(record);
      Activity activity = copy(copied, Direction::peer);
      activity.device = copied.srcDeviceId;
      activity.peer_device = copied.dstDeviceId;
      return activity;
    }
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return set(as<CUpti_ActivityMemset4>(record));
    case CUPTI_ACTIVITY_KIND_MEM_DECOMPRESS:
      return decompression(as<CUpti_ActivityMemDecompress>(record));
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return memory(as<CUpti_ActivityMemory4>(record));
    case CUPTI_ACTIVITY_KIND_JIT:
      return compilation(as<CUpti_ActivityJit2>(record));
    case CUPTI_ACTIVITY_KIND_UNIFIED_MEMORY_COUNTER:
      return unified_memory(as<CUpti_ActivityUnifiedMemoryCounter3>(record));
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return synchronisation(as<CUpti_ActivitySynchronization2>(record));
    case CUPTI_ACTIVITY_KIND_DRIVER:
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return driver_call(as<CUpti_ActivityAPI>(record));
    default:
      return std::nullopt;
  }
}

}  // namespace aisp::cuda

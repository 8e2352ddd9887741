// SPDX-License-Identifier: Apache-2.0
// CUPTI's records in this program's terms: on made-up records, without a device.
#include "aisp/device/cuda/activity_records.h"

#include <gtest/gtest.h>

namespace aisp::cuda {
namespace {

using device::Activity;
using Kind = Activity::Kind;

// Exact for times as far from the clock's zero as a made-up one is: a double has steps of 256 ns there.
constexpr std::uint64_t kLengthNs = 6 * 256;

template <class Record>
std::optional<Activity> translated(const Record& record) {
  return activity_of(reinterpret_cast<const CUpti_Activity&>(record));
}

template <class Record>
Record record_of(CUpti_ActivityKind kind) {
  Record record{};
  record.kind = kind;
  return record;
}

CUpti_ActivityKernel10 kernel() {
  auto record = record_of<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  record.name = "_ZN4aisp4workEv";
  record.gridX = 132;
  record.gridY = record.gridZ = 1;
  record.blockX = 256;
  record.blockY = record.blockZ = 1;
  record.staticSharedMemory = 100;
  record.dynamicSharedMemory = 28;
  record.registersPerThread = 40;
  record.streamId = 13;
  record.deviceId = 2;
  record.correlationId = 77;
  record.start = 5'000'000'000'000;
  record.end = record.start + kLengthNs;
  return record;
}

TEST(CudaRecords, AKernelKeepsItsNameGeometryAndPlace) {
  const auto seen = translated(kernel());
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->kind, Kind::kernel);
  EXPECT_EQ(seen->name, "aisp::work()");
  EXPECT_EQ(seen->symbol, "_ZN4aisp4workEv");
  EXPECT_EQ(seen->grid.x, 132u);
  EXPECT_EQ(seen->block.x, 256u);
  EXPECT_EQ(seen->shared_bytes, 128u);
  EXPECT_EQ(seen->registers, 40u);
  EXPECT_EQ(seen->stream, 13u);
  EXPECT_EQ(seen->device, 2u);
  EXPECT_EQ(seen->call, 77u);
  EXPECT_EQ(seen->end_ns - seen->start_ns, kLengthNs);
  EXPECT_FALSE(seen->in_graph || seen->device_launched || seen->cooperative);
}

TEST(CudaRecords, WhatIsNotOverHasNoEnd) {
  auto record = kernel();
  record.end = 0;
  EXPECT_EQ(translated(record)->end_ns, 0);
}

TEST(CudaRecords, NodesOfAGraphAndLaunchesByTheDeviceAreMarked) {
  auto record = kernel();
  record.graphId = 9;
  record.isDeviceLaunched = 1;
  EXPECT_TRUE(translated(record)->in_graph);
  EXPECT_TRUE(translated(record)->device_launched);
}

TEST(CudaRecords, ACooperativeNodeIsMarkedUnlessItHasClusters) {
  auto record = kernel();
  record.launchType = CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE;
  EXPECT_FALSE(translated(record)->cooperative) << "outside of a graph the call tells";
  record.graphId = 9;
  EXPECT_TRUE(translated(record)->cooperative);
  record.clusterX = 2;
  record.clusterY = record.clusterZ = 1;
  EXPECT_FALSE(translated(record)->cooperative);
}

TEST(CudaRecords, ACopyKnowsItsDirectionAndItsOtherEnd) {
  auto copy = record_of<CUpti_ActivityMemcpy6>(CUPTI_ACTIVITY_KIND_MEMCPY);
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_DTOH;
  copy.bytes = 4096;
  EXPECT_EQ(translated(copy)->kind, Kind::copy);
  EXPECT_EQ(translated(copy)->direction, Activity::Direction::device_to_host);
  EXPECT_EQ(translated(copy)->bytes, 4096u);
  EXPECT_FALSE(translated(copy)->peer_device);
  auto peer = record_of<CUpti_ActivityMemcpyPtoP4>(CUPTI_ACTIVITY_KIND_MEMCPY2);
  peer.srcDeviceId = 1;
  peer.dstDeviceId = 3;
  EXPECT_EQ(translated(peer)->device, 1u);
  EXPECT_EQ(translated(peer)->peer_device, 3u);
}

TEST(CudaRecords, MemoryIsTakenOrGivenBackOfTheDeviceOrTheHost) {
  auto record = record_of<CUpti_ActivityMemory4>(CUPTI_ACTIVITY_KIND_MEMORY2);
  record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  record.bytes = 1 << 20;
  record.address = 0xabc;
  record.isAsync = 1;
  const auto taken = translated(record);
  EXPECT_EQ(taken->kind, Kind::allocation);
  EXPECT_EQ(taken->bytes, 1u << 20);
  EXPECT_EQ(taken->address, 0xabcu);
  EXPECT_TRUE(taken->pooled);
  EXPECT_FALSE(taken->on_host);
  record.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  record.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  EXPECT_EQ(translated(record)->kind, Kind::release);
  EXPECT_TRUE(translated(record)->on_host);
}

TEST(CudaRecords, WhatSaysNothingOfWorkIsLeftOut) {
  EXPECT_FALSE(translated(record_of<CUpti_ActivityKernel10>(CUPTI_ACTIVITY_KIND_NAME)));
  EXPECT_EQ(demangled(nullptr), "");
  EXPECT_EQ(demangled("main"), "main");
}

}  // namespace
}  // namespace aisp::cuda

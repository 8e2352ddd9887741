// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/registry.h"

#include <gtest/gtest.h>

namespace aisp {
namespace {

Workload workload(const std::string& id) {
  return {.id = id,
          .title = "Copy",
          .idea = "Move what has to move.",
          .axes = {{"n", {8}}},
          .problem = [](const Params&) { return Problem{}; },
          .reference = [](const ReferenceCall&) {},
          .variants = {{.name = "on the host", .run = [](const Call&) {}}}};
}
Ladder ladder(const std::string& id) {
  return {.workload = id,
          .axes = {{"n", {1 << 20}}},
          .reference = [](const DeviceReferenceCall&) {},
          .variants = {{.name = "on the device", .run = [](const Call&) {}}},
          .source = "copy.cu"};
}

TEST(RegistryTest, ALadderIsTheSameWorkloadOnAnotherDeviceWhicheverCameFirst) {
  for (const bool ladder_first : {true, false}) {
    Registry registry;
    if (ladder_first) registry.add(ladder("ch02/copy"));
    registry.add(workload("ch02/copy"));
    if (!ladder_first) registry.add(ladder("ch02/copy"));
    EXPECT_TRUE(registry.problems().empty());
    EXPECT_EQ(registry.workloads().size(), 2u);
    const Workload* on_device = registry.find("ch02/copy", DeviceKind::cuda);
    ASSERT_NE(on_device, nullptr);
    EXPECT_EQ(on_device->idea, "Move what has to move.");
    EXPECT_EQ(on_device->axes.front().values.front(), 1 << 20);
    EXPECT_EQ(on_device->variants.front().name, "on the device");
    EXPECT_EQ(on_device->source, "copy.cu");
    EXPECT_EQ(on_device->bound, Bound::memory) << "what bounds the workload, if the ladder says nothing else";
    EXPECT_TRUE(on_device->device_reference);
    EXPECT_EQ(registry.find("ch02/copy", DeviceKind::cpu), registry.find("ch02/copy"));
  }
}

TEST(RegistryTest, ALadderMayBeBoundBySomethingElse) {
  Workload softmax = workload("ch09/softmax");
  softmax.bound = Bound::compute;
  Ladder faster = ladder("ch09/softmax");
  faster.bound = Bound::memory;
  Registry registry;
  registry.add(softmax);
  registry.add(faster);
  EXPECT_EQ(registry.find("ch09/softmax", DeviceKind::cuda)->bound, Bound::memory);
  EXPECT_EQ(registry.find("ch09/softmax", DeviceKind::cpu)->bound, Bound::compute);
}

TEST(RegistryTest, ALadderWithoutAWorkloadOrWithTwoOfThemIsAProblem) {
  Registry registry;
  registry.add(ladder("ch02/copy"));
  ASSERT_EQ(registry.problems().size(), 1u);
  EXPECT_NE(registry.problems().front().find("copy.cu"), std::string::npos);
  registry.add(workload("ch02/copy"));
  EXPECT_TRUE(registry.problems().empty()) << "it may come later";
  registry.add(ladder("ch02/copy"));
  ASSERT_EQ(registry.problems().size(), 1u);
  EXPECT_NE(registry.problems().front().find("again"), std::string::npos);
}

TEST(RegistryTest, OtherShapesThanCallsAreNotForDevices) {
  Registry registry;
  Workload stateful = workload("ch03/arena");
  stateful.device = DeviceKind::cuda;
  stateful.shape = Shape::stateful;
  registry.add(std::move(stateful));
  ASSERT_EQ(registry.problems().size(), 1u);
  EXPECT_NE(registry.problems().front().find("cpu only"), std::string::npos);
}

}  // namespace
}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/activity.h"

#include <gtest/gtest.h>

namespace aisp::device {
namespace {

using Kind = Activity::Kind;

Activity memory(Kind kind, std::uint64_t address, std::uint64_t bytes = 0, bool on_host = false) {
  Activity a{.kind = kind};
  a.address = address;
  a.bytes = bytes;
  a.on_host = on_host;
  return a;
}

TEST(RecordedMemory, PeakIsWhatWasHeldAtOneMoment) {
  const Activity records[] = {memory(Kind::allocation, 1, 100), memory(Kind::allocation, 2, 50),
                              memory(Kind::release, 1), memory(Kind::allocation, 3, 20)};
  EXPECT_EQ(memory_of(records).peak, 150u);
  EXPECT_EQ(memory_of(records).held, 70u);
}

TEST(RecordedMemory, HostMemoryAndWhatWasThereBeforeDoNotCount) {
  const Activity records[] = {memory(Kind::release, 9), memory(Kind::allocation, 1, 100, true),
                              memory(Kind::allocation, 2, 10)};
  EXPECT_EQ(memory_of(records).peak, 10u);
  EXPECT_EQ(memory_of(records).held, 10u);
  EXPECT_EQ(memory_of({}).peak, 0u);
}

}  // namespace
}  // namespace aisp::device

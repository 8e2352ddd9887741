// SPDX-License-Identifier: Apache-2.0
// Which kernels a device can run follows from what the code it runs was compiled for, not from the device
// alone.
#include "workloads/hopper/needs.h"

#include <gtest/gtest.h>

namespace aisp::gpu {
namespace {

constexpr RunningCode kHopper{.device = 90, .compiled = 90, .sm_90a = true};
constexpr RunningCode kAmpere{.device = 80, .compiled = 80};
constexpr RunningCode kBlackwell{.device = 100, .compiled = 100, .sm_100a = true};
constexpr RunningCode kLaterBlackwell{.device = 103, .compiled = 103, .sm_100a = true};
// Code of sm_100a does not run on sm_103: without its own it gets PTX.
constexpr RunningCode kLaterBlackwellByPtx{.device = 103, .compiled = 80};
// No code of its own: the driver compiled PTX of sm_80.
constexpr RunningCode kByPtx{.device = 120, .compiled = 80};
constexpr RunningCode kHopperByPtx{.device = 90, .compiled = 80};

TEST(GpuNeeds, HopperRunsAll) {
  EXPECT_EQ(lacks_sm_90(kHopper), std::nullopt);
  EXPECT_EQ(lacks_sm_90a(kHopper), std::nullopt);
}

TEST(GpuNeeds, AnOlderDeviceLacksBoth) {
  EXPECT_EQ(lacks_sm_90(kAmpere), "needs sm_90 or newer, this device is sm_80");
  EXPECT_EQ(lacks_sm_90a(kAmpere), "needs sm_90a, this device is sm_80");
}

TEST(GpuNeeds, ANewerOneHasClustersButNotHoppersMatrixInstructions) {
  EXPECT_EQ(lacks_sm_90(kBlackwell), std::nullopt);
  EXPECT_EQ(lacks_sm_90a(kBlackwell), "needs sm_90a, this device is sm_100");
}

TEST(GpuNeeds, CodeMadeFromPtxHasNoMoreThanThePtx) {
  EXPECT_EQ(lacks_sm_90(kByPtx),
            "needs code for sm_90 or newer, and what this build has for sm_120 is of sm_80");
  EXPECT_EQ(lacks_sm_90a(kByPtx), "needs sm_90a, this device is sm_120");
  EXPECT_TRUE(lacks_sm_90(kHopperByPtx));
  EXPECT_EQ(lacks_sm_90a(kHopperByPtx),
            "needs code for sm_90a, which this build does not have or was told not to use");
}

TEST(GpuNeeds, TensorMemoryIsOfTwoDevices) {
  EXPECT_EQ(lacks_sm_100a(kBlackwell), std::nullopt);
  EXPECT_EQ(lacks_sm_100a(kLaterBlackwell), std::nullopt);
  EXPECT_EQ(lacks_sm_100a(kHopper), "needs sm_100a or sm_103a, this device is sm_90");
  EXPECT_EQ(lacks_sm_100a(kByPtx), "needs sm_100a or sm_103a, this device is sm_120");
  EXPECT_EQ(lacks_sm_100a(kLaterBlackwellByPtx),
            "needs code for sm_103a, which this build does not have or was told not to use");
}

TEST(GpuNeeds, TheFirstReasonIsTold) {
  const auto none = [](const Params&) -> std::optional<std::string> { return std::nullopt; };
  const auto odd = [](const Params& p) -> std::optional<std::string> {
    if (p["n"] % 2 != 0) return "odd";
    return std::nullopt;
  };
  const auto always = [](const Params&) -> std::optional<std::string> { return "always"; };
  EXPECT_EQ(first_reason(none, odd)({{"n", 2}}), std::nullopt);
  EXPECT_EQ(first_reason(none, odd, always)({{"n", 3}}), "odd");
  EXPECT_EQ(first_reason(none, odd, always)({{"n", 2}}), "always");
}

}  // namespace
}  // namespace aisp::gpu

// SPDX-License-Identifier: Apache-2.0
// What `aisp peak` prints: ceilings, and what could not be measured.
#include "aisp/cli/peak_table.h"

#include <gtest/gtest.h>

namespace aisp::cli {
namespace {

Ceilings of_a_gpu() {
  return {
      .hardware = "NVIDIA H200",
      .date = "",
      .entries = {{.name = "read", .level = "memory", .value = 4.4e12, .unit = "B/s", .probe = "16 bytes"}},
      .notes = {"peer_copy: this is the only device"}};
}

TEST(PeakTable, SaysWhatWasNotMeasuredAndWhy) {
  const std::string text = peak_table(of_a_gpu(), DeviceKind::cuda);
  EXPECT_NE(text.find("note: peer_copy: this is the only device\n"), std::string::npos) << text;
  EXPECT_NE(text.find("published"), std::string::npos) << text;
  Ceilings whole = of_a_gpu();
  whole.notes.clear();
  EXPECT_EQ(peak_table(whole, DeviceKind::cuda).find("note:"), std::string::npos);
}

}  // namespace
}  // namespace aisp::cli

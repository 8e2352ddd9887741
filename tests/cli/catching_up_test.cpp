// SPDX-License-Identifier: Apache-2.0
// What is said while an older store is brought up to date: nothing unless it takes long.
#include <chrono>

#include <gtest/gtest.h>

#include "aisp/cli/results.h"

namespace aisp::cli {
namespace {

std::string said_while(const Arguments& arguments, const std::vector<int>& pauses_ms) {
  ::testing::internal::CaptureStderr();
  {
    std::chrono::steady_clock::time_point clock;
    const store::CatchingUp told =
        catching_up(arguments, "postgres://ann:secret@db.lab/aisp", [&] { return clock; });
    std::int64_t done = 0;
    for (const int pause : pauses_ms) {
      clock += std::chrono::milliseconds(pause);
      told(++done, static_cast<std::int64_t>(pauses_ms.size()));
    }
  }
  return ::testing::internal::GetCapturedStderr();
}

TEST(CatchingUp, SaysNothingWhenItIsQuick) {
  // The time before the first event is somebody else's.
  EXPECT_EQ(said_while({}, {1100, 0, 0, 0}), "");
  EXPECT_EQ(said_while({}, {}), "");
}

TEST(CatchingUp, SaysItOnceWhenItTakesMoreThanASecond) {
  const std::string said = said_while({}, {0, 1100, 0, 0});
  EXPECT_NE(said.find("bringing the figures of postgres://ann@db.lab/aisp up to date"), std::string::npos)
      << said;
  EXPECT_EQ(said.find('\n'), said.size() - 1) << "one line where stderr is no terminal: " << said;
  EXPECT_EQ(said.find("secret"), std::string::npos);
}

TEST(CatchingUp, RespectsQuietAndJson) {
  Arguments quiet;
  quiet.values["quiet"] = {"true"};
  EXPECT_EQ(said_while(quiet, {0, 1100}), "");
  Arguments json;
  json.values["json"] = {"true"};
  EXPECT_EQ(said_while(json, {0, 1100}).rfind("{\"schema\":\"aisp.note\"", 0), 0u);
}

}  // namespace
}  // namespace aisp::cli

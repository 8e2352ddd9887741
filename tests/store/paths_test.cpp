// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/paths.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace aisp::store {
namespace {

Result<StorePaths> with(const std::map<std::string, std::string>& variables) {
  return default_paths([&](const char* name) -> const char* {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

TEST(Paths, InOrderOfPreference) {
  EXPECT_EQ(with({{"HOME", "/h"}})->store, "/h/.local/share/aisp/results.db");
  EXPECT_EQ(with({{"HOME", "/h"}})->fallback, "/h/.local/state/aisp");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_DATA_HOME", "/d"}})->store, "/d/aisp/results.db");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_STATE_HOME", "/s"}})->fallback, "/s/aisp");
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_DATA_HOME", "/d"}, {"AISP_STORE", "x.db"}})->store, "x.db");
}

TEST(Paths, RelativeAndEmptyVariablesDoNotCount) {
  EXPECT_EQ(with({{"HOME", "/h"}, {"XDG_DATA_HOME", "relative"}})->store, "/h/.local/share/aisp/results.db");
  EXPECT_EQ(with({{"HOME", "/h"}, {"AISP_STORE", ""}})->store, "/h/.local/share/aisp/results.db");
}

TEST(Paths, WithoutHomeTheErrorSaysWhatToDo) {
  const Result<StorePaths> paths = with({});
  ASSERT_FALSE(paths);
  EXPECT_EQ(paths.error().code, ErrorCode::store);
  EXPECT_NE(paths.error().hint.find("AISP_STORE"), std::string::npos);
  EXPECT_EQ(with({{"AISP_STORE", "/a/b.db"}})->store, "/a/b.db");
}

}  // namespace
}  // namespace aisp::store

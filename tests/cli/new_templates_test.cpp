// SPDX-License-Identifier: Apache-2.0
// What `aisp new` writes passes the tree's own gates before a line of it is changed. That it builds and
// verifies is shown by the integration tests.
#include "aisp/cli/new_templates.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

namespace aisp::cli {
namespace {

const NewWorkload kInTree{.name = "scale_add",
                          .id = "ch07/scale_add",
                          .title = "scale_add          chapter 7, memory access",
                          .include = "\"aisp/aisp.h\""};

TEST(NewTemplates, ADeclarationIsComplete) {
  const std::string text = workload_text(kInTree);
  EXPECT_NE(text.find(".tags = {\""), std::string::npos);
  EXPECT_NE(text.find("const Registration registered{{"), std::string::npos)
      << "the form that tests look for";
  EXPECT_EQ(text.find('@'), std::string::npos) << "a mark was not replaced";
}

TEST(NewTemplates, AreFormattedLikeTheTree) {
  if (std::system("clang-format-19 --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "clang-format-19 is missing";
  const std::string command = "clang-format-19 --style=file:" AISP_SOURCE_DIR
                              "/.clang-format --assume-filename=x.cpp --dry-run -Werror 2>&1";
  FILE* formatter = popen(command.c_str(), "w");
  ASSERT_NE(formatter, nullptr);
  const std::string text = "// SPDX-License-Identifier: Apache-2.0\n" + workload_text(kInTree);
  EXPECT_EQ(std::fwrite(text.data(), 1, text.size(), formatter), text.size());
  EXPECT_EQ(pclose(formatter), 0) << "the scaffold is not formatted; what clang-format says stands above";
}

}  // namespace
}  // namespace aisp::cli

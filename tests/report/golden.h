// SPDX-License-Identifier: Apache-2.0
/// \file
/// Compares a rendering with the file committed under tests/golden. AISP_UPDATE_GOLDEN=1 rewrites the files
/// instead; read the difference before committing it.
///
///   expect_golden("report_table_80.txt", render_table(example_run(), {.width = 80}));
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace aisp::report {

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(AISP_SOURCE_DIR) + "/tests/golden/" + name;
  if (const char* update = std::getenv("AISP_UPDATE_GOLDEN");
      update != nullptr && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; run once with AISP_UPDATE_GOLDEN=1";
  std::ostringstream wanted;
  wanted << file.rdbuf();
  EXPECT_EQ(text, wanted.str()) << "if the change is meant, run with AISP_UPDATE_GOLDEN=1 and read the diff";
}

}  // namespace aisp::report

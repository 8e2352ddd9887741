// SPDX-License-Identifier: Apache-2.0
// Which files of the libraries are taken.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "aisp/core/anchor_libraries.h"
#include "workloads/anchors/onednn.h"

namespace aisp::anchors {
namespace {

TEST(Anchors, TheNewestOneDnnIsTaken) {
  const auto folder = std::filesystem::temp_directory_path() / ("aisp_anchors_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const char* set = std::getenv("LD_LIBRARY_PATH");
  const std::string before = set != nullptr ? set : "";
  setenv("LD_LIBRARY_PATH", folder.c_str(), 1);
  for (const char* file : kOneDnnFiles) std::ofstream(folder / file) << "found, not loaded\n";
  EXPECT_EQ(onednn_file(), "libdnnl.so.3");
  std::filesystem::remove(folder / "libdnnl.so.2");
  EXPECT_EQ(onednn_file(), "libdnnl.so.3") << "alone it is enough";
  setenv("LD_LIBRARY_PATH", before.c_str(), 1);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace aisp::anchors

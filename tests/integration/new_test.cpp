// SPDX-License-Identifier: Apache-2.0
// `aisp new`: what it writes, and all the ways in which it must not. package_test builds what it wrote.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(New, WritesAProject) {
  Sandbox box;
  const Finished made = box.run({"new", "prefix_sum"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_NE(
      content_of(box.directory / "prefix_sum/CMakeLists.txt").find("aisp_add_workload(prefix_sum_plugin"),
      std::string::npos);
  const std::string source = content_of(box.directory / "prefix_sum/prefix_sum.cpp");
  EXPECT_NE(source.find("\"local/prefix_sum\""), std::string::npos);
  EXPECT_EQ(source.find('@'), std::string::npos) << "a mark was not replaced";
}

TEST(New, WritesWhereItIsTold) {
  Sandbox box;
  const Finished made = box.run({"new", "scan", "--project", "a b/c", "--json"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_EQ(made.json()["files"].size(), 2u) << made.out;
  EXPECT_TRUE(std::filesystem::exists(box.directory / "a b/c/scan.cpp"));
}

TEST(New, AddsToAChapter) {
  Sandbox box;
  std::filesystem::create_directories(box.directory / "workloads/ch08_occupancy_ilp");
  const Finished made = box.run({"new", "scan", "--chapter", "ch8"});
  EXPECT_EQ(made.exit_code, 0) << made.err;
  const std::string source = content_of(box.directory / "workloads/ch08_occupancy_ilp/scan.cpp");
  EXPECT_NE(source.find("\"ch08/scan\""), std::string::npos);
  EXPECT_NE(source.find("#include \"aisp/aisp.h\""), std::string::npos);
}

TEST(New, TakesNoNameThatAWorkloadHas) {
  Sandbox box;
  std::filesystem::create_directories(box.directory / "workloads/ch07_memory_access");
  const Finished refused = box.run({"new", "transpose", "--chapter", "ch07"});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_NE(refused.err.find("there is a workload ch07/transpose already"), std::string::npos) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(box.directory / "workloads/ch07_memory_access/transpose.cpp"));
}

TEST(New, NeverOverwrites) {
  Sandbox box;
  std::filesystem::create_directory(box.directory / "scan");
  std::ofstream(box.directory / "scan/scan.cpp") << "precious";
  const Finished refused = box.run({"new", "scan"});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_NE(refused.err.find("exists already"), std::string::npos) << refused.err;
  EXPECT_EQ(content_of(box.directory / "scan/scan.cpp"), "precious");
  EXPECT_FALSE(std::filesystem::exists(box.directory / "scan/CMakeLists.txt")) << "all or nothing";
}

TEST(New, RefusesNamesThatCannotBe) {
  Sandbox box;
  for (const char* name : {"", "../x", "a b", "Camel", "1st", "x-y", "a/b", "\n", "caf\xc3\xa9"}) {
    const Finished refused = box.run({"new", name});
    EXPECT_EQ(refused.exit_code, 2) << name << refused.err;
    EXPECT_NE(refused.err.find("snake_case"), std::string::npos) << name << refused.err;
  }
  EXPECT_EQ(box.run({"new"}).exit_code, 2);
  EXPECT_EQ(box.run({"new", "a", "b"}).exit_code, 2);
  EXPECT_EQ(box.run({"new", "a", "--project", "p", "--chapter", "ch01"}).exit_code, 2);
}

TEST(New, ExplainsWhatIsNotThere) {
  Sandbox box;
  const Finished no_tree = box.run({"new", "scan", "--chapter", "ch08"});
  EXPECT_EQ(no_tree.exit_code, 3) << no_tree.err;
  std::filesystem::create_directories(box.directory / "workloads/ch01_introduction");
  const Finished no_chapter = box.run({"new", "scan", "--chapter", "ch99"});
  EXPECT_EQ(no_chapter.exit_code, 2) << no_chapter.err;
  EXPECT_NE(no_chapter.err.find("ch01"), std::string::npos) << no_chapter.err;
  std::ofstream(box.directory / "taken") << "a file";
  const Finished no_folder = box.run({"new", "scan", "--project", "taken/deeper"});
  EXPECT_EQ(no_folder.exit_code, 7) << no_folder.err;
}

}  // namespace
}  // namespace aisp::testing

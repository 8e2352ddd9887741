// SPDX-License-Identifier: Apache-2.0
// The tree keeps its architecture; and every rule is shown to catch a fabricated violation.
#include <gtest/gtest.h>

#include <unistd.h>
#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include "tests/layering/rules.h"

namespace aisp::layering {
namespace {

constexpr const char* kLicence = "// SPDX-License-Identifier: Apache-2.0\n";

std::string listed(const std::vector<Violation>& violations) {
  std::string text;
  for (const Violation& v : violations) text += v.file + ":" + std::to_string(v.line) + ": " + v.what + "\n";
  return text;
}

/// A small tree that keeps every rule, to which a test adds one file that does not.
class FabricatedTree : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "layering-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
    add("aisp/core/units.h", "#pragma once\n#include <vector>\n");
    add("aisp/stats/median.cpp", "#include \"aisp/core/units.h\"\n// std::cout << assert(1)\n");
    ASSERT_EQ(listed(check_tree(root_)), "");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void add(const std::string& path, const std::string& text, const std::string& opening = kLicence) {
    std::filesystem::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << opening << text;
  }
  /// Adds the file and expects exactly one violation, in it.
  void expect_caught(const std::string& path, const std::string& text,
                     const std::string& opening = kLicence) {
    add(path, text, opening);
    const auto found = check_tree(root_);
    ASSERT_EQ(found.size(), 1u) << path << "\n" << text << listed(found);
    EXPECT_EQ(found.front().file, path);
    std::filesystem::remove(root_ / path);
  }

  std::filesystem::path root_;
};

TEST(Layering, TheTreeKeepsEveryRule) { EXPECT_EQ(listed(check_tree(AISP_SOURCE_DIR)), ""); }

TEST(Layering, TheBuildLinksWhatTheIncludesMayUse) {
  EXPECT_EQ(listed(check_build_files(AISP_SOURCE_DIR)), "");
}

TEST(Layering, ModulesHaveNoCycle) {
  std::set<std::string> below;
  for (const Module& module : modules()) {
    for (const std::string& other : module.may_include)
      EXPECT_TRUE(below.contains(other)) << module.name << " -> " << other;
    below.insert(module.name);
  }
}

TEST(Layering, CommentsAndLiteralsAreNotCode) {
  EXPECT_EQ(without_comments_and_literals("a // b\nc /* d\n */ e"), "a     \nc     \n    e");
  EXPECT_EQ(without_comments_and_literals(R"(f("x\"y", 'z', 1'000);)"), R"(f(      ,    , 1'000);)");
  EXPECT_EQ(without_comments_and_literals("R\"q(a)\" b)q\" c"), std::string(12, ' ') + " c");
}

TEST_F(FabricatedTree, EveryForbiddenArrowIsCaught) {
  for (const Module& from : modules()) {
    for (const Module& to : modules()) {
      const bool allowed = from.name == to.name || std::ranges::count(from.may_include, to.name) != 0;
      const std::string path = "aisp/" + from.name + "/x.cpp";
      const std::string text = "#include \"aisp/" + to.name + "/y.h\"\n";
      if (!allowed) expect_caught(path, text);
      if (allowed) {
        add(path, text);
        EXPECT_EQ(listed(check_tree(root_)), "");
        std::filesystem::remove(root_ / path);
      }
    }
  }
}

TEST_F(FabricatedTree, IncludesOutsideTheModulesAreCaught) {
  expect_caught("aisp/core/x.cpp", "#include <nlohmann/json.hpp>\n");
  expect_caught("aisp/cli/x.cpp", "#include <sqlite3.h>\n");
  expect_caught("aisp/cli/x.cpp", "#include \"workloads/simd.h\"\n");
  expect_caught("aisp/cli/x.cpp", "#include \"command.h\"\n");
  expect_caught("aisp/stray.cpp", "#include \"aisp/core/units.h\"\n");
  expect_caught("aisp/aisp.h", "#pragma once\n#include \"aisp/harness/plan.h\"\n");
  expect_caught("workloads/ch01/x.cpp", "#include \"aisp/harness/plan.h\"\n");
  expect_caught("workloads/ch01/x.cpp", "#include <fmt/format.h>\n");
  expect_caught("workloads/ch01/x.cpp", "#include \"labs/x/y.h\"\n");
  expect_caught("workloads/ch01/x.cpp", "#include \"labs/x/y.cuh\"\n");
  expect_caught("workloads/hopper/x.cuh", "#pragma once\n#include \"labs/x/y.cuh\"\n");
  expect_caught("labs/x/x.cpp", "#include \"aisp/harness/plan.h\"\n");
  expect_caught("aisp/cli/x.cpp", "#include \"labs/x/y.h\"\n");
  add("workloads/ch01/x.cu", "#include \"labs/x/y.cuh\"\n");
  add("labs/x/z.cpp", "#include \"aisp/aisp.h\"\n#include \"labs/x/y.h\"\n#include \"workloads/simd.h\"\n");
  EXPECT_EQ(listed(check_tree(root_)), "");
}

TEST_F(FabricatedTree, CudaOutsideItsFolderIsCaught) {
  expect_caught("aisp/device/cpu/x.cpp", "#include <cuda_runtime.h>\n");
  expect_caught("aisp/guards/x.cpp", "  #  include <cuda_runtime.h>\n");
  expect_caught("workloads/ch01/x.cpp", "#include <cuda_runtime.h>\n");
  add("aisp/device/cuda/x.cpp", "#include <cuda_runtime.h>\n");
  add("workloads/ch01/x.cu", "#include <cuda_runtime.h>\n");
  EXPECT_EQ(listed(check_tree(root_)), "");
}

TEST_F(FabricatedTree, PrintingExitingAndAssertingAreCaught) {
  for (const char* module : {"core", "stats", "wire", "guards"}) {
    const std::string path = std::string("aisp/") + module + "/x.cpp";
    expect_caught(path, "void f() { std::cout << 1; }\n");
    expect_caught(path, "void f() { printf(\"\"); }\n");
    expect_caught(path, "void f() { std::fprintf(stderr, \"\"); }\n");
    expect_caught(path, "void f() { std::exit(1); }\n");
    expect_caught(path, "void f() { abort(); }\n");
  }
  expect_caught("aisp/cli/x.cpp", "void f() { assert(true); }\n");
  expect_caught("workloads/ch01/x.cpp", "#include <cassert>\n");
  add("aisp/core/x.cpp",
      "static_assert(1); char t[9]; auto n = std::snprintf(t, 9, \"%d\", 1); // exit(1)\n");
  add("aisp/cli/x.cpp", "void f() { std::printf(\"\"); }\n");
  EXPECT_EQ(listed(check_tree(root_)), "");
}

TEST_F(FabricatedTree, FormIsChecked) {
  std::string lines;
  for (int i = 0; i < 499; ++i) lines += "\n";
  add("aisp/core/x.cpp", lines);
  EXPECT_EQ(listed(check_tree(root_)), "");
  expect_caught("aisp/core/x.cpp", lines + "\n");
  expect_caught("tests/core/x.cpp", "int x;\n", "");
  expect_caught("aisp/core/x.h", "int x;\n");
  expect_caught("aisp/core/string_utils.cpp", "int x;\n");
}

TEST_F(FabricatedTree, BuildFilesThatLinkMoreAreCaught) {
  std::string text;
  for (const Module& module : modules()) {
    if (module.name == "plugin") continue;
    text += "aisp_module(" + module.name;
    for (std::size_t i = 0; i < module.may_include.size(); ++i)
      text += (i == 0 ? " DEPENDS " : " ") + module.may_include[i];
    text += ")\n";
  }
  std::ofstream(root_ / "CMakeLists.txt") << text;
  EXPECT_EQ(listed(check_build_files(root_)), "");
  const auto at = text.find("aisp_module(stats DEPENDS core");
  std::ofstream(root_ / "CMakeLists.txt") << text.insert(at + 30, " device");
  EXPECT_EQ(check_build_files(root_).size(), 1u);
}

TEST_F(FabricatedTree, OneNameIsOneType) {
  add("aisp/core/sheet.h", "#pragma once\nnamespace aisp {\nclass Sheet {};\nstruct Page;\n}\n");
  expect_caught("aisp/stats/sheet.h", "#pragma once\nnamespace aisp {\nclass Sheet {\n};\n}\n");
  add("aisp/stats/sheet.h", "#pragma once\nnamespace aisp::stats {\nclass Sheet {};\nstruct Page {};\n}\n");
  EXPECT_EQ(listed(check_tree(root_)), "");
}

}  // namespace
}  // namespace aisp::layering

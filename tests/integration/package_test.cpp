// SPDX-License-Identifier: Apache-2.0
// Installs the package, builds projects against it as a user would, and runs what they made.
#include <algorithm>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

namespace fs = std::filesystem;

class Package : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    box_ = new Sandbox;
    box_->give_ceilings();
    cmake({"--install", AISP_BUILD_DIR, "--prefix", prefix().string()});
  }
  static void TearDownTestSuite() {
    delete box_;
    box_ = nullptr;
  }

  static fs::path prefix() { return box_->root() / "prefix"; }
  static std::string program() { return prefix() / "bin/aisp"; }

  static void cmake(const std::vector<std::string>& arguments) {
    const Finished done = box_->start(arguments, "cmake").wait(std::chrono::seconds(300));
    ASSERT_EQ(done.exit_code, 0) << done.out << done.err;
  }
  static void build(const fs::path& source, const fs::path& binary) {
    cmake({"-S", source, "-B", binary, "-G", "Ninja", "-DCMAKE_PREFIX_PATH=" + prefix().string(),
           "-DCMAKE_CXX_FLAGS=" AISP_CXX_FLAGS});
    cmake({"--build", binary});
  }

  static Finished run(const std::vector<std::string>& words, const std::string& of) {
    std::vector<std::string> all = words;
    if (words.front() == "run") {
      all.insert(all.end(), {"--cell-seconds", "0.5", "--max-rounds", "24", "--attempts", "3"});
    }
    return box_->run(all, of);
  }

  /// A busy machine may leave the verdict open; nothing else may go wrong.
  static void expect_table(const Finished& finished, const std::string& workload, const std::string& best) {
    EXPECT_TRUE(finished.exit_code == 0 || finished.exit_code == 9 || finished.exit_code == 4)
        << finished.exit_code << finished.out << finished.err;
    EXPECT_NE(finished.out.find(workload), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find(best), std::string::npos) << finished.out;
    EXPECT_NE(finished.out.find("speed-up"), std::string::npos) << finished.out;
  }

  static Sandbox* box_;
};
Sandbox* Package::box_ = nullptr;

TEST_F(Package, HoldsNothingThatItsUsersWouldHaveToInstall) {
  EXPECT_TRUE(fs::exists(prefix() / "include/aisp/aisp.h"));
  for (const fs::directory_entry& header : fs::recursive_directory_iterator(prefix() / "include")) {
    if (!header.is_regular_file()) continue;
    std::ifstream file(header.path());
    for (std::string line; std::getline(file, line);) {
      for (const char* foreign : {"nlohmann", "fmt/", "CLI/", "sqlite", "toml", "hwloc", "pugi", "nettle"}) {
        EXPECT_FALSE(line.starts_with("#include") && line.find(foreign) != std::string::npos)
            << header.path() << ": " << line;
      }
    }
  }
}

TEST_F(Package, DoesNotSayWhereItWasBuilt) {
  for (const char* part : {"bin/aisp", "lib/libaisp_main.a", "lib/libaisp_plugin.a"}) {
    std::ifstream file(prefix() / part, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    ASSERT_FALSE(bytes.empty()) << part;
    EXPECT_EQ(bytes.find(AISP_SOURCE_DIR), std::string::npos) << part;
  }
}

TEST_F(Package, BuildsTheExampleAsPluginAndAsProgram) {
  const fs::path binary = box_->root() / "hello build";
  build(fs::path(AISP_SOURCE_DIR) / "examples/hello_workload", binary);
  const std::string hello_plugin = binary / "hello_plugin.so", hello = binary / "hello";

  const Finished list = run({"list", "--plugin", hello_plugin, "hello/row_sums"}, program());
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_NE(list.out.find("sixteen_sums"), std::string::npos) << list.out;
  expect_table(run({"run", "--plugin", hello_plugin, "hello"}, program()), "hello/row_sums", "sixteen_sums");

  // The program holds its own workloads and no others; its workers are itself.
  const Finished own = run({"list", "--names"}, hello);
  EXPECT_EQ(own.out, "hello/row_sums\n") << own.err;
  expect_table(run({"run", "hello"}, hello), "hello/row_sums", "sixteen_sums");
  EXPECT_EQ(run({"verify", "hello"}, hello).exit_code, 0);

  // A plugin shows its entry and nothing else.
  const Finished symbols = box_->run({"-D", "--defined-only", hello_plugin}, "nm");
  EXPECT_NE(symbols.out.find(" T aisp_plugin"), std::string::npos) << symbols.out;
  EXPECT_EQ(std::count(symbols.out.begin(), symbols.out.end(), '\n'), 1) << symbols.out;
}

TEST_F(Package, RefusesAPluginOfOtherHeaders) {
  // Another version's package: one header of the interface differs, and so does the number of its plugins.
  const fs::path other = box_->root() / "other";
  fs::copy(prefix(), other, fs::copy_options::recursive);
  std::ofstream(other / "include/aisp/core/team.h", std::ios::app) << "// changed\n";
  const fs::path binary = box_->root() / "other build";
  cmake({"-S", fs::path(AISP_SOURCE_DIR) / "examples/hello_workload", "-B", binary, "-G", "Ninja",
         "-DCMAKE_PREFIX_PATH=" + other.string(), "-DCMAKE_CXX_FLAGS=" AISP_CXX_FLAGS});
  cmake({"--build", binary, "--target", "hello_plugin"});
  const Finished refused = run({"list", "--plugin", binary / "hello_plugin.so"}, program());
  EXPECT_EQ(refused.exit_code, 3) << refused.out << refused.err;
  EXPECT_NE(refused.err.find("other headers of aisp"), std::string::npos) << refused.err;
}

TEST_F(Package, BuildsWhatNewWrote) {
  const fs::path project = box_->root() / "column_sums";
  ASSERT_EQ(box_->run({"new", "column_sums", "--project", project}, program()).exit_code, 0);
  build(project, project / "build");
  const std::string made = project / "build/column_sums_plugin.so";
  EXPECT_EQ(run({"verify", "--plugin", made, "local/column_sums"}, program()).exit_code, 0);
  expect_table(run({"run", "--plugin", made, "local/column_sums", "--suite", "quick"}, program()),
               "local/column_sums", "by_rows");
  expect_table(run({"run", "local", "--suite", "quick"}, project / "build/column_sums_benchmark"),
               "local/column_sums", "by_rows");
  EXPECT_TRUE(box_->alone());
  EXPECT_EQ(box_->leftovers(), std::vector<std::string>{});
}

}  // namespace
}  // namespace aisp::testing

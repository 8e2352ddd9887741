// SPDX-License-Identifier: Apache-2.0
// Configuration files that are missing, broken, hostile or merely written on Windows.
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

Finished list_with(Sandbox& box, const std::filesystem::path& config) {
  return box.run({"run", "ch07/transpose", "--dry-run", "--json", "--config", config.string()});
}

void expect_bad(const Finished& refused, const std::string& says) {
  EXPECT_EQ(refused.exit_code, 3) << refused.out << refused.err;
  EXPECT_NE(refused.err.find(says), std::string::npos) << refused.err;
}

TEST(Config, ThatIsMissing) {
  Sandbox box;
  expect_bad(list_with(box, box.root() / "none.toml"), "none.toml: there is no such file");
}

TEST(Config, ThatIsAFolder) {
  Sandbox box;
  expect_bad(list_with(box, box.root()), "not a regular file");
}

TEST(Config, ThatIsADevice) {
  Sandbox box;
  expect_bad(list_with(box, "/dev/zero"), "not a regular file");
}

TEST(Config, ThatCannotBeRead) {
  Sandbox box;
  const auto path = box.write("secret.toml", "attempts = 1\n");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (access(path.c_str(), R_OK) == 0) {
    // Root reads everything: become somebody else.
    std::filesystem::permissions(box.root(), std::filesystem::perms::all);
    for (const auto& entry : std::filesystem::directory_iterator(box.root())) {
      if (entry.is_directory()) std::filesystem::permissions(entry.path(), std::filesystem::perms::all);
    }
    box.before_exec = [] { static_cast<void>(!setgid(65534) && !setuid(65534)); };
    if (access(AISP_PROGRAM, X_OK) != 0) GTEST_SKIP() << "the program cannot be reached by another user";
  }
  const Finished refused = list_with(box, path);
  if (refused.exit_code == 127) GTEST_SKIP() << "the program cannot be reached by another user";
  expect_bad(refused, "ermission denied");
}

TEST(Config, WithByteOrderMarkAndCarriageReturnsIsRead) {
  Sandbox box;
  const auto path =
      box.write("dos.toml", "\xef\xbb\xbf# from Windows\r\ncell-seconds = 0.5\r\n[run]\r\nattempts = 1\r\n");
  EXPECT_EQ(list_with(box, path).exit_code, 0) << list_with(box, path).err;
}

TEST(Config, WithNul) {
  Sandbox box;
  expect_bad(list_with(box, box.write("nul.toml", std::string("attempts = 1\n\0", 14))), "byte 13 is NUL");
}

TEST(Config, WithInvalidUtf8) {
  Sandbox box;
  expect_bad(list_with(box, box.write("latin.toml", "# caf\xe9\nattempts = 1\n")), "UTF-8");
}

TEST(Config, NestedTenThousandDeep) {
  Sandbox box;
  expect_bad(
      list_with(box, box.write("deep.toml", "a = " + std::string(10'000, '[') + std::string(10'000, ']'))),
      "nested deeper");
  expect_bad(list_with(box, box.write("inline.toml",
                                      [] {
                                        std::string text = "a = ";
                                        for (int i = 0; i < 10'000; ++i) text += "{a = ";
                                        return text;
                                      }())),
             "nested deeper");
}

TEST(Config, OfAGibibyteIsRefusedBeforeItIsRead) {
  Sandbox box;
  const auto path = box.write("huge.toml", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 30);  // sparse
  expect_bad(list_with(box, path), "beyond the limit");
}

TEST(Config, WithBrokenSyntaxNamesTheLine) {
  Sandbox box;
  expect_bad(list_with(box, box.write("broken.toml", "attempts = 1\nattempts = = 2\n")), "line 2");
}

TEST(Config, WithAValueOutOfRangeIsUsage) {
  Sandbox box;
  const Finished refused = list_with(box, box.write("range.toml", "attempts = 1000\n"));
  EXPECT_EQ(refused.exit_code, 2) << refused.err;
  EXPECT_NE(refused.err.find("1 to 64"), std::string::npos) << refused.err;
}

TEST(Config, InTheWorkingDirectoryIsFoundAndOverruledByVariablesAndFlags) {
  Sandbox box;
  box.environment["XDG_CONFIG_HOME"] = (box.root() / "home").string();
  std::filesystem::create_directory(box.root() / "home/aisp");
  box.write("home/aisp/aisp.toml", "cell-seconds = 7\n");
  const auto seconds = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "ch08/ilp", "--suite", "quick", "--dry-run", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished run = box.run(words);
    EXPECT_EQ(run.exit_code, 0) << run.err;
    const Json json = run.json();
    return json["most_seconds"].get<double>() / static_cast<double>(json["cells"].size());
  };
  const double by_user = seconds({});
  std::ofstream(box.directory / "aisp.toml") << "cell-seconds = 20\n";
  const double by_folder = seconds({});
  box.environment["AISP_CELL_SECONDS"] = "40";
  const double by_variable = seconds({});
  const double by_flag = seconds({"--cell-seconds", "80"});
  EXPECT_LT(by_user, by_folder);
  EXPECT_LT(by_folder, by_variable);
  EXPECT_LT(by_variable, by_flag);
}

}  // namespace
}  // namespace aisp::testing

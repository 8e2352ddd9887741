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
  expect_bad(list_with(box, box.write("latin.toml", "# caf\xe9\nattempts = 1\n")),
             "byte 5 is not valid UTF-8");
  // A character that is cut off, after a byte order mark.
  expect_bad(list_with(box, box.write("cut.toml", "\xef\xbb\xbf#\xef\xbf")), "byte 4 is not valid UTF-8");
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

TEST(Config, WithAValueOutOfRangeNamesTheFileAndTheLine) {
  Sandbox box;
  const Finished refused = list_with(box, box.write("range.toml", "\nattempts = 1000\n"));
  expect_bad(refused, "range.toml: line 2: attempts '1000'");
  expect_bad(refused, "1 to 64");
}

struct Mistake {
  const char* text;
  const char* says;
  const char* hint;
};

class ConfigMistake : public ::testing::TestWithParam<Mistake> {};

TEST_P(ConfigMistake, IsNamedWithItsLineAndTheWayOut) {
  Sandbox box;
  const Finished refused = list_with(box, box.write("mistake.toml", GetParam().text));
  expect_bad(refused, std::string("mistake.toml: ") + GetParam().says);
  expect_bad(refused, GetParam().hint);
}

INSTANTIATE_TEST_SUITE_P(
    Every, ConfigMistake,
    ::testing::Values(
        Mistake{"polcy = \"strict\"\n", "line 1: there is no setting 'polcy'", "did you mean 'policy'?"},
        Mistake{"# first\n[run]\natempts = 5\n", "line 3: there is no setting 'atempts' of `aisp run`",
                "did you mean 'attempts'?"},
        Mistake{"[rum]\nattempts = 5\n", "line 1: there is no command 'rum'", "did you mean [run]?"},
        Mistake{"run = 5\n", "line 1: run is a command", "[run]"},
        Mistake{"attempts = 2020-01-01\n", "line 1: attempts has a value of another type", "whole number"},
        Mistake{"attempts = \"3\"\n", "line 1: attempts has a value of another type", "whole number"},
        Mistake{"policy = 3\n", "line 1: policy has a value of another type", "text in quotes"},
        Mistake{"param = [\"n=1\", 2]\n", "line 1: param has a value of another type", "list of texts"},
        Mistake{"policy = \"strickt\"\n", "line 1: policy 'strickt' is not known", "did you mean 'strict'?"},
        Mistake{"quiet = \"maybe\"\n", "line 1: quiet 'maybe' is not acceptable", "true or false"},
        Mistake{"[list]\natempts = 5\n", "line 2: there is no setting 'atempts' of `aisp list`",
                "aisp help"}));

TEST(Config, MaySetWhatOnlyOtherCommandsHave) {
  Sandbox box;
  const auto path =
      box.write("others.toml", "seconds = 3\nkeep = 5\n[peak]\nseconds = 4\n[list]\nnames = true\n");
  EXPECT_EQ(list_with(box, path).exit_code, 0) << list_with(box, path).err;
}

TEST(Config, TogglesMeanWhatTheySay) {
  Sandbox box;
  const auto names = [&](const std::string& content) {
    return box.run({"list", "--config", box.write("toggle.toml", content).string()}).out;
  };
  const std::string full = names(""), short_list = names("names = true\n");
  ASSERT_NE(full, short_list);
  for (const char* no : {"names = 0\n", "names = \"off\"\n", "names = \"no\"\n", "names = false\n"})
    EXPECT_EQ(names(no), full) << no;
  for (const char* yes : {"names = 1\n", "names = \"on\"\n", "names = \"yes\"\n"})
    EXPECT_EQ(names(yes), short_list) << yes;
  for (const char* no : {"0", "off", "no", "false", ""}) {
    box.environment["AISP_NAMES"] = no;
    EXPECT_EQ(box.run({"list"}).out, full) << no;
  }
  box.environment["AISP_NAMES"] = "maybe";
  const Finished refused = box.run({"list"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("AISP_NAMES 'maybe'"), std::string::npos) << refused.err;
}

TEST(Config, AVariableHoldsSeveralValuesOfAList) {
  Sandbox box;
  box.environment["AISP_PLUGIN"] = plugin("pace") + ";" + plugin("names");
  const Finished both = box.run({"list", "--names"});
  EXPECT_NE(both.out.find("pace/fast\n"), std::string::npos) << both.err;
  EXPECT_GT(both.out.size(), box.run({"list", "--names", "--plugin", plugin("pace")}).out.size());
  box.environment["AISP_ATTEMPTS"] = "x";
  const Finished refused = box.run({"run", "ch07"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("AISP_ATTEMPTS 'x'"), std::string::npos) << refused.err;
}

TEST(Config, TheHomeSignIsExpanded) {
  Sandbox box;
  box.environment.erase("AISP_STORE");
  const auto path = box.write("home.toml", "store = \"~/there.db\"\n");
  const Finished shown = box.run({"show", "--config", path.string()});
  EXPECT_NE(shown.err.find((box.root() / "home/there.db").string()), std::string::npos) << shown.err;
}

TEST(Config, InTheWorkingDirectoryIsFoundAndOverruledByVariablesAndFlags) {
  Sandbox box;
  box.environment["XDG_CONFIG_HOME"] = (box.root() / "home").string();
  std::filesystem::create_directory(box.root() / "home/aisp");
  box.write("home/aisp/aisp.toml", "param = \"n=100\"\n");
  const auto size = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "ch07/transpose", "--dry-run", "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished run = box.run(words);
    const Json cells = run.json().value("cells", Json::array());
    return cells.empty() ? run.err : cells[0]["parameters"].get<std::string>();
  };
  EXPECT_EQ(size({}).substr(0, 5), "n=100") << "the user's";
  std::ofstream(box.directory / "aisp.toml") << "param = [\"n=200\"]\n";
  EXPECT_EQ(size({}).substr(0, 5), "n=200") << "the folder's";
  box.environment["AISP_PARAM"] = "n=300";
  EXPECT_EQ(size({}).substr(0, 5), "n=300") << "the variable's";
  EXPECT_EQ(size({"--param", "n=400"}).substr(0, 5), "n=400") << "the flag's";
}

// Whoever sets AISP_POLCY=strict must not believe that strict was applied.
TEST(Variables, AMisspeltOneIsRefusedAndAForeignOneIsNot) {
  Sandbox box;
  box.environment["AISP_POLCY"] = "strict";
  const Finished refused = box.run({"list"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.err.find("did you mean AISP_POLICY?"), std::string::npos) << refused.err;
  box.environment.erase("AISP_POLCY");
  box.environment["AISP_SOMETHING_OF_A_SCRIPT"] = "1";
  EXPECT_EQ(box.run({"list"}).exit_code, 0);
}

}  // namespace
}  // namespace aisp::testing

// SPDX-License-Identifier: Apache-2.0
// The commit in the manifest is that of the build, not of the day CMake was run: the header with it follows
// the repository, and stays untouched while nothing changes.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

class GitState : public ::testing::Test {
 protected:
  void git(std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", "user.name=test", "-c", "user.email=test@example.org"});
    ASSERT_EQ(box.run(words, "git").exit_code, 0) << words[4];
  }

  std::string written() {
    const Finished script = box.run({"-DSOURCE=" + box.directory.string(), "-DOUTPUT=" + header.string(),
                                     "-P", std::string(AISP_SOURCE_DIR) + "/cmake/WriteGitState.cmake"},
                                    "cmake");
    EXPECT_EQ(script.exit_code, 0) << script.err;
    std::ostringstream text;
    text << std::ifstream(header).rdbuf();
    return text.str();
  }

  Sandbox box;
  std::filesystem::path header = box.root() / "aisp_git_state.h";
};

TEST_F(GitState, FollowsCommitsAndChanges) {
  EXPECT_EQ(written().find("AISP_GIT"), std::string::npos) << "no repository: the commit is unknown";
  git({"init", "-q"});
  std::ofstream(box.directory / "file") << "one";
  git({"add", "file"});
  git({"commit", "-q", "-m", "one"});
  const std::string clean = written();
  EXPECT_NE(clean.find("AISP_GIT"), std::string::npos);
  EXPECT_EQ(clean.find("dirty"), std::string::npos) << clean;
  const auto first = std::filesystem::last_write_time(header);
  EXPECT_EQ(written(), clean);
  EXPECT_EQ(std::filesystem::last_write_time(header), first) << "or every build would compile it again";
  std::ofstream(box.directory / "file") << "two, changed";
  EXPECT_NE(written().find("dirty"), std::string::npos);
  git({"commit", "-q", "-a", "-m", "two"});
  EXPECT_NE(written(), clean);
}

}  // namespace
}  // namespace aisp::testing

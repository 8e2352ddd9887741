// SPDX-License-Identifier: Apache-2.0
// Only regular files are replaced: a pipe, a device or a link stays what it is.
#include "aisp/cli/output_file.h"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

class OutputFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "aisp-output-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(OutputFile, IsWrittenAndReplacedKeepingItsPermissions) {
  ASSERT_TRUE(write_output(at("r.html"), "one"));
  fs::permissions(at("r.html"), fs::perms::owner_read | fs::perms::owner_write);
  ASSERT_TRUE(write_output(at("r.html"), "two"));
  EXPECT_EQ(content_of(at("r.html")), "two");
  EXPECT_EQ(fs::status(at("r.html")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_EQ(files(), 1u) << "no temporary file stays";
}

TEST_F(OutputFile, ALinkStaysAndItsTargetIsWritten) {
  std::ofstream(at("target.html")) << "old";
  fs::create_symlink("target.html", at("link.html"));
  fs::create_symlink("fresh.html", at("dangling.html"));
  ASSERT_TRUE(write_output(at("link.html"), "new"));
  ASSERT_TRUE(write_output(at("dangling.html"), "made"));
  EXPECT_TRUE(fs::is_symlink(at("link.html")));
  EXPECT_TRUE(fs::is_symlink(at("dangling.html")));
  EXPECT_EQ(content_of(at("target.html")), "new");
  EXPECT_EQ(content_of(at("fresh.html")), "made");
}

TEST_F(OutputFile, APipeIsWrittenTo) {
  ASSERT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = content_of(at("pipe")); });
  const Status written = write_output(at("pipe"), "through");
  // Where the pipe was replaced the reader still waits for a writer.
  if (!fs::is_fifo(at("pipe"))) {
    reader.detach();
    FAIL() << "the pipe was replaced";
  }
  reader.join();
  EXPECT_TRUE(written);
  EXPECT_EQ(received, "through");
}

TEST_F(OutputFile, ADeviceIsWrittenToAndItsErrorTold) {
  if (mknod(at("full").c_str(), S_IFCHR | 0666, makedev(1, 7)) != 0) GTEST_SKIP() << "needs root";
  const Status written = write_output(at("full"), "nowhere to go");
  struct stat there{};
  ASSERT_EQ(stat(at("full").c_str(), &there), 0);
  EXPECT_TRUE(S_ISCHR(there.st_mode)) << "the device was replaced";
  const int probe = open(at("full").c_str(), O_WRONLY | O_CLOEXEC);
  if (probe < 0) GTEST_SKIP() << "devices do not work on this file system";
  close(probe);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::io);
  EXPECT_NE(written.error().message.find("No space left"), std::string::npos) << written.error().message;
}

TEST_F(OutputFile, BadPlacesAreKnownBeforeAnythingIsWritten) {
  for (const std::string& path : {at(""), at("missing/r.html")}) {
    const Status checked = check_output(path, "--report");
    ASSERT_FALSE(checked) << path;
    EXPECT_EQ(checked.error().code, ErrorCode::io);
    EXPECT_NE(checked.error().hint.find("--report"), std::string::npos);
    EXPECT_FALSE(write_output(path, "text"));
  }
  EXPECT_TRUE(check_output(at("r.html")));
  EXPECT_TRUE(check_output("-"));
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace aisp::cli

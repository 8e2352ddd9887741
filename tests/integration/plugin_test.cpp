// SPDX-License-Identifier: Apache-2.0
// Files that are not plugins, plugins of another build, and plugins that misbehave while they are loaded.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

struct BadPlugin {
  std::string name;
  std::string says;                                 ///< part of the message
  std::function<std::string(const Sandbox&)> path;  ///< makes it, if it is not built
};
void PrintTo(const BadPlugin& bad, std::ostream* out) { *out << bad.name; }

std::string bytes_of_a_plugin() {
  std::ifstream whole(plugin("pace"), std::ios::binary);
  std::ostringstream content;
  content << whole.rdbuf();
  return content.str();
}

std::string truncated(const Sandbox& box, std::size_t bytes) {
  return box.write("truncated.so", bytes_of_a_plugin().substr(0, bytes));
}

/// With one byte of its header replaced.
std::string changed(const Sandbox& box, std::size_t at, char byte) {
  std::string bytes = bytes_of_a_plugin();
  bytes[at] = byte;
  return box.write("changed.so", bytes);
}

/// That says of itself that it was built with the C++ library's other ABI.
std::string of_another_library(const Sandbox& box) {
  std::string bytes = bytes_of_a_plugin();
  const std::string own = "libstdc++ cxx11", other = "libstdc++ cxx98";
  for (std::size_t at = bytes.find(own); at != std::string::npos; at = bytes.find(own, at))
    bytes.replace(at, own.size(), other);
  return box.write("other_library.so", bytes);
}

class PluginIsRefused : public ::testing::TestWithParam<BadPlugin> {};

TEST_P(PluginIsRefused, WithItsCause) {
  Sandbox box;
  const std::string path = GetParam().path(box);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"list", "--plugin", path}, {"run", "all", "--plugin", path}}) {
    const Finished refused = box.run(command);
    EXPECT_EQ(refused.exit_code, 3) << refused.out << refused.err;
    EXPECT_NE(refused.err.find(GetParam().says), std::string::npos) << refused.err;
  }
  EXPECT_TRUE(box.alone());
}

INSTANTIATE_TEST_SUITE_P(
    Every, PluginIsRefused,
    ::testing::Values(
        BadPlugin{"missing", "no such file",
                  [](const Sandbox& box) { return (box.root() / "none.so").string(); }},
        BadPlugin{"folder", "not a regular file", [](const Sandbox& box) { return box.root().string(); }},
        BadPlugin{"fifo", "not a regular file",
                  [](const Sandbox& box) {
                    const std::string path = box.root() / "fifo.so";
                    mkfifo(path.c_str(), 0600);
                    return path;
                  }},
        BadPlugin{"loop", "symbolic link",
                  [](const Sandbox& box) {
                    const auto path = box.root() / "loop.so";
                    std::filesystem::create_symlink(path, path);
                    return path.string();
                  }},
        BadPlugin{"device", "not a regular file", [](const Sandbox&) { return std::string("/dev/zero"); }},
        BadPlugin{"empty", "too short",
                  [](const Sandbox& box) { return box.write("empty.so", "").string(); }},
        BadPlugin{"text", "not an ELF",
                  [](const Sandbox& box) { return box.write("text.so", std::string(1000, 'a')).string(); }},
        BadPlugin{"header_only", "cut off", [](const Sandbox& box) { return truncated(box, 64); }},
        BadPlugin{"half", "cut off", [](const Sandbox& box) { return truncated(box, 5000); }},
        BadPlugin{"other_machine", "another processor",
                  [](const Sandbox& box) { return changed(box, 18, 40); }},  // e_machine: EM_ARM
        BadPlugin{"other_width", "32-bit",
                  [](const Sandbox& box) { return changed(box, 4, 1); }},  // EI_CLASS: ELFCLASS32
        BadPlugin{"program", "", [](const Sandbox&) { return std::string("/bin/true"); }},
        BadPlugin{"no_symbol", "does not export aisp_plugin",
                  [](const Sandbox&) { return plugin("no_symbol"); }},
        BadPlugin{"wrong_abi", "other headers of aisp (ABI 00000002",
                  [](const Sandbox&) { return plugin("wrong_abi"); }},
        BadPlugin{"other_library", "another C++ library (libstdc++ cxx98)", of_another_library},
        BadPlugin{"needs_ghost", "libghost.so", [](const Sandbox&) { return plugin("needs_ghost"); }},
        BadPlugin{"twice", "registered", [](const Sandbox&) { return plugin("twice"); }}),
    [](const auto& test) { return test.param.name; });

class PluginConstructor : public ::testing::TestWithParam<const char*> {};

TEST_P(PluginConstructor, CostsOneWorker) {
  Sandbox box;
  box.environment["AISP_TEST_AT_LOAD"] = GetParam();
  const Finished failed = box.run({"list", "--plugin", plugin("bad_constructor"), "--json"});
  EXPECT_FALSE(failed.timed_out);
  EXPECT_EQ(failed.exit_code, 8) << failed.err;
  EXPECT_NE(failed.err.find("while it was loaded"), std::string::npos) << failed.err;
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.run({"list"}).exit_code, 0) << "the next command works";
}

INSTANTIATE_TEST_SUITE_P(Every, PluginConstructor, ::testing::Values("crash", "hang", "exit"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Plugin, IsListedBesideTheBuiltInOnes) {
  Sandbox box;
  const Finished list = box.run({"list", "--names", "--plugin", plugin("pace")});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_NE(list.out.find("pace/fast\n"), std::string::npos) << list.out;
  EXPECT_NE(list.out.find("ch07/transpose\n"), std::string::npos) << list.out;
}

TEST(Plugin, MayBeNamedByARelativePathWithSpacesAndNewlines) {
  Sandbox box;
  const std::string name = "my own\nplugin \xc3\xa9.so";
  std::filesystem::copy_file(plugin("pace"), box.directory / name);
  const Finished list = box.run({"list", "--names", "--plugin", name, "pace"});
  EXPECT_EQ(list.exit_code, 0) << list.err;
  EXPECT_NE(list.out.find("pace/fast"), std::string::npos) << list.out;
}

TEST(Plugin, LoadedTwiceIsRefused) {
  Sandbox box;
  const Finished list = box.run({"list", "--plugin", plugin("pace"), "--plugin", plugin("pace")});
  EXPECT_EQ(list.exit_code, 3) << list.err;
  EXPECT_NE(list.err.find("has already"), std::string::npos) << list.err;
}

}  // namespace
}  // namespace aisp::testing

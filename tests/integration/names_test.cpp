// SPDX-License-Identifier: Apache-2.0
// Names and messages from workload code reach terminals, web pages and JSON documents as text, never as code.
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"

namespace aisp::testing {
namespace {

void expect_inert(const std::string& text) {
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "a terminal escape got through";
  EXPECT_EQ(text.find('\x07'), std::string::npos);
  EXPECT_EQ(printable_utf8(text), text) << "not valid UTF-8";
}

class Names : public ::testing::Test {
 protected:
  Names() { box.give_ceilings(); }
  std::vector<std::string> run_words() const {
    return {"run",          "--plugin", plugin("names"), "names/loud", "--cell-seconds", "0.2",
            "--max-rounds", "24",       "--attempts",    "1"};
  }
  Sandbox box;
};

TEST_F(Names, AreInertInLists) {
  for (const std::vector<std::string>& more :
       {std::vector<std::string>{}, {"names/loud"}, {"--names"}, {"chapters"}, {"--json"}}) {
    std::vector<std::string> words{"list", "--plugin", plugin("names")};
    words.insert(words.end(), more.begin(), more.end());
    const Finished list = box.run(words);
    EXPECT_EQ(list.exit_code, 0) << list.err;
    expect_inert(list.out);
    expect_inert(list.err);
    if (!more.empty() && more[0] == "--json") {
      EXPECT_FALSE(list.json().is_null()) << list.out;
    }
  }
}

/// A copy of a plugin in which a workload's name holds a terminal escape.
std::string with_loud_id(const Sandbox& box) {
  std::ifstream whole(plugin("pace"), std::ios::binary);
  std::ostringstream content;
  content << whole.rdbuf();
  std::string bytes = content.str();
  const std::string quiet = "pace/fast", loud = "pace/\x1b[1m";
  for (std::size_t at = bytes.find(quiet); at != std::string::npos; at = bytes.find(quiet, at))
    bytes.replace(at, quiet.size(), loud);
  return box.write("loud.so", bytes);
}

TEST_F(Names, OfWorkloadsAreInertWhereverTheyAreNamed) {
  const std::string loud = with_loud_id(box);
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "--dry-run", "--param", "n=1000"},
        {"verify", "--param", "n=1000"},
        {"run", "--param", "n=100000000000000"}}) {  // refused: it fits no memory
    std::vector<std::string> words = command;
    words.insert(words.end(), {"pace/*", "--plugin", loud});
    const Finished said = box.run(words);
    EXPECT_NE((said.out + said.err).find("pace/"), std::string::npos) << said.out << said.err;
    expect_inert(said.out);
    expect_inert(said.err);
  }
}

TEST_F(Names, AreInertInTablesReportsAndJson) {
  std::vector<std::string> words = run_words();
  const std::string report = box.root() / "report.html";
  words.insert(words.end(), {"--ladder", "--report", report});
  const Finished table = box.run(words);
  EXPECT_EQ(table.exit_code, 8) << table.err;
  expect_inert(table.out);
  expect_inert(table.err);
  std::ifstream file(report);
  std::ostringstream html;
  html << file.rdbuf();
  EXPECT_GT(html.str().size(), 1000u);
  EXPECT_EQ(html.str().find("<script>alert"), std::string::npos);
  expect_inert(html.str());

  for (const std::vector<std::string>& command : {std::vector<std::string>{"show", "latest"},
                                                  {"show", "latest", "--json"},
                                                  {"export", "latest", "--format", "csv"},
                                                  {"export", "latest", "--format", "junit"},
                                                  {"report", "latest", "--format", "markdown"}}) {
    const Finished shown = box.run(command);
    EXPECT_NE(shown.exit_code, 70) << shown.err;
    EXPECT_NE(shown.exit_code, 2) << shown.err;
    expect_inert(shown.out);
    expect_inert(shown.err);
    if (command.back() == "--json") {
      EXPECT_FALSE(shown.json().is_null()) << shown.out.substr(0, 500);
    }
  }
}

TEST_F(Names, AreInertInErrors) {
  const Finished refused = box.run({"run", "\x1b[31mno\nsuch\xff"});
  EXPECT_EQ(refused.exit_code, 2);
  expect_inert(refused.err);
  const Finished json = box.run({"run", "\x1b[31m\"}no\xff", "--json"});
  EXPECT_FALSE(Json::parse(json.err, nullptr, false).is_discarded()) << json.err;
}

}  // namespace
}  // namespace aisp::testing

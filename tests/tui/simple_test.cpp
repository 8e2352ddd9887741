// SPDX-License-Identifier: Apache-2.0
// The plain menu, with its input and output in strings.
#include "aisp/tui/simple.h"

#include <sstream>

#include <gtest/gtest.h>

#include "tests/tui/made_up.h"

namespace aisp::tui {
namespace {

struct Said {
  int code;
  std::string text;
  bool has(const std::string& words) const { return text.find(words) != std::string::npos; }
};

Said say(Library& library, const std::string& input, const std::string& program = "/bin/false") {
  std::istringstream in(input);
  std::ostringstream out;
  const int code = run_simple(library, in, out, {.width = 100, .program = program});
  return {code, out.str()};
}

TEST(Simple, EndsWithItsInputOrWithZero) {
  MadeUpLibrary library;
  const Said nothing = say(library, "");
  EXPECT_EQ(nothing.code, 0);
  EXPECT_TRUE(nothing.has("1  workloads"));
  EXPECT_EQ(say(library, "0\n1\n").text, nothing.text.substr(0, nothing.text.size() - 1));
  for (const std::string input : {"1\n", "2\n", "2\n1\n", "3\n", "3\n1\n", "4\n", "4\n1\n", "nonsense\n"})
    EXPECT_EQ(say(library, input).code, 0) << input;
}

TEST(Simple, ListsFiltersAndOpensResults) {
  MadeUpLibrary library;
  const Said listed = say(library, "2\n0\n0\n");
  EXPECT_TRUE(listed.has("invalid")) << listed.text;
  const Said opened = say(library, "2\ninvalid\n1\n0\n0\n");
  EXPECT_TRUE(opened.has("Guards of")) << opened.text;
  EXPECT_TRUE(opened.has("to do: "));
  EXPECT_TRUE(say(library, "2\nnosuchword\n0\n0\n").has("No result has these words"));
}

TEST(Simple, AWorkloadsNameFindsResultsBehindTheNewest) {
  LargeLibrary library;
  const Said said = say(library, "2\n" + library.workloads().back().id + "\n0\n0\n");
  EXPECT_TRUE(said.has("the newest 2,000 results in")) << said.text;
  EXPECT_TRUE(said.has("These are of the newest 2,000 results")) << said.text;
  EXPECT_TRUE(said.has("   7  " + library.workloads().back().id)) << said.text;
}

TEST(Simple, ANumberThatIsNotThereIsAWordLikeAnyOther) {
  MadeUpLibrary library;
  EXPECT_EQ(say(library, "1\n99999\n0\n0\n").code, 0);
  EXPECT_EQ(say(library, "1\n18446744073709551616\n0\n0\n").code, 0);
}

TEST(Simple, Compares) {
  MadeUpLibrary library;
  EXPECT_TRUE(say(library, "4\n1\n1\n0\n").has("2.00x [1.90, 2.10]"));
  EXPECT_TRUE(say(library, "4\n1\n2\n0\n").has("they differ"));
}

TEST(Simple, TellsHowARunEnded) {
  MadeUpLibrary library;
  const Said said = say(library, "3\n1\n1\n1\n1\n1\n0\n");
  EXPECT_TRUE(said.has("aisp run " + library.workloads().front().id)) << said.text;
  EXPECT_TRUE(said.has("ended with exit code 1: a guard rejected a row")) << said.text;
}

TEST(Simple, NoControlCharacterComesThrough) {
  MadeUpLibrary library(report::hostile_run());
  for (const std::string input : {"1\n1\n0\n2\n1\n0\n0\n", "\x1b[2J\n0\n"}) {
    const Said said = say(library, input);
    for (const char c : said.text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
  }
}

TEST(Simple, AnOutputThatCannotBeWrittenIsAnError) {
  MadeUpLibrary library;
  std::istringstream in("1\n0\n0\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(run_simple(library, in, out, {}), 7);
}

}  // namespace
}  // namespace aisp::tui

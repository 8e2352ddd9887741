// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/toml_scan.h"

#include <gtest/gtest.h>

namespace aisp::cli {
namespace {

TEST(TomlScan, LettersBeyondAsciiBelongInQuotesAndComments) {
  EXPECT_EQ(scan_toml("store = \"/home/m\xc3\xbcller\" # f\xc3\xbcr alle\nother = 'gr\xc3\xb6\xc3\x9f"
                      "er'\n")
                .stray_line,
            0);
  EXPECT_EQ(scan_toml("a = 1\ngr\xc3\xb6\xc3\x9f"
                      "e = 2\n")
                .stray_line,
            2);
  EXPECT_EQ(scan_toml("a = \xc2\xa0"
                      "1\n")
                .stray_line,
            1);
}

TEST(TomlScan, AStringLeftOpenEndsWithItsLine) {
  EXPECT_EQ(scan_toml("a = \"left open\n\xc3\xa4 = 1").stray_line, 2);
  EXPECT_EQ(scan_toml("a = 'left open\n\xc3\xa4 = 1").stray_line, 2);
  EXPECT_EQ(scan_toml("a = \"ends in \\\n\xc3\xa4 = 1").stray_line, 2);
}

TEST(TomlScan, QuotesWithinStringsDoNotEndThem) {
  EXPECT_EQ(scan_toml(R"(a = "\"ä" # ö)").stray_line, 0);
  EXPECT_EQ(scan_toml("a = '\\' \xc3\xa4").stray_line, 1) << "a raw string knows no escapes";
  EXPECT_EQ(scan_toml("a = \"\"\"x\"\"\"\"\" # \xc3\xa4").stray_line, 0)
      << "two quotes before the closing three";
  EXPECT_EQ(scan_toml("a = \"\"\"x\"\"\" \xc3\xa4").stray_line, 1);
  EXPECT_EQ(scan_toml("a = \"\" \xc3\xa4").stray_line, 1);
}

TEST(TomlScan, AQuoteAmidOtherCharactersOpensNoString) {
  EXPECT_EQ(scan_toml("a = 0p2\"2\xce\x92").stray_line, 1);
  EXPECT_EQ(scan_toml("a = 0p'2\xce\x92'").stray_line, 1);
  EXPECT_EQ(scan_toml("a = 0p#\xce\x92").stray_line, 1);
  EXPECT_EQ(scan_toml("a = [\"\xce\x92\", '\xce\x92'] # \xce\x92").stray_line, 0);
  EXPECT_EQ(scan_toml("a = 06_o.'\xce\x92'").stray_line, 1);
  EXPECT_EQ(scan_toml("a = [ # \xce\x92\n  \"\xce\x92\",\n  '\xce\x92' ]").stray_line, 0);
  EXPECT_EQ(scan_toml("[\"\xce\x92\"]\na.\"\xce\x92\" = 1 # \xce\x92").stray_line, 0);
}

TEST(TomlScan, StringsOfSeveralLinesHoldAsciiOnly) {
  EXPECT_EQ(scan_toml("a = \"\"\"\n\n\xc3\xa4\"\"\"").stray_line, 3);
  EXPECT_EQ(scan_toml("a = '''\nb\n'''\n# \xc3\xa4").stray_line, 0);
}

TEST(TomlScan, CountsBracketsOutsideStringsAndComments) {
  EXPECT_EQ(scan_toml("a = [[1], {b = 2}]").deepest, 2);
  EXPECT_EQ(scan_toml("a = \"[[[[\" # [[[[\nb = '[['\n").deepest, 0);
  EXPECT_EQ(scan_toml("# ]]]]\na = [[[1]]]").deepest, 3) << "a comment buys no depth";
  EXPECT_EQ(scan_toml("a = \"\"\"[[\n[[\"\"\"").deepest, 0);
}

}  // namespace
}  // namespace aisp::cli

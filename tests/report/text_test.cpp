// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/text.h"

#include <gtest/gtest.h>

namespace aisp::report {
namespace {

TEST(Text, ControlCharactersAreWrittenOut) {
  EXPECT_EQ(visible("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(visible("a\nb\tc\rd"), "a\\nb\\tc\\rd");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible("\x7f"), "\\x7f");
  EXPECT_EQ(visible("\xc2\x9b"), "\\u{9b}") << "the one-character form of ESC [";
}

TEST(Text, DirectionOverridesAndZeroWidthAreWrittenOut) {
  EXPECT_EQ(visible("a\u202eb"), "a\\u{202e}b");
  EXPECT_EQ(visible("a\u2066b\u200bc\ufeff"), "a\\u{2066}b\\u{200b}c\\u{feff}");
}

TEST(Text, BrokenUtf8IsWrittenOut) {
  EXPECT_EQ(visible("\xff"), "\\xff");
  EXPECT_EQ(visible("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "surrogate";
  EXPECT_EQ(visible("ab\xe2\x82"), "ab\\xe2\\x82") << "cut short";
}

TEST(Text, OrdinaryTextIsUnchanged) {
  EXPECT_EQ(visible("4.56 µs, naïve, 行列, 🚀"), "4.56 µs, naïve, 行列, 🚀");
}

TEST(Text, WidthsCountColumns) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("4.56 µs"), 7);
  EXPECT_EQ(display_width("行列"), 4);
  EXPECT_EQ(display_width("e\u0301"), 1);
  EXPECT_EQ(display_width("🚀"), 2);
}

TEST(Text, PadAndShorten) {
  EXPECT_EQ(pad("µs", 4, Align::left), "µs  ");
  EXPECT_EQ(pad("µs", 4, Align::right), "  µs");
  EXPECT_EQ(pad("longer", 4, Align::left), "longer");
  EXPECT_EQ(shorten("threads=1", 9), "threads=1");
  EXPECT_EQ(shorten("threads=1", 5), "thre…");
  EXPECT_EQ(shorten("行列行列", 4), "行…");
  EXPECT_EQ(shorten("x", 0), "");
}

TEST(Text, WrapBreaksAtSpacesAndNeverExceedsTheWidth) {
  EXPECT_EQ(wrap("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrap("", 10), std::vector<std::string>{});
  for (const int width : {1, 2, 3, 7, 20}) {
    std::size_t length = 0;
    for (const std::string& line : wrap("averyverylongword and 行列 and\\x1b more", width)) {
      EXPECT_LE(display_width(line), std::max(width, 2)) << line;
      length += line.size();
    }
    EXPECT_GT(length, 30u) << "nothing may be lost but spaces";
  }
}

}  // namespace
}  // namespace aisp::report

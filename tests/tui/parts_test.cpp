// SPDX-License-Identifier: Apache-2.0
// The parts that pages are made of: lines, bars, the live run, ASCII.
#include <gtest/gtest.h>

#include "aisp/report/text.h"
#include "aisp/tui/bar.h"
#include "aisp/tui/line.h"
#include "aisp/tui/live.h"
#include "aisp/tui/painter.h"

namespace aisp::tui {
namespace {

TEST(Line, IsCutOrFilledToItsWidth) {
  const Line line{{{"abc", Style::bad}, {"def"}}};
  EXPECT_EQ(plain_text({fitted(line, 8)}), "abcdef\n");
  EXPECT_EQ(width_of(fitted(line, 8)), 8);
  EXPECT_EQ(plain_text({fitted(line, 5)}), "abcd…\n");
  EXPECT_EQ(plain_text({fitted(line, 3)}), "ab…\n");
  EXPECT_EQ(plain_text({fitted(line, 1)}), "…\n");
  EXPECT_EQ(width_of(fitted(line, 0)), 0);
  EXPECT_EQ(width_of(fitted(line_of("日本語"), 4)), 4) << "wide characters count twice";
}

TEST(Line, TakesTheColoursOfReportsAndNoOtherEscape) {
  const Lines lines = from_painted("\x1b[31mbad\x1b[0m plain\n\x1b[1mhead\x1b[0m\n\x1b[2Jx\n");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[0].spans[0].style, Style::bad);
  EXPECT_EQ(lines[0].spans[1].style, Style::plain);
  EXPECT_EQ(lines[1].spans[0].style, Style::strong);
  EXPECT_EQ(plain_text(lines).find('\x1b'), std::string::npos);
}

TEST(Ascii, HasAsManyColumns) {
  for (const std::string text : {"4.56 µs ±1.1%", "├──●──┤", "日本", "–…│"}) {
    const std::string made = in_ascii(text);
    EXPECT_EQ(static_cast<int>(made.size()), report::display_width(text)) << text;
    for (const char c : made) EXPECT_LT(static_cast<unsigned char>(c), 0x80u);
  }
}

TEST(Bar, ShowsOneTheRatioAndItsInterval) {
  const Axis axis{.low = 0.5, .high = 2, .width = 21};
  EXPECT_EQ(axis.empty(), "··········│··········");
  EXPECT_EQ(axis.bar({1, 0.5, 2}), "├─────────●─────────┤");
  EXPECT_EQ(axis.bar({1.4142135, 1.4142135, 1.4142135}), "··········│····●·····");
  EXPECT_EQ(axis.bar({1, 0.1, 9}), "<─────────●─────────>") << "ends beyond the axis";
  EXPECT_EQ(axis.bar({0, 0, 0}), axis.empty());
}

TEST(Bar, AnUnboundedIntervalDoesNotSqueezeTheOthers) {
  const Axis axis = axis_of({{1.5, 1.4, 1.6}, {1.7, 0.0002, 2431}}, 40);
  EXPECT_LT(axis.high, 10);
  EXPECT_GT(axis.low, 0.1);
  EXPECT_EQ(report::display_width(axis.bar({1.7, 0.0002, 2431})), 40);
  EXPECT_EQ(axis.labels().size(), 40u);
  EXPECT_NE(axis.labels().find("1x"), std::string::npos);
}

report::ProgressEvent look(int number, double half_width) {
  report::ProgressEvent event;
  event.event = "look";
  event.look = number;
  event.share = 0.25 * number;
  event.variants.resize(1);
  event.variants[0].name = "tiled";
  event.variants[0].ratio = Estimate{2, 2 - 2 * half_width, 2 + 2 * half_width};
  return event;
}

TEST(LiveRun, RemembersHowTheIntervalNarrowed) {
  LiveRun live({"run", "x"});
  EXPECT_FALSE(live.seconds_left().has_value());
  live.take(report::progress_line(look(1, 0.1)));
  live.take(report::progress_line(look(2, 0.05)));
  live.seconds = 10;
  const auto widths = live.half_widths("tiled");
  ASSERT_EQ(widths.size(), 2u);
  EXPECT_NEAR(widths[0], 0.1, 1e-9);
  EXPECT_NEAR(widths[1], 0.05, 1e-9);
  ASSERT_TRUE(live.seconds_left().has_value());
  EXPECT_NEAR(*live.seconds_left(), 10, 1e-9) << "half of it is done";
  report::ProgressEvent next;
  next.event = "cell";
  live.take(report::progress_line(next));
  EXPECT_TRUE(live.half_widths("tiled").empty()) << "another cell begins anew";
  live.ended(1);
  EXPECT_FALSE(live.running());
  EXPECT_FALSE(live.seconds_left().has_value());
}

TEST(LiveRun, KeepsTheLastOfWhatItSays) {
  LiveRun live;
  live.take("\x1b[2Jbad");
  for (int i = 0; i < 200; ++i) live.take("line " + std::to_string(i));
  EXPECT_LE(live.log.size(), 50u);
  EXPECT_EQ(live.log.back(), "line 199");
  LiveRun other;
  other.take("\x1b[2Jbad");
  EXPECT_EQ(other.log.at(0), "\\x1b[2Jbad");
}

}  // namespace
}  // namespace aisp::tui

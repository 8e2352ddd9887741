// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/line_channel.h"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace aisp::harness {
namespace {

class LineChannelTest : public testing::Test {
 protected:
  LineChannelTest() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0); }
  ~LineChannelTest() override {
    for (const int end : ends) {
      if (end >= 0) ::close(end);
    }
  }
  void send_raw(std::string_view text) {
    ASSERT_EQ(::send(ends[1], text.data(), text.size(), 0), static_cast<ssize_t>(text.size()));
  }
  void hang_up() {
    ::close(ends[1]);
    ends[1] = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

TEST_F(LineChannelTest, ALineGoesThrough) {
  LineChannel here(ends[0]), there(ends[1]);
  EXPECT_TRUE(there.write_line(R"({"event":"done"})"));
  EXPECT_EQ(here.read_line(), R"({"event":"done"})");
}

TEST_F(LineChannelTest, PartsOfALineWaitForTheRest) {
  LineChannel here(ends[0]);
  send_raw("one, ");
  ASSERT_TRUE(here.fill());
  EXPECT_FALSE(here.take_line());
  send_raw("two\nthr");
  ASSERT_TRUE(here.fill());
  EXPECT_EQ(here.take_line(), "one, two");
  EXPECT_FALSE(here.take_line());
  send_raw("ee\n\n");
  ASSERT_TRUE(here.fill());
  EXPECT_EQ(here.take_line(), "three");
  EXPECT_EQ(here.take_line(), "");
  EXPECT_FALSE(here.take_line());
}

TEST_F(LineChannelTest, TheEndOfTheStreamIsNotALine) {
  LineChannel here(ends[0]);
  send_raw("no newline");
  hang_up();
  EXPECT_FALSE(here.read_line());
}

TEST_F(LineChannelTest, WritingToNobodyFailsAndRaisesNoSignal) {
  LineChannel here(ends[0]);
  hang_up();
  EXPECT_FALSE(here.write_line("hello"));
}

// A hostile peer that never ends its line must not fill the memory.
TEST_F(LineChannelTest, ALineWithoutEndIsGivenUp) {
  LineChannel here(ends[0]);
  std::thread flood([fd = ends[1]] {
    const std::string block(1 << 20, 'x');
    while (::send(fd, block.data(), block.size(), MSG_NOSIGNAL) > 0) {
    }
  });
  EXPECT_FALSE(here.read_line());
  shutdown(ends[0], SHUT_RDWR);
  flood.join();
}

TEST_F(LineChannelTest, LongLinesBelowTheLimitArrive) {
  const std::string line(1 << 20, 'y');
  std::thread writer([&] { LineChannel(ends[1]).write_line(line); });
  LineChannel here(ends[0]);
  EXPECT_EQ(here.read_line(), line);
  writer.join();
}

}  // namespace
}  // namespace aisp::harness

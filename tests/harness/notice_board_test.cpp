// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/notice_board.h"

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

namespace aisp::harness {
namespace {

TEST(NoticeBoard, StartsEmptyAndShowsTheLastNotice) {
  Result<NoticeBoard> board = NoticeBoard::make();
  ASSERT_TRUE(board);
  EXPECT_EQ(board->read().number, 0u);
  EXPECT_TRUE(board->post("naive"));
  EXPECT_TRUE(board->post("tiled"));
  EXPECT_EQ(board->read().text, "tiled");
  EXPECT_EQ(board->read().number, 2u);
  board->post("");
  EXPECT_EQ(board->read().text, "") << "the harness's own code runs";
}

TEST(NoticeBoard, ASecondLineSaysWhatKeepsIt) {
  EXPECT_EQ((Notice{.text = "tiled"}.who()), "tiled");
  EXPECT_EQ((Notice{.text = "tiled"}.what()), "");
  const Notice waiting{.text = still_on_device("tiled")};
  EXPECT_EQ(waiting.who(), "tiled");
  EXPECT_EQ(waiting.what(), "what it started on the device is still running");
}

TEST(NoticeBoard, KeepsTheFirstBytesOfALongNotice) {
  Result<NoticeBoard> board = NoticeBoard::make();
  ASSERT_TRUE(board);
  board->post(std::string(1000, 'v'));
  EXPECT_EQ(board->read().text, std::string(255, 'v'));
}

TEST(NoticeBoard, OutlivesTheProcessThatWrote) {
  Result<NoticeBoard> board = NoticeBoard::make();
  ASSERT_TRUE(board);
  const pid_t child = fork();
  if (child == 0) {
    NoticeBoard::attach(dup(board->fd())).post("crashing");
    abort();
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(board->read().text, "crashing");
}

TEST(NoticeBoard, CannotBeCutOffUnderItsReader) {
  Result<NoticeBoard> board = NoticeBoard::make();
  ASSERT_TRUE(board);
  board->post("tiled");
  EXPECT_EQ(ftruncate(board->fd(), 0), -1) << "reading would then be a SIGBUS";
  EXPECT_EQ(board->read().text, "tiled");
}

TEST(NoticeBoard, AnythingMayBeWrittenOnIt) {
  Result<NoticeBoard> board = NoticeBoard::make();
  ASSERT_TRUE(board);
  const std::string noise(263, '\xff');
  ASSERT_EQ(pwrite(board->fd(), noise.data(), noise.size(), 0), 263);
  EXPECT_EQ(board->read().text, std::string(255, '\xff')) << "the length is bounded by the page";
}

TEST(NoticeBoard, WithoutAPageNothingIsPosted) {
  NoticeBoard none = NoticeBoard::attach(-1);
  EXPECT_FALSE(none.post("x"));
  EXPECT_EQ(none.read().number, 0u);
}

}  // namespace
}  // namespace aisp::harness

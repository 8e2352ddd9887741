// SPDX-License-Identifier: Apache-2.0
// What a run writes, line by line: kept, taken by somebody else, cut where it is too long.
#include "aisp/server/job.h"

#include <condition_variable>

#include <gtest/gtest.h>

namespace aisp::server {
namespace {

/// What becomes of a program that a shell plays.
struct Played {
  Job job;
  std::vector<std::string> offered;
  int told = 0;  ///< how often the job was said to have changed
};

Played play(const std::string& script) {
  Played played;
  std::mutex mutex;
  std::condition_variable changed;
  JobControl jobs(
      "/bin/sh",
      [&](const Job& job) {
        const std::lock_guard lock(mutex);
        ++played.told;
        played.job = job;
        changed.notify_all();
      },
      [&](const std::string& line) {
        played.offered.push_back(line.substr(0, 20));
        return line.starts_with("took ");
      });
  EXPECT_TRUE(jobs.start({"-c", script}));
  std::unique_lock lock(mutex);
  EXPECT_TRUE(
      changed.wait_for(lock, std::chrono::seconds(60), [&] { return played.job.state == "finished"; }));
  lock.unlock();
  return played;
}

TEST(JobLines, AreKeptUnlessTheyAreTaken) {
  const Played played = play("echo one; echo took this >&2; echo two; printf three");
  EXPECT_EQ(played.job.lines, (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(played.offered, (std::vector<std::string>{"one", "took this", "two", "three"}));
  EXPECT_EQ(played.job.exit_code, 0);
}

TEST(JobLines, ThatAreTakenChangeNoJob) {
  const Played played = play("for i in 1 2 3 4 5; do echo took $i; sleep 0.25; done");
  EXPECT_EQ(played.offered.size(), 5u);
  EXPECT_TRUE(played.job.lines.empty());
  EXPECT_EQ(played.told, 2) << "its beginning and its end";
}

TEST(JobLines, OneThatIsTooLongIsCutAndOfferedToNobody) {
  const Played played = play(
      "printf 'took '; head -c 65531 /dev/zero | tr '\\0' a; echo; "
      "printf 'took '; head -c 65532 /dev/zero | tr '\\0' b; echo; "
      "head -c 5000000 /dev/zero | tr '\\0' c; echo; echo last");
  EXPECT_EQ(played.offered, (std::vector<std::string>{"took aaaaaaaaaaaaaaa", "last"}));
  ASSERT_EQ(played.job.lines.size(), 3u);
  EXPECT_EQ(played.job.lines[0], "took " + std::string(kJobLineBytes - 5, 'b'));
  EXPECT_EQ(played.job.lines[1], std::string(kJobLineBytes, 'c'));
  EXPECT_EQ(played.job.lines[2], "last");
}

}  // namespace
}  // namespace aisp::server

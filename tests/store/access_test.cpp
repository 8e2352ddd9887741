// SPDX-License-Identifier: Apache-2.0
// Who may write, and what still works when nobody may. Root may always: these run as an ordinary user.
#include <gtest/gtest.h>

#include <csignal>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "tests/sanitized.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

/// The code of the error, or 0.
int opened_for_writing(const std::filesystem::path& file) {
  const Result<Store> store = Store::open(file, Access::read_write);
  return store ? 0 : static_cast<int>(store.error().code);
}

int loads(const std::filesystem::path& file, const std::string& run) {
  Result<Store> store = Store::open(file, Access::read_only);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message.c_str());
    return static_cast<int>(store.error().code);
  }
  const Result<RunRecord> found = store->load(run);
  if (!found) std::fprintf(stderr, "%s\n", found.error().message.c_str());
  return found ? 0 : 1;
}

class Permissions : public testing::Test {
 protected:
  Permissions() { fill_store(directory_.file(), 1); }
  void allow(int file, int directory) {
    ::chmod(directory_.file().c_str(), file);
    ::chmod(directory_.path().c_str(), directory);
  }
  TemporaryDirectory directory_;
};

TEST_F(Permissions, AReadOnlyFileIsReadAndNotWritten) {
  allow(0444, 0777);
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return opened_for_writing(directory_.file()); }), 7));
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return loads(directory_.file(), "r0"); }), 0));
}

TEST_F(Permissions, AReadOnlyDirectoryIsReadAndNotWritten) {
  allow(0666, 0555);
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return opened_for_writing(directory_.file()); }), 7));
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return loads(directory_.file(), "r0"); }), 0));
  allow(0444, 0555);
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return loads(directory_.file(), "r0"); }), 0));
  EXPECT_EQ(directory_.names(), std::vector<std::string>{"results.db"});
}

TEST_F(Permissions, EventsInALogOnReadOnlyMediaAreRead) {
  const int status = in_child([&] {
    Store store = open_store(directory_.file());
    (void)store.run_started(example_run("late"));
    ::kill(::getpid(), SIGKILL);
    return 0;
  });
  ASSERT_TRUE(killed(status));
  std::filesystem::remove(directory_.file().string() + "-shm");
  ::chmod((directory_.file().string() + "-wal").c_str(), 0444);
  allow(0444, 0555);
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return loads(directory_.file(), "late"); }), 0));
  EXPECT_EQ(directory_.names().size(), 2u);
}

TEST_F(Permissions, AnUnreadableFileIsAnError) {
  allow(0000, 0777);
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return opened_for_writing(directory_.file()); }), 7));
  EXPECT_TRUE(returned(in_unprivileged_child([&] { return loads(directory_.file(), "r0"); }), 7));
  EXPECT_EQ(directory_.names(), std::vector<std::string>{"results.db"})
      << "what cannot be read is not damaged";
}

TEST_F(Permissions, AStoreInAForbiddenPlaceFailsBeforeTheRun) {
  allow(0600, 0555);
  EXPECT_TRUE(
      returned(in_unprivileged_child([&] { return opened_for_writing(directory_.path() / "new.db"); }), 7));
  EXPECT_TRUE(returned(
      in_unprivileged_child([&] { return opened_for_writing(directory_.path() / "a/b/new.db"); }), 7));
}

TEST_F(Permissions, AFewDescriptorsAreEnough) {
  const int status = in_child([&] {
    const rlimit few{16, 16};
    ::setrlimit(RLIMIT_NOFILE, &few);
    Store store = open_store(directory_.file());
    return store.run_started(example_run("x")) && store.load("x") && !check_chain(store)->broken ? 0 : 1;
  });
  EXPECT_TRUE(returned(status, 0));
}

TEST_F(Permissions, WithoutDescriptorsTheErrorIsClear) {
  SKIP_WHEN_SANITIZED("it needs descriptors itself");
  const int status = in_child([&] {
    const rlimit none{3, 3};
    ::setrlimit(RLIMIT_NOFILE, &none);
    const Result<Store> store = Store::open(directory_.file(), Access::read_write);
    return !store && store.error().code == ErrorCode::io ? 0 : 1;
  });
  EXPECT_TRUE(returned(status, 0));
  EXPECT_EQ(directory_.names(), std::vector<std::string>{"results.db"}) << "no descriptor is no damage";
}

}  // namespace
}  // namespace aisp::store::test

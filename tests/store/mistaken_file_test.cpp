// SPDX-License-Identifier: Apache-2.0
// A file that somebody named by mistake is not a damaged store: it stays where it is, as it is.
#include <gtest/gtest.h>

#include <random>

#include "aisp/store/recover.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

std::string noise() {
  std::mt19937 random(7);
  std::string bytes(70000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random());
  return bytes;
}

TEST(Recover, SomebodysNotesAreLeftAlone) {
  for (const std::string& text :
       {std::string("xy"), std::string("my notes\n\tof today, \xc3\xa9\n"), std::string(70000, 'n')}) {
    const TemporaryDirectory directory;
    write_file(directory.file(), text);
    for (const Access access : {Access::read_only, Access::read_write}) {
      const Result<Store> opened = Store::open(directory.file(), access);
      ASSERT_FALSE(opened);
      EXPECT_EQ(opened.error().code, ErrorCode::store);
      EXPECT_NE(opened.error().message.find("is a text"), std::string::npos) << opened.error().message;
    }
    EXPECT_EQ(directory.names().size(), 1u);
    EXPECT_EQ(read_file(directory.file()), text);
  }
}

TEST(Recover, AnotherProgramsDatabaseIsLeftAlone) {
  const TemporaryDirectory directory;
  sql(directory.file(), "CREATE TABLE theirs(x); INSERT INTO theirs VALUES (1)");
  const std::string bytes = read_file(directory.file());
  const Result<Store> store = Store::open(directory.file(), Access::read_write);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, ErrorCode::store);
  EXPECT_NE(store.error().message.find("another program"), std::string::npos);
  EXPECT_EQ(directory.names(), std::vector<std::string>{"results.db"});
  EXPECT_EQ(read_file(directory.file()), bytes);
}

TEST(Recover, AFileThatWasNeverAStoreIsLeftAlone) {
  // A program holds the words of a store, aisp's own for one; no page of them is one of SQLite's.
  const std::string program =
      "\x7f"
      "ELF\2\1\1" +
      noise() + "run_started cell_started cell_finished" + noise();
  for (const std::string& content : {std::string(1, '\1'), "\x89PNG\r\n" + noise(), noise().substr(0, 4096),
                                     std::string(8192, '\0'), program}) {
    const TemporaryDirectory directory;
    write_file(directory.file(), content);
    for (const Access access : {Access::read_only, Access::read_write, Access::read_write}) {
      const Result<Store> opened = Store::open(directory.file(), access);
      ASSERT_FALSE(opened) << content.size();
      EXPECT_EQ(opened.error().code, ErrorCode::store);
      EXPECT_NE(opened.error().message.find("is not a store of results"), std::string::npos)
          << opened.error().message;
    }
    EXPECT_EQ(directory.names(), std::vector<std::string>{"results.db"});
    EXPECT_EQ(read_file(directory.file()), content);
  }
}

TEST(Recover, AnEmptyFileBecomesAStore) {
  const TemporaryDirectory directory;
  write_file(directory.file(), "");
  const Result<Store> reader = Store::open(directory.file(), Access::read_only);
  ASSERT_FALSE(reader);
  EXPECT_EQ(reader.error().code, ErrorCode::store);
  EXPECT_NE(reader.error().hint.find("makes it a store"), std::string::npos) << reader.error().hint;
  {
    Result<Store> store = Store::open(directory.file(), Access::read_write);
    ASSERT_TRUE(store) << store.error().message;
    EXPECT_TRUE(store->run_started(example_run("first")));
  }
  EXPECT_EQ(directory.names(), std::vector<std::string>{"results.db"}) << "nothing is kept aside";
}

}  // namespace
}  // namespace aisp::store::test

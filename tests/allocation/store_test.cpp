// SPDX-License-Identifier: Apache-2.0
// Memory that is refused anywhere in the store: an error or std::bad_alloc, and the file is as sound as
// before.
#include <gtest/gtest.h>

#include "aisp/store/chain.h"
#include "tests/allocation/failing_memory.h"
#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

using allocation::kDone;
using allocation::kRefused;
using allocation::kWrong;
using allocation::Memory;
using allocation::Sweep;

class StoreWithoutMemory : public ::testing::TestWithParam<Memory> {
 protected:
  static void SetUpTestSuite() { allocation::prepare_sqlite(); }

  static void expect_sound(const std::filesystem::path& file, const std::vector<std::string>& acknowledged) {
    Result<Store> store = Store::open(file, Access::read_write);  // imports what went to the journal
    ASSERT_TRUE(store) << store.error().message;
    const Result<ChainReport> chain = check_chain(*store);
    ASSERT_TRUE(chain && !chain->broken);
    for (const std::string& id : acknowledged) {
      const Result<RunRecord> run = store->load(id);
      ASSERT_TRUE(run) << id << ": " << run.error().message;
      EXPECT_EQ(run->cells.size(), 1u) << id;
    }
    for (const auto& entry : std::filesystem::directory_iterator(file.parent_path()))
      EXPECT_EQ(entry.path().string().find("damaged"), std::string::npos) << "want of memory is no damage";
  }
};

TEST_P(StoreWithoutMemory, AppendsWholeResultsOrNone) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  const Sweep sweep = allocation::sweep_allocations(GetParam(), 3, [&](long n) {
    allocation::stop_failing();
    const std::string id = "a" + std::to_string(n);
    Result<Store> store = Store::open(directory.file(), Access::read_write);
    const CellResult cell = example_cell(1, 2);
    if (!store || !store->run_started(example_run(id))) return kWrong;
    allocation::start_here();
    return store->cell_finished(id, cell) ? kDone : kRefused;
  });
  EXPECT_EQ(sweep.wrong, "");
  EXPECT_GT(sweep.failures, 20);
  std::vector<std::string> acknowledged;
  for (const long n : sweep.done) acknowledged.push_back("a" + std::to_string(n));
  expect_sound(directory.file(), acknowledged);
}

TEST_P(StoreWithoutMemory, OpensOrRefuses) {
  const TemporaryDirectory directory;
  fill_store(directory.file(), 1);
  const long stride = GetParam() == Memory::cpp ? 7 : 37;
  const Sweep sweep = allocation::sweep_allocations(GetParam(), stride, [&](long) {
    return Store::open(directory.file(), Access::read_write) ? kDone : kRefused;
  });
  EXPECT_EQ(sweep.wrong, "");
  EXPECT_GT(sweep.failures, 20);
  expect_sound(directory.file(), {});
}

TEST_P(StoreWithoutMemory, IsCreatedWholeOrByTheNext) {
  const TemporaryDirectory directory;
  const auto file_of = [&](long n) { return directory.path() / std::to_string(n) / "results.db"; };
  const long stride = GetParam() == Memory::cpp ? 41 : 37;
  const Sweep sweep = allocation::sweep_allocations(GetParam(), stride, [&](long n) {
    return Store::open(file_of(n), Access::read_write) ? kDone : kRefused;
  });
  EXPECT_EQ(sweep.wrong, "");
  EXPECT_GT(sweep.failures, 3);
  for (const auto& tried : std::filesystem::directory_iterator(directory.path()))
    expect_sound(tried.path() / "results.db", {});
}

TEST_P(StoreWithoutMemory, ReadsTheTruthOrNothing) {
  const TemporaryDirectory directory;
  const std::vector<std::string> stored = fill_store(directory.file(), 1);
  const long stride = GetParam() == Memory::cpp ? 53 : 1;
  const Sweep sweep = allocation::sweep_allocations(GetParam(), stride, [&](long) {
    allocation::stop_failing();
    Result<Store> store = Store::open(directory.file(), Access::read_only);
    if (!store) return kWrong;
    allocation::start_here();
    const Result<RunRecord> run = store->load("r0");
    if (!run) return kRefused;
    allocation::stop_failing();
    return text_of(*run) == stored.front() ? kDone : kWrong;
  });
  EXPECT_EQ(sweep.wrong, "");
  EXPECT_GT(sweep.failures, 10);
  expect_sound(directory.file(), {});
}

INSTANTIATE_TEST_SUITE_P(Every, StoreWithoutMemory, ::testing::Values(Memory::cpp, Memory::sqlite),
                         [](const auto& test) { return test.param == Memory::cpp ? "cpp" : "sqlite"; });

}  // namespace
}  // namespace aisp::store::test

// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/writable.h"

#include <gtest/gtest.h>

#include <sched.h>
#include <sys/mount.h>

#include "tests/store/fixture.h"

namespace aisp::store::test {
namespace {

constexpr int kNotAllowed = 125;

/// Expectations in a child are only seen in its status, so each has a number of its own.
TEST(Writable, ANearlyFullDiskIsToldInNumbersAndPruningOnlyWhereThereAreRuns) {
  const TemporaryDirectory directory;
  const int status = in_child([&] {
    if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount("none", directory.path().c_str(), "tmpfs", 0, "size=600k") != 0)
      return kNotAllowed;
    const auto says = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
    const Result<Store> empty = Store::open(directory.file(), Access::read_write);
    if (empty || empty.error().code != ErrorCode::io) return 1;
    if (!says(empty.error().message, " KiB are free, and a run needs 8 MiB")) return 2;
    if (says(empty.error().hint, "prune")) return 3;
    if (!says(empty.error().hint, "--store")) return 4;
    if (!open_store(directory.file(), {.to_free_space = true}).run_started(example_run("first"))) return 5;
    const Result<Store> full = Store::open(directory.file(), Access::read_write);
    if (full || !says(full.error().hint, "aisp store prune")) return 6;
    return 0;
  });
  if (returned(status, kNotAllowed)) GTEST_SKIP() << "mount namespaces are not allowed here";
  EXPECT_TRUE(returned(status, 0)) << "expectation " << (status >> 8);
}

}  // namespace
}  // namespace aisp::store::test

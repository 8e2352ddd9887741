// SPDX-License-Identifier: Apache-2.0
// Savings of memory as the summary and the list of workloads tell them.
#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

// 8 KiB instead of 100 are pages that equal runs differ by as well; 1 MB instead of 4 is a saving.
TEST(MemoryRoutes, PagesAreNoSaving) {
  Asking asking;
  const auto saved = [&](const std::string& run, double naive, double online) {
    CellResult cell = aisp::store::test::cell_of("ch09/softmax", "n=8", {{"naive", 90}, {"online", 30}});
    cell.variants[0].memory.peak_bytes = naive;
    cell.variants[1].memory.peak_bytes = online;
    asking.keep(run, {cell});
    return asking.json("/api/v1/summary")["memory"].size();
  };
  const auto listed = [&] {
    const Json list = asking.json("/api/v1/benchmarks");
    for (const Json& workload : list["workloads"])
      if (!workload["peak_mb"].is_null()) return workload["peak_mb"].get<double>();
    return 0.0;
  };
  EXPECT_EQ(saved("20261115-120000-cccc", 102400, 8192), 0u);
  EXPECT_DOUBLE_EQ(listed(), 0.1024) << "the first of those that hold the same";
  EXPECT_EQ(saved("20261115-130000-dddd", 4e6, 1e6), 1u);
  EXPECT_DOUBLE_EQ(listed(), 1);
}

}  // namespace
}  // namespace aisp::server::test

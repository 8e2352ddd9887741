// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/held_out.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace aisp::harness {
namespace {

std::vector<Params> sizes(const std::vector<std::int64_t>& values) {
  std::vector<Params> all;
  for (const std::int64_t n : values) all.push_back({{"n", n}});
  return all;
}

WorkloadInfo listing(const std::vector<std::int64_t>& values) {
  WorkloadInfo workload;
  workload.axes = {{.name = "n", .values = values}};
  return workload;
}

TEST(HeldOut, TheFirstAndLastListedAndOneThatNobodyListed) {
  const WorkloadInfo workload = listing({100, 200, 300, 400});
  const Params tuned{{"n", 200}};
  std::set<std::int64_t> drawn;
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    const auto held_out = held_out_sizes(workload, tuned, {tuned}, sizes({100, 200, 300, 400}), stream);
    ASSERT_EQ(held_out.size(), 3u);
    EXPECT_EQ(held_out[0].text(), "n=100");
    EXPECT_EQ(held_out[1].text(), "n=400");
    EXPECT_GE(held_out[2]["n"], 100);
    EXPECT_LE(held_out[2]["n"], 400);
    drawn.insert(held_out[2]["n"]);
  }
  EXPECT_GT(drawn.size(), 20u) << "it cannot be known before";
  for (const std::int64_t known : {100, 200, 300, 400}) EXPECT_FALSE(drawn.contains(known));
}

TEST(HeldOut, NoSizeThatSomethingWasTunedOn) {
  const auto all = sizes({100, 200, 300});
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    for (const Params& size : held_out_sizes(listing({100, 200, 300}), all[0], all, all, stream))
      EXPECT_EQ(std::ranges::count(all, size), 0);
  }
}

TEST(HeldOut, WhereOneSizeIsListedItsSurroundingsHaveTo) {
  const Params tuned{{"n", 1000}};
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    const auto held_out = held_out_sizes(listing({1000}), tuned, {tuned}, {tuned}, stream);
    ASSERT_EQ(held_out.size(), 1u);
    EXPECT_GE(held_out[0]["n"], 500);
    EXPECT_LE(held_out[0]["n"], 2000);
  }
}

TEST(HeldOut, ThreadsAndWhatAnAxisForbidsStay) {
  WorkloadInfo workload = listing({64});
  workload.axes[0].least = 64;
  workload.axes[0].most = 65;
  workload.axes.push_back({.name = "threads", .values = {1, 2}});
  const Params tuned{{"n", 64}, {"threads", 2}};
  for (std::uint64_t stream = 0; stream < 50; ++stream) {
    for (const Params& size : held_out_sizes(workload, tuned, {tuned}, {tuned}, stream))
      EXPECT_EQ(size.text(), "n=65 threads=2");
  }
  workload.axes[0].most = 64;
  EXPECT_TRUE(held_out_sizes(workload, tuned, {tuned}, {tuned}, 1).empty());
}

}  // namespace
}  // namespace aisp::harness

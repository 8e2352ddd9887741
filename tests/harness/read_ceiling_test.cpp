// SPDX-License-Identifier: Apache-2.0
// Reading as a ceiling: what is read, and that it stands in the same rounds as the variants.
#include "aisp/harness/read_ceiling.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "aisp/harness/sampler.h"
#include "example.h"

namespace aisp::harness {
namespace {

constexpr std::int64_t kFloats = (1 << 18) + 100;  // a megabyte, and a part of a block

Workload reading(Traffic traffic) {
  static Traffic kind;
  kind = traffic;
  Workload workload = example("test/reading", {{"base", honest}, {"same", honest}});
  workload.axes = {{"n", {kFloats}}};
  workload.problem = [](const Params& p) {
    Problem problem = example_problem(p);
    problem.work.traffic = kind;
    return problem;
  };
  return workload;
}

TEST(ReadCeiling, CountsWholeBlocksOfInputsOnly) {
  const Problem problem = example_problem(cell_of(reading(Traffic::read)).sizes());
  const Params params = cell_of(reading(Traffic::read)).sizes();
  const TensorSet set(problem, params, false);
  EXPECT_EQ(ReadCeiling::bytes_of(set), 1 << 20);
}

TEST(ReadCeiling, LongerTensorsTakeLonger) {
  std::vector<std::unique_ptr<TensorSet>> one, many;
  const Params params = cell_of(reading(Traffic::read)).sizes();
  const Problem problem = example_problem(params);
  one.push_back(std::make_unique<TensorSet>(problem, params, false));
  for (int i = 0; i < 16; ++i) many.push_back(std::make_unique<TensorSet>(problem, params, false));
  for (auto* sets : {&one, &many}) {
    for (const auto& set : *sets) set->draw(Seed::draw(), 0, 0);
  }
  device::PinnedTeam team(2, {.pin_caller = false});
  ReadCeiling ceiling(team);
  ceiling.choose(one);
  EXPECT_FALSE(ceiling.name().empty());
  double least_one = HUGE_VAL, least_many = HUGE_VAL;
  for (int i = 0; i < 20; ++i) {
    least_one = std::min(least_one, ceiling.run(one));
    least_many = std::min(least_many, ceiling.run(many));
  }
  // Not 16 times: what is read from memory slows down less beside others than what is read from a cache.
  EXPECT_GT(least_many, 2 * least_one) << "sixteen times the bytes";
}

TEST(ReadCeiling, IsSampledOnceInEveryRoundOfWorkBoundByReading) {
  const Workload workload = reading(Traffic::read);
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler) << sampler.error().message;
  EXPECT_EQ((*sampler)->opened().paired_bytes, 1 << 20);
  EXPECT_NE((*sampler)->opened().paired_ceiling.find("read ("), std::string::npos);
  for (int i = 0; i < 3; ++i) {
    const RoundReport round = (*sampler)->round(i);
    EXPECT_EQ(std::ranges::count(round.slots, "", &SlotReport::variant), 1);
    EXPECT_EQ(round.slots.size(), 4u) << "two variants, the first again, and the ceiling";
    for (const SlotReport& slot : round.slots) EXPECT_GT(slot.ns, 0);
  }
}

TEST(ReadCeiling, OtherTrafficHasNone) {
  const Workload workload = reading(Traffic::copy);
  auto sampler = Sampler::open(workload, cell_of(workload), [](const std::string&) {});
  ASSERT_TRUE(sampler) << sampler.error().message;
  EXPECT_TRUE((*sampler)->opened().paired_ceiling.empty());
  EXPECT_EQ((*sampler)->round(0).slots.size(), 3u);
}

}  // namespace
}  // namespace aisp::harness

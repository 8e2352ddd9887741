// SPDX-License-Identifier: Apache-2.0
// The arithmetic of sizing against figures worked out by hand, and what it refuses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "aisp/analysis/cluster_size.h"
#include "aisp/analysis/cost_per_token.h"
#include "aisp/analysis/kv_cache.h"

namespace aisp::analysis {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

KvCacheShape grouped() {
  return {.layers = 80, .kv_heads = 8, .head_size = 128, .tokens = 4096, .batch = 4, .bits = 16};
}

TEST(KvCache, GroupedQueries) {
  const auto cache = kv_cache(grouped());
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->bytes_per_token, 2 * 8 * 128 * 80 * 2);
  EXPECT_EQ(cache->bytes, 327680LL * 4096 * 4);
  EXPECT_EQ(cache->allocated, cache->bytes) << "not paged";
  EXPECT_EQ(cache->overhead, 0);
}

TEST(KvCache, ALatentVectorIsKeptOnce) {
  const auto cache = kv_cache({.layers = 61, .latent = 512, .rope = 64, .tokens = 10});
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->bytes_per_token, (512 + 64) * 2 * 61);
}

TEST(KvCache, FourBitsHaveScalesAndRoundUp) {
  KvCacheShape shape = grouped();
  shape.bits = 4;
  shape.scale_block = 16;
  EXPECT_EQ(kv_cache(shape)->bytes_per_vector, 64 + 8);
  shape.head_size = 33;
  EXPECT_EQ(kv_cache(shape)->bytes_per_vector, 17 + 3);
}

TEST(KvCache, PagesAreWholeAndHaveATable) {
  KvCacheShape shape{
      .layers = 1, .kv_heads = 1, .head_size = 1, .tokens = 17, .batch = 3, .bits = 8, .page_tokens = 16};
  const auto cache = kv_cache(shape);
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->pages_per_sequence, 2);
  EXPECT_EQ(cache->allocated, (2 * 32 + 2 * 4) * 3);
  EXPECT_NEAR(cache->overhead, 216.0 / 102 - 1, 1e-12);
}

TEST(KvCache, RefusesWhatMakesNoSense) {
  for (const auto& alter : std::vector<void (*)(KvCacheShape&)>{
           [](KvCacheShape& s) { s.layers = 0; }, [](KvCacheShape& s) { s.kv_heads = 0; },
           [](KvCacheShape& s) { s.head_size = -1; }, [](KvCacheShape& s) { s.tokens = 0; },
           [](KvCacheShape& s) { s.batch = 0; }, [](KvCacheShape& s) { s.bits = 0; },
           [](KvCacheShape& s) { s.scale_block = -1; }, [](KvCacheShape& s) { s.page_tokens = -1; },
           [](KvCacheShape& s) { s.latent = 512; }, [](KvCacheShape& s) { s.rope = 64; },
           [](KvCacheShape& s) { s.layers = s.tokens = 1LL << 40; },
           [](KvCacheShape& s) { s.page_tokens = std::numeric_limits<std::int64_t>::max(); }}) {
    KvCacheShape shape = grouped();
    alter(shape);
    const auto cache = kv_cache(shape);
    ASSERT_FALSE(cache);
    EXPECT_EQ(cache.error().code, ErrorCode::bad_input);
    EXPECT_NE(cache.error().message, "");
  }
}

ServingCosts served() { return {.watts = 1000, .tokens_per_second = 1000, .price_per_kwh = 0.36}; }

TEST(CostPerToken, OfElectricityAlone) {
  // A million tokens take 1000 s at 1 kW: 1 MJ, 1 / 3.6 kWh, a tenth of the currency.
  const auto cost = cost_per_token(served());
  ASSERT_TRUE(cost);
  EXPECT_NEAR(cost->kwh, 1 / 3.6, 1e-12);
  EXPECT_NEAR(cost->total, 0.1, 1e-12);
}

TEST(CostPerToken, IdleTimeCostsPowerHardwareAndHours) {
  ServingCosts costs = served();
  costs.utilisation = 0.5;
  costs.idle_watts = 200;
  costs.facility = 1.5;
  costs.hardware_price = kSecondsPerYear;  // one unit of money a second over a year
  costs.years = 1;
  costs.hourly = 3.6;
  const auto cost = cost_per_token(costs);
  ASSERT_TRUE(cost);
  EXPECT_NEAR(cost->electricity, (1000 + 200) * 1000 * 1.5 / 3.6e6 * 0.36, 1e-12);
  EXPECT_NEAR(cost->amortisation, 2000, 1e-9);
  EXPECT_NEAR(cost->hourly, 2, 1e-12);
  EXPECT_NEAR(cost->total, cost->electricity + 2002, 1e-9);
}

TEST(CostPerToken, RefusesWhatMakesNoSense) {
  for (const double bad : {0.0, -1.0, kNaN, kInfinity}) {
    for (double ServingCosts::* field : {&ServingCosts::watts, &ServingCosts::tokens_per_second,
                                         &ServingCosts::utilisation, &ServingCosts::facility}) {
      ServingCosts costs = served();
      costs.*field = bad;
      EXPECT_FALSE(cost_per_token(costs));
    }
  }
  for (double ServingCosts::* field : {&ServingCosts::price_per_kwh, &ServingCosts::idle_watts,
                                       &ServingCosts::hardware_price, &ServingCosts::hourly}) {
    for (const double bad : {-1.0, kNaN, kInfinity}) {
      ServingCosts costs = served();
      costs.*field = bad;
      EXPECT_FALSE(cost_per_token(costs));
    }
  }
  ServingCosts costs = served();
  costs.utilisation = 1.1;
  EXPECT_FALSE(cost_per_token(costs));
  costs = served();
  costs.hardware_price = 1;
  EXPECT_FALSE(cost_per_token(costs)) << "over how many years?";
  costs = served();
  costs.tokens_per_second = 1e-308;
  EXPECT_FALSE(cost_per_token(costs)) << "beyond all numbers";
}

/// Round numbers: a GPU of 100 bytes that moves 100 bytes and computes 1000 flops a second, all of it used.
ServingPlan small_plan() {
  return {.parameters = 40,
          .weight_bits = 8,
          .kv_bytes = 1,
          .prompt_tokens = 4,
          .output_tokens = 2,
          .requests_per_second = 1,
          .first_token_s = 10,
          .token_s = 1.3,
          .memory_bytes = 100,
          .bytes_per_second = 100,
          .flops = 1000,
          .memory_share = 1,
          .bandwidth_share = 1,
          .flops_share = 1,
          .doubling_share = 1,
          .busy_share = 0.5,
          .most_per_group = 1};
}

TEST(ClusterSize, ByHand) {
  const auto size = cluster_size(small_plan());
  ASSERT_TRUE(size) << size.error().message;
  const GroupPlan& group = size->best();
  EXPECT_EQ(group.by_memory, 10) << "(100 - 40) / (4 + 2)";
  EXPECT_DOUBLE_EQ(group.prompt_s, 2 * 40 * 4 / 1000.0);
  EXPECT_DOUBLE_EQ(group.first_token_s, 0.32 * 1.5);
  // Between tokens: (40 + 5 r) / 100 + r * 0.32 / 2 = 0.4 + 0.21 r, at most 1.3 for 4 requests.
  EXPECT_EQ(group.requests, 4);
  EXPECT_DOUBLE_EQ(group.token_s, 1.24);
  EXPECT_DOUBLE_EQ(group.requests_per_second, 4 / (2 * 1.24));
  EXPECT_EQ(group.gpus, 2) << "1 / (0.5 * 1.61) is 1.24";
}

TEST(ClusterSize, AStepTakesAsLongAsItsArithmeticWhereThatIsLonger) {
  ServingPlan plan = small_plan();
  plan.bytes_per_second = 1e9;
  const auto size = cluster_size(plan);
  ASSERT_TRUE(size);
  EXPECT_DOUBLE_EQ(size->best().step_s, 2 * 40 * size->best().requests / 1000);
}

TEST(ClusterSize, AMixtureOfExpertsReadsWhatItsRequestsNeed) {
  ServingPlan plan = small_plan();
  plan.active = 4;
  plan.token_s = 0.14;  // (4 + 5) / 100 + 0.032 / 2 = 0.106 for one, 0.212 for two
  const auto size = cluster_size(plan);
  ASSERT_TRUE(size) << size.error().message;
  EXPECT_EQ(size->best().requests, 1);
  EXPECT_DOUBLE_EQ(size->best().step_s, 0.09);
}

TEST(ClusterSize, TakesTheGroupWithTheFewestGpus) {
  ServingPlan plan = small_plan();
  plan.most_per_group = 8;
  plan.requests_per_second = 100;
  const auto size = cluster_size(plan);
  ASSERT_TRUE(size);
  EXPECT_EQ(size->tried.size(), 4u);
  for (const GroupPlan& tried : size->tried)
    EXPECT_TRUE(!tried.why_not.empty() || tried.gpus >= size->best().gpus);
}

TEST(ClusterSize, SaysWhatStandsInTheWay) {
  const auto reason = [](void (*alter)(ServingPlan&)) {
    ServingPlan plan = small_plan();
    alter(plan);
    const auto size = cluster_size(plan);
    EXPECT_FALSE(size);
    return size ? "" : size.error().message;
  };
  EXPECT_NE(reason([](ServingPlan& p) { p.parameters = 101; }).find("the weights do not fit"),
            std::string::npos);
  EXPECT_NE(reason([](ServingPlan& p) { p.kv_bytes = 11; }).find("not one request fits"), std::string::npos);
  EXPECT_NE(reason([](ServingPlan& p) { p.first_token_s = 0.4; }).find("first token"), std::string::npos);
  EXPECT_NE(reason([](ServingPlan& p) { p.token_s = 0.6; }).find("too slowly"), std::string::npos);
  EXPECT_NE(reason([](ServingPlan& p) { p.requests_per_second = 1e300; }).find("10^15"), std::string::npos);
}

TEST(ClusterSize, RefusesWhatMakesNoSense) {
  for (const double bad : {0.0, -1.0, kNaN, kInfinity}) {
    for (double ServingPlan::* field :
         {&ServingPlan::parameters, &ServingPlan::weight_bits, &ServingPlan::kv_bytes,
          &ServingPlan::prompt_tokens, &ServingPlan::output_tokens, &ServingPlan::requests_per_second,
          &ServingPlan::first_token_s, &ServingPlan::token_s, &ServingPlan::memory_bytes,
          &ServingPlan::bytes_per_second, &ServingPlan::flops, &ServingPlan::memory_share,
          &ServingPlan::bandwidth_share, &ServingPlan::flops_share, &ServingPlan::doubling_share,
          &ServingPlan::busy_share}) {
      ServingPlan plan = small_plan();
      plan.*field = bad;
      EXPECT_FALSE(cluster_size(plan));
    }
  }
  ServingPlan plan = small_plan();
  plan.active = 41;
  EXPECT_FALSE(cluster_size(plan)) << "more than all";
  plan = small_plan();
  plan.busy_share = 1;
  EXPECT_FALSE(cluster_size(plan)) << "its queue never ends";
}

}  // namespace
}  // namespace aisp::analysis

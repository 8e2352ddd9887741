// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/cost.h"

#include <gtest/gtest.h>

#include "aisp/analysis/power.h"
#include "tests/analysis/made_up.h"

namespace aisp::analysis {
namespace {

CostQuestion with(const std::vector<std::string>& own = {}) {
  return {.prices = *price_table(own), .bandwidth = [](const std::string& name) -> std::optional<double> {
            if (contains_word(name, "H200")) return 4.8e12;
            if (contains_word(name, "H100")) return 3.2e12;
            return std::nullopt;
          }};
}

/// 3.6 ms and 1.8 ms a call of 1000 items, on a machine called NVIDIA H200.
std::vector<Figure> two() {
  auto figures = contest("n=1", {{"base", 3.6e6}, {"fast", 1.8e6}});
  for (Figure& figure : figures) figure.items = 1000;
  return figures;
}

TEST(Prices, DefaultsAndOnesOwn) {
  const auto defaults = *price_table({});
  EXPECT_EQ(price_of("NVIDIA B200", defaults)->dollars_per_hour, 5.00);
  EXPECT_EQ(price_of("NVIDIA H100 80GB HBM3", defaults)->dollars_per_hour, 3.50);
  EXPECT_EQ(price_of("NVIDIA A100-SXM4-80GB", defaults)->dollars_per_hour, 2.00);
  EXPECT_EQ(price_of("NVIDIA L40S", defaults)->dollars_per_hour, 1.50);
  EXPECT_EQ(price_of("NVIDIA A10G", defaults)->dollars_per_hour, 1.00);
  EXPECT_EQ(price_of("Tesla T4", defaults)->dollars_per_hour, 0.50);
  EXPECT_EQ(price_of("NVIDIA H200", defaults), nullptr);
  const auto own = *price_table({"h100=2.25", "NVIDIA H100 PCIe=1.75", "Xeon=0"});
  EXPECT_EQ(price_of("NVIDIA H100 80GB HBM3", own)->dollars_per_hour, 2.25);
  EXPECT_EQ(price_of("NVIDIA H100 PCIe", own)->dollars_per_hour, 1.75) << "the longest name";
  EXPECT_EQ(price_of("Intel Xeon", own)->dollars_per_hour, 0);
  for (const char* wrong :
       {"H100", "=3", "H100=", "H100=cheap", "H100=-1", "H100=1x", "H100=inf", "H100=nan"})
    EXPECT_FALSE(price_table({wrong})) << wrong;
}

// Names that are parts of longer ones are other machines.
TEST(Prices, AWordOfANameIsAWholeOne) {
  for (const auto& [name, word] : {std::pair{"NVIDIA A100-SXM4-80GB", "a100"},
                                   {"NVIDIA A100-SXM4-80GB", "A100-SXM4-80GB"},
                                   {"NVIDIA H100 80GB HBM3", "H100"},
                                   {"NVIDIA H100 80GB HBM3", "h100 80gb hbm3"},
                                   {"Intel(R) Xeon(R) CPU @ 2.80GHz | 2 cores", "xeon"},
                                   {"T400 beside T4", "T4"},
                                   {"L4", "l4"}})
    EXPECT_TRUE(contains_word(name, word)) << word << " in " << name;
  for (const auto& [name, word] : {std::pair{"NVIDIA A100-SXM4-80GB", "A10"},
                                   {"NVIDIA L40S", "L4"},
                                   {"NVIDIA L40S", "L40"},
                                   {"NVIDIA RTX A1000", "A100"},
                                   {"NVIDIA T400", "T4"},
                                   {"NVIDIA GH200 480GB", "H200"},
                                   {"NVIDIA A10", "A10G"},
                                   {"NVIDIA H200", ""}})
    EXPECT_FALSE(contains_word(name, word)) << word << " in " << name;
  const auto prices = *price_table({});
  for (const char* other : {"NVIDIA RTX A1000", "NVIDIA T400", "NVIDIA A10", "NVIDIA GB200"})
    EXPECT_EQ(price_of(other, prices), nullptr) << other;
}

// An A100 is no A10: what was measured on one says nothing about the other but by a model.
TEST(Cost, ALongerNameIsAnotherMachine) {
  auto figures = two();
  for (Figure& figure : figures) figure.hardware = "NVIDIA A100-SXM4-80GB";
  CostQuestion question = with({"A10=1"});
  question.gpu = "A10";
  const CostLine other = bills(figures, question)[0].lines[0];
  EXPECT_FALSE(other.time_ns);
  EXPECT_EQ(other.needs, "a measurement on A10: the bandwidth of NVIDIA A100-SXM4-80GB is not known");
  question.gpu = "A100";
  EXPECT_NEAR(bills(figures, question)[0].lines[0].time_ns->value, 1.8e6, 1e-9) << "measured there";
}

// 4 $/h: a call of 3.6 ms costs 4 * 3.6e-3 / 3600 = 4e-6 $, an item 4e-9 $; the faster one 2e-9 $.
TEST(Cost, IsPriceTimesTimeOverItems) {
  const auto figures = two();
  const auto all = bills(figures, with({"H200=4"}));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].item, "item");
  ASSERT_EQ(all[0].lines.size(), 2u);
  EXPECT_EQ(all[0].lines[0].variant, "fast");
  EXPECT_NEAR(all[0].lines[0].dollars_per_item->value, 2e-9, 1e-18);
  EXPECT_NEAR(all[0].lines[1].dollars_per_item->value, 4e-9, 1e-18);
  EXPECT_NEAR(all[0].lines[1].dollars_per_item->high, 4.08e-9, 1e-18);
  EXPECT_EQ(all[0].lines[0].model, "");
}

TEST(Cost, OtherDataGiveAnotherPrice) {
  auto figures = two();
  EXPECT_NEAR(bills(figures, with({"H200=8"}))[0].lines[0].dollars_per_item->value, 4e-9, 1e-18);
  CostQuestion question = with({"H200=8"});
  question.rate = 1;
  EXPECT_NEAR(bills(figures, question)[0].lines[0].dollars_per_item->value, 0.5e-9, 1e-18) << "the rate wins";
  for (Figure& figure : figures) figure.items = 0;
  EXPECT_EQ(bills(figures, question)[0].item, "call");
  EXPECT_NEAR(bills(figures, question)[0].lines[0].dollars_per_item->value, 0.5e-6, 1e-15);
}

// On an H100: 1.8 ms * 4.8/3.2 = 2.7 ms, at 3.50 $/h: 3.5 * 2.7e-3 / 3600 / 1000 = 2.625e-9 $.
TEST(Cost, OfAnotherMachineIsModelledForWorkBoundByMemory) {
  auto figures = two();
  CostQuestion question = with();
  question.gpu = "H100";
  const CostLine fast = bills(figures, question)[0].lines[0];
  EXPECT_NEAR(fast.time_ns->value, 2.7e6, 1e-3);
  EXPECT_NEAR(fast.dollars_per_item->value, 2.625e-9, 1e-15);
  EXPECT_EQ(fast.model,
            "roofline: bound by memory, so the time goes as 4.8 / 3.2 TB/s, at the same share of the "
            "bandwidth");
  for (Figure& figure : figures) figure.bound = Bound::compute;
  const CostLine refused = bills(figures, question)[0].lines[0];
  EXPECT_FALSE(refused.dollars_per_item);
  EXPECT_EQ(refused.needs, "a measurement on H100: work bound by compute has no model");
  question.gpu = "L40S";
  EXPECT_EQ(bills(two(), question)[0].lines[0].needs,
            "a measurement on L40S: the bandwidth of L40S is not known");
}

TEST(Cost, WithoutAPriceItCannotTell) {
  const auto figures = two();
  const auto all = bills(figures, with());
  EXPECT_FALSE(all[0].lines[0].dollars_per_item);
  EXPECT_EQ(all[0].lines[0].needs, "a price for 'NVIDIA H200'");
  EXPECT_TRUE(bills({}, with()).empty());
}

TEST(Cost, MachinesAreComparedForOneWorkload) {
  auto here = two();
  auto there = two();
  for (Figure& figure : there) figure.hardware = "NVIDIA A100";
  const auto figures = joined(here, there);
  const auto all = bills(figures, with({"H200=4"}));
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].lines.size(), 4u);
  EXPECT_EQ(all[0].lines[0].hardware, "NVIDIA A100") << "as fast at half the price";
}

// 0.9 J for 1000 items: 0.0009 J each, 1111.1 for a joule. 450 W by the counter, in calls that took longer
// one after the other than the 1.8 ms of a timed one, which would make 500.
TEST(Power, IsWhatTheCounterShowed) {
  auto figures = two();
  figures[1].joules = 0.9;
  figures[1].watts = 450;
  const auto all = consumption(figures);
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].rows.size(), 1u);
  const EnergyRow& row = all[0].rows[0];
  EXPECT_NEAR(row.joules_per_item->value, 0.0009, 1e-12);
  EXPECT_NEAR(row.items_per_joule->value, 1111.111, 1e-3);
  EXPECT_EQ(row.watts->value, 450);
  for (const Estimate& each : {row.joules_per_call, *row.joules_per_item, *row.items_per_joule, *row.watts})
    EXPECT_EQ(each.low, each.high) << "nobody recorded how far the counter may be off";
  ASSERT_EQ(all[0].left_out.size(), 1u);
  EXPECT_EQ(all[0].left_out[0].variant, "base");
  figures[0].joules = 0.5;
  EXPECT_EQ(consumption(figures)[0].rows[0].variant, "base") << "least energy first";
  EXPECT_FALSE(consumption(figures)[0].rows[0].watts) << "a record without watts makes none of a time";
  figures[0].watts = 300;
  for (const CacheMode cache : {CacheMode::hot, CacheMode::steady, CacheMode::cold}) {
    for (Figure& figure : figures) figure.cache = cache;
    const auto rows = consumption(figures)[0].rows;
    EXPECT_EQ(rows[0].watts->value, 300) << name_of(cache);
    EXPECT_EQ(rows[1].watts->value, 450) << name_of(cache);
  }
}

// 0.9 J with 4 % to either side, [0.864, 0.936], and 450 W, [432, 468], whatever the interval of the time.
TEST(Power, HasTheIntervalOfItsCounter) {
  auto figures = two();
  figures[1].joules = 0.9;
  figures[1].watts = 450;
  figures[1].joules_uncertainty = 0.04;
  const EnergyRow row = consumption(figures).at(0).rows.at(0);
  EXPECT_NEAR(row.joules_per_call.low, 0.864, 1e-12);
  EXPECT_NEAR(row.joules_per_call.high, 0.936, 1e-12);
  EXPECT_NEAR(row.joules_per_item->high, 0.000936, 1e-12);
  EXPECT_NEAR(row.items_per_joule->low, 1000 / 0.936, 1e-9) << "most energy, fewest items";
  EXPECT_NEAR(row.items_per_joule->high, 1000 / 0.864, 1e-9);
  EXPECT_NEAR(row.watts->low, 432, 1e-9);
  EXPECT_NEAR(row.watts->high, 468, 1e-9);
}

TEST(Power, WithoutACounterItCannotTell) {
  const auto all = consumption(two());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_TRUE(all[0].rows.empty());
  EXPECT_EQ(all[0].needs, kNeedsEnergy);
  ASSERT_EQ(all[0].left_out.size(), 2u);
  EXPECT_EQ(all[0].left_out[0].why, "needs " + all[0].needs);
  EXPECT_TRUE(consumption({}).empty());
}

}  // namespace
}  // namespace aisp::analysis

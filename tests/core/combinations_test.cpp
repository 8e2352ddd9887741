// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/combinations.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace aisp {
namespace {

using Names = std::vector<std::string>;

std::vector<Variant> base() {
  return {{.name = "base", .run = CallFunction([](const Call&) {}), .note = "-"}};
}

Names names_of(const std::vector<Variant>& variants) {
  Names names;
  for (const Variant& variant : variants) names.push_back(variant.name);
  return names;
}

/// Named as combinations() would name them, with no code behind them.
std::vector<Variant> named(const Names& names) {
  std::vector<Variant> variants;
  for (const std::string& name : names) variants.push_back({.name = name, .run = {}});
  return variants;
}

TEST(Combinations, NamesAreTheBaselineAndWhatIsOn) {
  EXPECT_EQ(combined_name("naive", Names{"blocking", "simd"}), "naive+blocking+simd");
  EXPECT_EQ(combined_name("naive", {}), "naive");
  EXPECT_EQ(techniques_of("naive+blocking+simd"), (Names{"blocking", "simd"}));
  EXPECT_TRUE(techniques_of("naive").empty());
  EXPECT_TRUE(is_combination("naive+simd"));
  EXPECT_FALSE(is_combination("simd"));
}

TEST(Combinations, EverySubsetGetsItsOwnCode) {
  static unsigned called = 0;
  std::vector<Variant> ladder = base();
  add_combinations(ladder, {{"a", "first"}, {"b", "second"}, {"c", "third"}},
                   [](auto on) { return CallFunction([](const Call&) { called = decltype(on)::value; }); });
  EXPECT_EQ(names_of(ladder),
            (Names{"base", "base+a", "base+b", "base+a+b", "base+c", "base+a+c", "base+b+c", "base+a+b+c"}));
  const Params none;
  for (unsigned subset = 1; subset < 8; ++subset) {
    std::get<CallFunction>(ladder[subset].run.code)(Call({.params = &none}));
    EXPECT_EQ(called, subset) << ladder[subset].name;
  }
  EXPECT_EQ(ladder[7].note, "first; second; third");
  EXPECT_TRUE(check_combinations(ladder));
}

TEST(Combinations, AVariantKeepsWhatItBringsAlong) {
  std::vector<Variant> ladder = base();
  add_combinations(ladder, {{"a", "first"}}, [](auto) {
    return Variant{.name = "", .run = CallFunction([](const Call&) {}), .host_sync = true};
  });
  EXPECT_TRUE(ladder[1].host_sync);
  EXPECT_EQ(ladder[1].name, "base+a");
}

TEST(Combinations, ASubsetCannotRunWhereOneOfItsTechniquesCannot) {
  const auto never = [](const Params&) -> std::optional<std::string> { return "no such unit"; };
  std::vector<Variant> ladder = base();
  add_combinations(ladder, {{"a", "first"}, {"b", "second", never}},
                   [](auto) { return CallFunction([](const Call&) {}); });
  EXPECT_FALSE(ladder[1].unavailable) << "a alone runs anywhere";
  for (const std::size_t with_b : {2u, 3u}) EXPECT_EQ(ladder[with_b].unavailable({}), "no such unit");
}

TEST(Combinations, WhatIsIncompleteOrTooMuchIsRefused) {
  EXPECT_TRUE(check_combinations(named({"base", "fast"}))) << "a workload need not have any";
  EXPECT_TRUE(check_combinations(named({"base", "base+a", "base+b", "base+a+b"})));
  const auto refusal = [](const Names& names) {
    const Status checked = check_combinations(named(names));
    return checked ? "" : checked.error().message;
  };
  EXPECT_EQ(refusal({"base", "base+a", "base+b"}), "the combination 'base+a+b' is missing");
  EXPECT_EQ(refusal({"base", "base+a", "base+b", "base+b+a"}), "the combination 'base+a+b' is missing");
  EXPECT_EQ(refusal({"base", "base+a", "base+a+b"}),
            "'base+a+b' is no combination of 'base' and its techniques");
  EXPECT_EQ(refusal({"base", "other+a"}), "the combination 'base+a' is missing");
  EXPECT_EQ(refusal({"base", "base+A"}), "technique 'A' is not of small letters, digits and _");
  EXPECT_EQ(refusal({"base", "base+"}), "technique '' is not of small letters, digits and _");
  EXPECT_EQ(refusal({"base", "base+a", "base+b", "base+c", "base+d", "base+e", "base+f"}),
            "6 techniques combine, and at most 5 may: all subsets share a round");
}

}  // namespace
}  // namespace aisp

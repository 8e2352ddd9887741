// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/configuration.h"

#include <gtest/gtest.h>

#include <set>

namespace aisp {
namespace {

using Names = std::vector<std::string>;

const std::vector<Tunable> kTwo{{.name = "tile", .values = {8, 16, 32}, .fallback = 16},
                                {.name = "unroll", .values = {1, 4}, .fallback = 4}};

Workload workload_with(std::vector<Tunable> tunables) {
  Workload workload{.id = "test/tiles",
                    .title = "Tiles",
                    .idea = "None.",
                    .axes = {{"n", {64}}},
                    .problem = [](const Params&) { return Problem{}; },
                    .reference = [](const ReferenceCall&) {},
                    .variants = {{.name = "plain", .run = CallFunction([](const Call&) {})},
                                 {.name = "tiled", .run = CallFunction([](const Call&) {})}}};
  workload.variants[1].tunables = std::move(tunables);
  return workload;
}

Names names_of(const Workload& workload) {
  Names names;
  for (const Variant& variant : workload.variants) names.push_back(variant.name);
  return names;
}

TEST(Configuration, NamesSayTheVariantAndItsValues) {
  EXPECT_EQ(configuration_name("tiled", {{"tile", 32}, {"unroll", 1}}), "tiled@tile=32,unroll=1");
  EXPECT_EQ(declared_name("tiled@tile=32,unroll=1"), "tiled");
  EXPECT_EQ(declared_name("tiled"), "tiled");
  EXPECT_TRUE(is_configuration("tiled@tile=32"));
  EXPECT_FALSE(is_configuration("naive+blocking"));
}

TEST(Configuration, EveryCombinationOnceAndWhatIsDeclaredFirst) {
  const std::vector<Params> all = all_values(kTwo);
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all.front().text(), "tile=16 unroll=4");
  std::set<std::string> texts;
  for (const Params& values : all) texts.insert(values.text());
  EXPECT_EQ(texts.size(), 6u);
  EXPECT_EQ(all_values({}).size(), 1u);
}

TEST(Configuration, AVariantReadsItsValuesBesideTheSizes) {
  EXPECT_EQ(with_fallbacks({{"n", 64}}, kTwo).text(), "n=64 tile=16 unroll=4");
  const auto workload = with_configurations(workload_with(kTwo), Names{"tiled@tile=32"});
  ASSERT_TRUE(workload);
  EXPECT_EQ(names_of(*workload), (Names{"plain", "tiled", "tiled@tile=32"}));
  EXPECT_EQ(with_fallbacks({{"n", 64}}, workload->variants[2].tunables).text(), "n=64 tile=32 unroll=4")
      << "what a name leaves out stays as declared";
  EXPECT_EQ(with_fallbacks({{"n", 64}}, workload->variants[1].tunables).text(), "n=64 tile=16 unroll=4");
}

TEST(Configuration, WhatIsNotDeclaredIsRefusedWithWhatIs) {
  for (const char* name : {"tiled@tile=7", "tiled@tile=", "tiled@tile", "tiled@", "tiled@width=8",
                           "tiled@tile=8x", "tiled@tile=99999999999999999999"}) {
    const auto refused = with_configurations(workload_with(kTwo), Names{name});
    ASSERT_FALSE(refused) << name;
    EXPECT_NE(refused.error().message.find(name), std::string::npos) << refused.error().message;
    EXPECT_NE(refused.error().hint.find("tile=8,16,32; unroll=1,4"), std::string::npos)
        << refused.error().hint;
  }
  EXPECT_FALSE(with_configurations(workload_with(kTwo), Names{"plain@tile=8"}));
  EXPECT_FALSE(with_configurations(workload_with(kTwo), Names{"other@tile=8"}));
}

TEST(Configuration, EveryDeclaredOneIsVerified) {
  const Workload all = with_every_configuration(workload_with(kTwo));
  EXPECT_EQ(all.variants.size(), 2u + 5u);
  EXPECT_EQ(all.variants.back().name, "tiled@tile=32,unroll=1");
  EXPECT_EQ(with_every_configuration(workload_with({})).variants.size(), 2u);
}

TEST(Configuration, AValueMaySayThatItCannotBe) {
  Workload workload = workload_with(kTwo);
  workload.variants[1].unavailable = [](const Params& p) -> std::optional<std::string> {
    if (p["tile"] <= p["n"]) return std::nullopt;
    return "larger than the matrix";
  };
  EXPECT_EQ(why_unavailable(workload.variants[1], {{"n", 16}}), std::nullopt);
  EXPECT_EQ(why_unavailable(workload.variants[1], {{"n", 8}}), "larger than the matrix");
  EXPECT_EQ(why_unavailable(workload.variants[0], {{"n", 8}}), std::nullopt);
}

TEST(Configuration, DeclarationsThatCannotBeMeantAreNamed) {
  const auto refused = [](std::vector<Tunable> tunables) {
    const Status valid = validate(workload_with(std::move(tunables)));
    return valid ? std::string() : valid.error().message;
  };
  EXPECT_EQ(refused(kTwo), "");
  EXPECT_NE(refused({{"n", {1, 2}, 1}}).find("is an axis"), std::string::npos);
  EXPECT_NE(refused({{"tile", {8}, 8}, {"tile", {8}, 8}}).find("declared twice"), std::string::npos);
  EXPECT_NE(refused({{"tile", {8, 8}, 8}}).find("twice"), std::string::npos);
  EXPECT_NE(refused({{"tile", {8}, 16}}).find("fallback"), std::string::npos);
  EXPECT_NE(refused({{"tile", {}, 0}}).find("fallback"), std::string::npos);
  EXPECT_NE(refused({{"a=b", {8}, 8}}).find("small letters"), std::string::npos);
  std::vector<std::int64_t> many;
  for (std::int64_t value = 0; value < 300; ++value) many.push_back(value);
  EXPECT_NE(refused({{"tile", many, 0}}).find("more than 256"), std::string::npos);
  Workload named = workload_with({});
  named.variants[1].name = "tiled@tile=8";
  EXPECT_FALSE(validate(named));
}

}  // namespace
}  // namespace aisp

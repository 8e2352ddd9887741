// SPDX-License-Identifier: Apache-2.0
#include "aisp/wire/json.h"

#include <gtest/gtest.h>

#include <limits>

#include "aisp/wire/hash.h"

namespace aisp {
namespace {

CellResult example() {
  CellResult cell;
  cell.workload = "ch07/transpose";
  cell.shape = Shape::stateful;
  cell.aa = RatioEstimate{.against = "naive", .ratio = 1.25, .outcome = Outcome::faster};
  VariantResult variant;
  variant.name = "tiled";
  variant.samples.ns = {1.5, std::numeric_limits<double>::infinity()};
  variant.metrics = {{"hit rate", 0.5}};
  variant.evidence.process.threads_after = 3;
  variant.findings = {{.guard = "output_written", .level = Level::reject, .because = "x"}};
  cell.variants.push_back(variant);
  return cell;
}

TEST(Json, RoundTripKeepsEveryField) {
  const Json json = to_json(example());
  const Result<CellResult> back = from_json<CellResult>(json);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(to_json(*back).dump(), json.dump());
  EXPECT_EQ(back->variants[0].evidence.process.threads_after, 3);
  EXPECT_FALSE(back->variants[0].evidence.process.threads_before.has_value());
  EXPECT_TRUE(std::isinf(back->variants[0].samples.ns[1]));
}

TEST(Json, WrongTypesAreNamed) {
  Json json = to_json(example());
  json["variants"][0]["rung"] = "sideways";
  const Result<CellResult> back = from_json<CellResult>(json);
  ASSERT_FALSE(back);
  EXPECT_NE(back.error().message.find("rung"), std::string::npos);
  json = to_json(example());
  json["look"] = 5000000000;
  EXPECT_FALSE(from_json<CellResult>(json));
  json["look"] = "3";
  EXPECT_FALSE(from_json<CellResult>(json));
}

TEST(Json, HostileTextIsRefusedOrCleaned) {
  EXPECT_FALSE(parse_json(std::string(100000, '[')));
  EXPECT_FALSE(parse_json("{\"a\":"));
  EXPECT_FALSE(parse_json("[1]", 2));
  EXPECT_TRUE(parse_json("{\"a\":\"[[[[\"}", 100, 1));
  EXPECT_EQ(printable_utf8("a\xff\xc0z"), "a\xef\xbf\xbd\xef\xbf\xbdz");
  EXPECT_EQ(printable_utf8("µs"), "µs");
}

/// A text that is cut off is refused whatever its nesting: these are whole.
TEST(Json, DeepNestingIsRefused) {
  const auto nested = [](std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); };
  EXPECT_TRUE(parse_json(nested(64)));
  EXPECT_FALSE(parse_json(nested(65)));
}

TEST(Hash, KnownVector) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace aisp

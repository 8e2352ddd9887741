// SPDX-License-Identifier: Apache-2.0
#include "aisp/wire/json_parts.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>

#include "aisp/wire/json.h"

namespace aisp {
namespace {

/// The same by reading everything.
Json without_read(Json json) {
  if (json.is_object()) {
    for (const char* name : {"samples", "rounds"})
      if (json.contains(name) && json[name].is_structured()) json.erase(name);
  }
  for (Json& each : json) {
    if (each.is_structured()) each = without_read(each);
  }
  return json;
}

std::string left(const std::string& text) { return without_parts(text, {"samples", "rounds"}); }

TEST(JsonParts, AreLeftOutWhereverTheyStand) {
  EXPECT_EQ(left(R"({"samples":[1,2],"a":1})"), R"({"a":1})");
  EXPECT_EQ(left(R"({"a":1,"samples":{"x":[{}]}})"), R"({"a":1})");
  EXPECT_EQ(left(R"({"samples":[]})"), "{}");
  EXPECT_EQ(left(R"([{"a":{"rounds":[1],"b":2,"samples":[]}}])"), R"([{"a":{"b":2}}])");
}

TEST(JsonParts, NumbersAndStringsOfThatNameStay) {
  const std::string text = R"({"rounds":12,"samples":"[1,2]","a":["samples",{"b":"rounds"}]})";
  EXPECT_EQ(left(text), text);
}

TEST(JsonParts, StringsMayHoldAnything) {
  const std::string text = R"({"a":"\"samples\":[1,2]","b":"]}\\","rounds":["]\"}",{"x":"[{"}],"c":3})";
  EXPECT_EQ(left(text), R"({"a":"\"samples\":[1,2]","b":"]}\\","c":3})");
}

TEST(JsonParts, AreTheSameAsByReadingAll) {
  std::mt19937 random(7);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const auto draw = [&](auto& self, int depth) -> Json {
    const char* names[] = {"samples", "rounds", "a", "b\"", "c\\", "[x"};
    switch (depth > 4 ? 2 + below(3) : below(5)) {
      case 0: {
        Json json = Json::object();
        for (int i = below(5); i > 0; --i) json[names[below(6)]] = self(self, depth + 1);
        return json;
      }
      case 1: {
        Json json = Json::array();
        for (int i = below(4); i > 0; --i) json.push_back(self(self, depth + 1));
        return json;
      }
      case 2:
        return below(1000) - 0.5;
      case 3:
        return names[below(6)];
      default:
        return nullptr;
    }
  };
  for (int i = 0; i < 3000; ++i) {
    const Json json = draw(draw, 0);
    const Json wanted = without_read(json);
    ASSERT_EQ(Json::parse(left(json.dump())), wanted) << json.dump();
    ASSERT_EQ(Json::parse(left(json.dump(2))), wanted) << json.dump(2);
  }
}

TEST(JsonParts, WhatIsCutOffIsNotReadBeyondItsEnd) {
  const std::string whole = R"({"a":"\\\"","samples":[{"x":"]"},2] , "rounds" : { "y":[1] },"b":1})";
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    // On the heap and of this size exactly, so that a sanitizer sees the byte beyond.
    const std::string cut(whole, 0, size);
    const bool reads = Json::accept(left(cut));
    EXPECT_LE(reads, size == whole.size()) << cut;
  }
}

}  // namespace
}  // namespace aisp

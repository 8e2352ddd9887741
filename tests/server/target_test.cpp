// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/target.h"

#include <gtest/gtest.h>

namespace aisp::server {
namespace {

using Words = std::vector<std::string>;

TEST(Target, DecodesOnce) {
  EXPECT_EQ(parse_target("/")->segments, Words{});
  EXPECT_EQ(parse_target("/api/v1/workloads/ch07%2Ftranspose")->segments,
            (Words{"api", "v1", "workloads", "ch07/transpose"}));
  EXPECT_EQ(parse_target("/a%2525")->segments, Words{"a%25"}) << "not decoded again";
  EXPECT_EQ(parse_target("/%C3%A9")->segments, Words{"é"});
  const Fields query = parse_target("/x?by=time&by=a+b%26c&empty=&&flag")->query;
  EXPECT_EQ(query, (Fields{{"by", "time"}, {"by", "a b&c"}, {"empty", ""}, {"flag", ""}}));
  EXPECT_EQ(path_of(*parse_target("/a/b%20c")), "/a/b c");
}

TEST(Target, RefusesWhatIsNotPlainlyAPath) {
  for (const char* bad : {"",
                          "a",
                          "http://localhost/",
                          "*",
                          "/..",
                          "/../../etc/passwd",
                          "/a/../b",
                          "/%2e%2e/%2e%2e/etc/passwd",
                          "/%2e%2e%2fetc",
                          "/a%2f..%2fb",
                          "/./a",
                          "/a//b",
                          "/a/",
                          "/%00",
                          "/a%00b",
                          "/a\\b",
                          "/..%5c..%5cetc",
                          "/%",
                          "/%4",
                          "/%zz",
                          "/%c3",
                          "/%ff%fe",
                          "/a%0d%0ab",
                          "/x?a=%0a",
                          "/x?a=%",
                          "/a#b",
                          "/\x80"}) {
    const Result<Target> target = parse_target(bad);
    ASSERT_FALSE(target) << bad;
    EXPECT_EQ(target.error().code, ErrorCode::bad_input) << bad;
    EXPECT_FALSE(target.error().message.empty());
  }
}

TEST(Target, ASlashAtTheEndIsSaidToBeThat) {
  const Result<Target> target = parse_target("/api/v1/");
  ASSERT_FALSE(target);
  EXPECT_NE(target.error().message.find("ends with a '/'"), std::string::npos) << target.error().message;
  EXPECT_NE(target.error().hint.find("leave it out: /api/v1;"), std::string::npos) << target.error().hint;
  EXPECT_NE(target.error().hint.find("/api/v1/openapi.json"), std::string::npos) << target.error().hint;
}

}  // namespace
}  // namespace aisp::server

// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/gate.h"

#include <thread>

#include <gtest/gtest.h>

namespace aisp::server {
namespace {

constexpr const char* kToken = "0123456789abcdef";

int asked(Gate& gate, const std::string& method, Fields headers) {
  const auto refused = gate.refuse({.method = method, .target = "/", .headers = std::move(headers)});
  return refused ? refused->status : 200;
}

TEST(Gate, AnswersToThisMachinesNamesAlone) {
  Gate gate("");
  for (const char* host :
       {"localhost", "localhost:8100", "LocalHost:1", "127.0.0.1:8100", "[::1]", "[::1]:8100"})
    EXPECT_EQ(asked(gate, "GET", {{"host", host}}), 200) << host;
  for (const char* host :
       {"", "evil.example", "localhost.evil.example", "evil.example:8100", "127.0.0.1.evil.example",
        "localhost:8100@evil.example", "localhost:99999999", "0.0.0.0", "[::1", "169.254.1.1"})
    EXPECT_EQ(asked(gate, "GET", {{"host", host}}), 421) << host;
  EXPECT_EQ(asked(gate, "GET", {}), 421);
  EXPECT_EQ(asked(gate, "GET", {{"host", "localhost"}, {"host", "localhost"}}), 421);
}

TEST(Gate, RefusesPagesOfOtherSites) {
  Gate gate(kToken);
  const auto from = [&](const std::string& method, const std::string& origin) {
    return asked(
        gate, method,
        {{"host", "localhost:8100"}, {"origin", origin}, {"authorization", std::string("Bearer ") + kToken}});
  };
  EXPECT_EQ(from("GET", "http://localhost:8100"), 200);
  EXPECT_EQ(from("POST", "http://localhost:8100"), 200);
  for (const char* method : {"GET", "HEAD", "POST", "DELETE"})
    for (const char* origin :
         {"http://evil.example", "http://localhost:9999", "http://127.0.0.1:8100", "null", ""})
      EXPECT_EQ(from(method, origin), 403) << method << " " << origin;
  const std::string bearer = std::string("Bearer ") + kToken;
  EXPECT_EQ(asked(gate, "POST",
                  {{"host", "localhost"}, {"authorization", bearer}, {"sec-fetch-site", "cross-site"}}),
            403);
  EXPECT_EQ(asked(gate, "POST",
                  {{"host", "localhost"}, {"authorization", bearer}, {"sec-fetch-site", "same-origin"}}),
            200);
}

TEST(Gate, ChangesNeedTheToken) {
  Gate gate(kToken);
  const auto with = [&](const std::string& given) {
    return asked(gate, "POST", {{"host", "localhost"}, {"authorization", given}});
  };
  EXPECT_EQ(with(std::string("Bearer ") + kToken), 200);
  EXPECT_EQ(with(kToken), 401);
  EXPECT_EQ(with("Bearer 0123456789abcdeg"), 401);
  EXPECT_EQ(with("Bearer "), 401);
  EXPECT_EQ(asked(gate, "DELETE", {{"host", "localhost"}}), 401);
  EXPECT_EQ(asked(gate, "GET", {{"host", "localhost"}}), 200) << "reading needs none";
  Gate closed("");
  EXPECT_EQ(asked(closed, "POST", {{"host", "localhost"}, {"authorization", "Bearer "}}), 403);
  EXPECT_EQ(asked(gate, "PUT", {{"host", "localhost"}}), 405);
  EXPECT_EQ(asked(gate, "TRACE", {{"host", "localhost"}}), 405);
}

TEST(Gate, ManyWrongTokensCloseItForAMoment) {
  Gate gate(kToken);
  int wrong = 0, limited = 0;
  for (int i = 0; i < 100000; ++i) {
    const int status =
        asked(gate, "POST", {{"host", "localhost"}, {"authorization", "Bearer 00000000000000xx"}});
    wrong += status == 401;
    limited += status == 429;
  }
  EXPECT_EQ(wrong + limited, 100000);
  EXPECT_GT(limited, 90000);
  EXPECT_EQ(asked(gate, "GET", {{"host", "localhost"}}), 200) << "reading goes on";
  const std::string right = std::string("Bearer ") + kToken;
  EXPECT_EQ(asked(gate, "POST", {{"host", "localhost"}, {"authorization", right}}), 200)
      << "so does its owner";
}

TEST(Gate, SecretsAreEqualOnlyAsAWhole) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "abcd"));
  EXPECT_TRUE(same_secret("", ""));
}

}  // namespace
}  // namespace aisp::server

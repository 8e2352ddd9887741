// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/postgres_url.h"

#include <gtest/gtest.h>

namespace aisp::store::test {
namespace {

TEST(PostgresUrl, IsToldFromAFile) {
  EXPECT_TRUE(is_postgres_url("postgres://ann@db/aisp"));
  EXPECT_TRUE(is_postgres_url("postgresql:///aisp"));
  for (const char* file : {"results.db", "postgres.db", "./postgres://x", "postgres:/x", ""})
    EXPECT_FALSE(is_postgres_url(file)) << file;
}

TEST(PostgresUrl, IsShownWithoutItsPassword) {
  EXPECT_EQ(without_password("postgres://ann@db:5433/aisp"), "postgres://ann@db:5433/aisp");
  EXPECT_EQ(without_password("postgres://db:5433/aisp"), "postgres://db:5433/aisp");
  EXPECT_EQ(without_password("postgres://ann:pw@db:5433/aisp?sslmode=require"),
            "postgres://ann@db:5433/aisp?sslmode=require");
  EXPECT_EQ(without_password("postgresql://db/aisp?password=pw&host=/run&sslpassword=key"),
            "postgresql://db/aisp?host=/run");
  EXPECT_EQ(without_password("postgres://db/aisp?password=pw"), "postgres://db/aisp");
  for (const char* url : {"postgres://ann:p@ss@db/aisp", "postgres://ann:pa/ss@db/aisp",
                          "postgres://ann:pass@", "postgres://:pass@db/aisp"})
    EXPECT_EQ(without_password(url).find("ss@"), std::string::npos) << url;
}

TEST(PostgresUrl, IsFoundInsideText) {
  EXPECT_EQ(without_passwords("aisp run --store=postgres://a:pw@db/x ch07 'postgresql://b:pw@db/y'"),
            "aisp run --store=postgres://a@db/x ch07 'postgresql://b@db/y'");
  EXPECT_EQ(without_passwords("no url: a:b@c"), "no url: a:b@c");
  EXPECT_EQ(without_passwords(""), "");
}

TEST(PostgresUrl, SecretsAreThePasswordAsWrittenAndAsMeant) {
  EXPECT_EQ(secrets_in("postgres://ann:p%40ss@db/aisp"), (std::vector<std::string>{"p%40ss", "p@ss"}));
  EXPECT_EQ(secrets_in("postgres://db/aisp?password=pw").size(), 2u);
  EXPECT_TRUE(secrets_in("postgres://ann@db/aisp").empty());
}

}  // namespace
}  // namespace aisp::store::test

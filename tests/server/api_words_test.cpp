// SPDX-License-Identifier: Apache-2.0
#include "aisp/server/api_words.h"

#include "tests/server/asking.h"

namespace aisp::server::test {
namespace {

TEST(ApiWords, AFlagIsAParameter) {
  EXPECT_EQ(in_api_words("give --by twice, such as --by=time --by=memory"),
            "give 'by' twice, such as by=time by=memory");
  EXPECT_EQ(in_api_words("--by 'x' is not known"), "by 'x' is not known");
  EXPECT_EQ(in_api_words("it runs on cuda: --device cuda:0"), "it runs on cuda: device=cuda:0");
  EXPECT_EQ(in_api_words("for example --param n=1024,4096"), "for example param=n=1024,4096");
  EXPECT_EQ(in_api_words("give --rate, or --price NAME=DOLLARS"), "give 'rate', or price=NAME=DOLLARS");
  EXPECT_EQ(in_api_words("with --json: leave out x"), "leave out x") << "there is no other answer";
  EXPECT_EQ(in_api_words("--max-error"), "'max-error'");
  EXPECT_EQ(in_api_words("choose another file with --store or move it"),
            "choose another file with `aisp serve --store` or move it");
}

TEST(ApiWords, WhatIsTypedAtTheMachineStays) {
  for (const char* text : {"start it with `aisp serve --allow-runs`", "a -- b", "x--y", "", "--"})
    EXPECT_EQ(in_api_words(text), text);
  EXPECT_EQ(in_api_words("`aisp show --runs` lists the stored runs"), "/api/v1/runs lists the stored runs");
}

class Refusals : public ::testing::Test {
 protected:
  void SetUp() override {
    asking.keep("r1",
                {aisp::store::test::cell_of("ch07/transpose", "n=64", {{"naive", 200}, {"tiled", 50}})});
  }
  /// What a wrong request is told.
  std::string said(const std::string& target, int status) {
    const Json body = asking.refused(target, status);
    EXPECT_FALSE(body["hint"].get<std::string>().empty()) << target;
    return body["error"].get<std::string>() + "; " + body["hint"].get<std::string>();
  }
  Asking asking;
};

TEST_F(Refusals, SpeakOfParametersAndNotOfFlags) {
  for (const char* target :
       {"/api/v1/analysis/pareto?by=time", "/api/v1/analysis/pareto?by=beauty",
        "/api/v1/analysis/whatif?param=n", "/api/v1/analysis/whatif?param=size=4",
        "/api/v1/analysis/cost?gpu=abacus", "/api/v1/analysis/cost?price=x", "/api/v1/history?since=soon",
        "/api/v1/history?hardware=abacus", "/api/v1/analysis/pareto?workload=ch99"}) {
    const std::string text = said(target, 400);
    EXPECT_EQ(text.find("--"), std::string::npos) << target << ": " << text;
  }
  EXPECT_NE(said("/api/v1/analysis/pareto?by=time", 400).find("by=time by=memory"), std::string::npos);
}

TEST_F(Refusals, ACellThatIsNotThereSaysWhereToLook) {
  EXPECT_NE(said("/api/v1/cells/9999", 404).find("/api/v1/runs"), std::string::npos);
}

TEST_F(Refusals, AnAnswerThatNeedsResultsNamesTheDevicesThereAre) {
  const std::string needs = asking.json("/api/v1/analysis/pareto?device=nowhere")["needs"];
  EXPECT_NE(needs.find("'nowhere'"), std::string::npos) << needs;
  EXPECT_NE(needs.find("cpu of box"), std::string::npos) << needs;
}

}  // namespace
}  // namespace aisp::server::test

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/plan.h"

#include <gtest/gtest.h>

namespace aisp::harness {
namespace {

const std::vector<WorkloadInfo>& catalogue() {
  static const std::vector<WorkloadInfo> list{
      {.id = "ch07/reduction",
       .tags = {"memory"},
       .axes = {{"n", {1024, 4096}, {}, 64}},
       .variants = {{.name = "naive"}, {.name = "four_chains"}}},
      {.id = "ch07/transpose", .tags = {"memory", "cache"}, .axes = {{"n", {512, 1024, 2048}, {1024}, 32}}},
      {.id = "ch09/sgemm", .axes = {{"n", {256, 1024}, {}, 16}, {"threads", {1, 2, 64}, {}, 1}}},
      {.id = "ch16/int4_gemv", .axes = {{"n", {4096}, {}, 64}}},
      {.id = "labs/matmul", .axes = {{"n", {128}, {}, 8}}},
  };
  return list;
}

std::vector<std::string> ids(const std::string& target) {
  std::vector<std::string> found;
  for (const WorkloadInfo* match : match_target(catalogue(), target)) found.push_back(match->id);
  return found;
}
using Names = std::vector<std::string>;

RunConfig config_of(Names targets, Names parameters = {}) {
  RunConfig config;
  config.targets = std::move(targets);
  config.parameters = std::move(parameters);
  return config;
}
std::vector<std::string> cells_of(const RunConfig& config, int cores = 2) {
  const auto cells = plan_cells(catalogue(), config, cores);
  std::vector<std::string> texts;
  if (!cells) return {"error: " + cells.error().message};
  for (const PlannedCell& cell : *cells) texts.push_back(cell.workload.id + " " + cell.params.text());
  return texts;
}

TEST(Targets, EverySpellingOfAChapterAndAWorkload) {
  const Names chapter{"ch07/reduction", "ch07/transpose"};
  for (const char* spelling : {"ch07", "ch7", "CH07", "ch07/", "ch07/*", "ch7/*"})
    EXPECT_EQ(ids(spelling), chapter) << spelling;
  const Names one{"ch07/transpose"};
  for (const char* spelling : {"ch07/transpose", "ch7/transpose", "ch07:transpose", "ch7:transpose",
                               "ch7.transpose", "ch7.baseline_transpose", "ch07.optimized_transpose",
                               "ch07:baseline_transpose", "transpose", "ch0?/transpose", "*/trans*"}) {
    EXPECT_EQ(ids(spelling), one) << spelling;
  }
  EXPECT_EQ(ids("labs"), Names{"labs/matmul"});
  EXPECT_EQ(ids("labs/matmul"), Names{"labs/matmul"});
  EXPECT_EQ(ids("all").size(), catalogue().size());
}

TEST(Targets, TagsMatchWholeTags) {
  EXPECT_EQ(ids("tag:memory"), (Names{"ch07/reduction", "ch07/transpose"}));
  EXPECT_EQ(ids("tag:cache"), Names{"ch07/transpose"});
  EXPECT_EQ(ids("tag:mem"), Names{});
}

TEST(Targets, NothingMatchesByAccident) {
  for (const char* target :
       {"ch0", "ch1", "ch07/trans", "", "ch70", "ch07/transpose/x", "tag:", "[", "ch07/transposes"}) {
    EXPECT_EQ(ids(target), Names{}) << target;
  }
}

TEST(Targets, AMisspeltNameGetsASuggestion) {
  const auto planned = plan_cells(catalogue(), config_of({"ch07/tranpsose"}), 2);
  ASSERT_FALSE(planned);
  EXPECT_EQ(planned.error().code, ErrorCode::usage);
  EXPECT_NE(planned.error().hint.find("ch07/transpose"), std::string::npos) << planned.error().hint;
  EXPECT_EQ(suggest("sgem", {"ch09/sgemm", "ch07/transpose"}), Names{"ch09/sgemm"});
  EXPECT_TRUE(suggest("something else entirely", {"ch09/sgemm"}).empty());
  EXPECT_LE(suggest("a", {"b", "c", "d", "e", "f"}).size(), 3u);
}

TEST(Cells, AxesAreExpandedInOrderAndTargetsNotRepeated) {
  EXPECT_EQ(cells_of(config_of({"ch07/transpose", "transpose"})),
            (Names{"ch07/transpose n=512", "ch07/transpose n=1024", "ch07/transpose n=2048"}));
}

TEST(Cells, SuitesChooseTheirValues) {
  RunConfig config = config_of({"ch07"});
  config.suite = "quick";
  EXPECT_EQ(cells_of(config), (Names{"ch07/reduction n=1024", "ch07/transpose n=1024"}));
  config.suite = "small";
  EXPECT_EQ(cells_of(config), (Names{"ch07/reduction n=64", "ch07/transpose n=32"}));
}

TEST(Cells, MoreThreadsThanCoresAreLeftOutUnlessAskedFor) {
  EXPECT_EQ(cells_of(config_of({"sgemm"}, {"n=256"})),
            (Names{"ch09/sgemm n=256 threads=1", "ch09/sgemm n=256 threads=2"}));
  EXPECT_EQ(cells_of(config_of({"sgemm"}, {"n=256", "threads=64"})), Names{"ch09/sgemm n=256 threads=64"});
}

TEST(Cells, ParametersReplaceValues) {
  EXPECT_EQ(cells_of(config_of({"ch07/reduction"}, {"n=10,20"})),
            (Names{"ch07/reduction n=10", "ch07/reduction n=20"}));
}

TEST(Cells, AValueNamedTwiceIsOneCell) {
  EXPECT_EQ(cells_of(config_of({"ch07/reduction"}, {"n=20,10,20,020"})),
            (Names{"ch07/reduction n=20", "ch07/reduction n=10"}));
  EXPECT_EQ(repeated_values({"n=20,10,20,020", "m=1,2", "k=3,3", "nonsense", "n=x,x"}),
            (Names{"n=20", "k=3"}));
}

TEST(Cells, ParametersThatMakeNoSenseAreRefused) {
  for (const char* text : {"n", "n=", "=5", "n=5,", "n=,5", "n=5x", "n=x", "n=-1", "n=1e3", "n= 5", "n=1.5",
                           "n=99999999999999999999", ""}) {
    const auto planned = plan_cells(catalogue(), config_of({"ch07"}, {text}), 2);
    ASSERT_FALSE(planned) << text;
    EXPECT_EQ(planned.error().code, ErrorCode::usage) << text;
    EXPECT_FALSE(planned.error().hint.empty()) << text;
  }
  const auto unknown = plan_cells(catalogue(), config_of({"ch07"}, {"m=5"}), 2);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("'m'"), std::string::npos);
}

TEST(Cells, AMisspeltParameterOrVariantGetsASuggestion) {
  const auto parameter = plan_cells(catalogue(), config_of({"sgemm"}, {"thread=2"}), 2);
  ASSERT_FALSE(parameter);
  EXPECT_EQ(parameter.error().hint, "did you mean 'threads'?");

  RunConfig config = config_of({"ch07"});
  config.variants = {"naive", "four_chain"};
  const auto variant = plan_cells(catalogue(), config, 2);
  ASSERT_FALSE(variant) << "only the baseline would be measured";
  EXPECT_EQ(variant.error().code, ErrorCode::usage);
  EXPECT_EQ(variant.error().hint, "did you mean 'four_chains'?");
  config.variants = {"four_chains"};
  EXPECT_TRUE(plan_cells(catalogue(), config, 2)) << "one of the workloads has it";
}

TEST(Plan, CombinationsAreMeasuredWhenNamedAndNotWithTheLadder) {
  const std::vector<WorkloadInfo> combining{{.id = "ch07/transpose",
                                             .axes = {{"n", {512}, {}, 32}},
                                             .variants = {{.name = "naive"},
                                                          {.name = "tiled"},
                                                          {.name = "naive+a"},
                                                          {.name = "naive+b"},
                                                          {.name = "naive+a+b"}}}};
  const auto planned = [&](const Names& variants) {
    RunConfig config = config_of({"ch07"});
    config.variants = variants;
    Names names;
    const auto cells = plan_cells(combining, config, 2);
    if (!cells) return names;
    for (const VariantInfo& variant : cells->at(0).workload.variants) names.push_back(variant.name);
    return names;
  };
  EXPECT_EQ(planned({}), (Names{"naive", "tiled"}));
  EXPECT_EQ(planned({"naive", "naive+a+b"}), (Names{"naive", "tiled", "naive+a+b"}))
      << "which of these are measured is the choice of variants";
}

}  // namespace
}  // namespace aisp::harness

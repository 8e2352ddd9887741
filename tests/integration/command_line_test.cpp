// SPDX-License-Identifier: Apache-2.0
// What people mistype: every mistake is exit code 2 (or 3, 4), one line with the cause and one with the way
// out.
#include <cmath>

#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

void expect_refusal(const Finished& refused, int code, const std::string& says) {
  EXPECT_EQ(refused.exit_code, code) << refused.out << refused.err;
  EXPECT_NE(refused.err.find(says), std::string::npos) << refused.err;
  EXPECT_EQ(refused.err.rfind("aisp: ", 0), 0u) << refused.err;
  EXPECT_EQ(refused.out, "") << "errors go to stderr";
}

TEST(CommandLine, UnknownCommandIsSuggested) {
  Sandbox box;
  expect_refusal(box.run({"lst"}), 2, "did you mean `aisp list`?");
  expect_refusal(box.run({"zzzzzzzz"}), 2, "`aisp help` lists the commands");
}

TEST(CommandLine, UnknownFlagIsSuggested) {
  Sandbox box;
  expect_refusal(box.run({"run", "ch07", "--atempts", "3"}), 2, "did you mean --attempts?");
  expect_refusal(box.run({"list", "--qqqqqqqqqq"}), 2, "aisp list --help");
}

TEST(CommandLine, UnknownWorkloadIsSuggested) {
  Sandbox box;
  expect_refusal(box.run({"run", "ch07/transpos"}), 2, "did you mean ch07/transpose?");
}

TEST(CommandLine, NothingToRunIsUsage) {
  Sandbox box;
  EXPECT_EQ(box.run({"run"}).exit_code, 2);
  EXPECT_EQ(box.run({}).exit_code, 2);
}

TEST(CommandLine, ErrorsAreJsonOnRequest) {
  Sandbox box;
  const Finished refused = box.run({"run", "ch07", "--attempts", "many", "--json"});
  EXPECT_EQ(refused.exit_code, 2);
  const Json json = Json::parse(refused.err, nullptr, false);
  ASSERT_TRUE(json.contains("error")) << refused.err;
  EXPECT_EQ(json["error"]["code"], 2);
  EXPECT_NE(json["error"]["hint"].get<std::string>().find("1 to 64"), std::string::npos) << refused.err;
}

class NumericFlag : public ::testing::TestWithParam<const char*> {};

TEST_P(NumericFlag, IsRefusedWithItsRange) {
  Sandbox box;
  const std::string value = GetParam();
  expect_refusal(box.run({"run", "ch07", "--attempts=" + value}), 2, "1 to 64");
  expect_refusal(box.run({"run", "ch07", "--cell-seconds=" + value}), 2, "0.1 to 86400");
  box.environment["AISP_ATTEMPTS"] = value;
  expect_refusal(box.run({"run", "ch07"}), 2, "1 to 64");
}

INSTANTIATE_TEST_SUITE_P(Every, NumericFlag,
                         ::testing::Values("1e99", "-1", "0x10", "nan", "inf", "3q", " 3", "1e-320", "--",
                                           "1,5"));

TEST(CommandLine, EmptyNumberIsRefused) {
  Sandbox box;
  EXPECT_EQ(box.run({"run", "ch07", "--attempts="}).exit_code, 2);
  EXPECT_EQ(box.run({"run", "ch07", "--attempts", ""}).exit_code, 2);
}

TEST(CommandLine, ASizeNamedTwiceIsMeasuredOnceAndSaidSo) {
  Sandbox box;
  const Finished planned = box.run({"run", "ch07/transpose", "--param", "n=64,64", "--dry-run", "--json"});
  EXPECT_EQ(planned.json().value("cells", Json::array()).size(), 1u) << planned.out;
  EXPECT_NE(planned.err.find("n=64 more than once"), std::string::npos) << planned.err;
}

class Parameter : public ::testing::TestWithParam<const char*> {};

TEST_P(Parameter, IsRefused) {
  Sandbox box;
  box.give_ceilings();
  const Finished refused = box.run({"run", "ch07/transpose", "--param", GetParam()});
  EXPECT_TRUE(refused.exit_code == 2 || refused.exit_code == 3) << refused.exit_code << refused.err;
  EXPECT_EQ(refused.err.rfind("aisp: ", 0), 0u) << refused.err;
  EXPECT_TRUE(box.alone());
}

INSTANTIATE_TEST_SUITE_P(Every, Parameter,
                         ::testing::Values("n=0", "n=-1", "n=99999999999999999999", "n=1e3", "n=", "n", "=1",
                                           "n=1,,2", "m=5", "n=0x10", ""));

/// Every axis of every workload, from what `list --json` says of it.
TEST(CommandLine, WhatAWorkloadCannotRunWithIsRefusedAndItsLeastIsNot) {
  Sandbox box;
  box.give_ceilings();
  int axes = 0;
  const Json listed = box.run({"list", "--json", "--device", "cpu"}).json();
  for (const Json& workload : listed.at("workloads")) {
    for (const Json& axis : workload.at("axes")) {
      const std::string name = axis.at("name");
      const auto run_with = [&](const std::string& command, std::int64_t value) {
        return box.run({command, workload.at("id"), "--param", name + "=" + std::to_string(value)});
      };
      SCOPED_TRACE(workload.at("id").get<std::string>() + " " + name);
      const std::int64_t least = axis.at("least");
      EXPECT_EQ(run_with("run", least - 1).exit_code, 2);
      if (axis.contains("most") && !axis["most"].is_null()) {
        EXPECT_EQ(run_with("run", axis["most"].get<std::int64_t>() + 1).exit_code, 2);
      }
      const Finished verified = run_with("verify", least);
      EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
      ++axes;
    }
  }
  EXPECT_GE(axes, 36) << "two for each workload";
  EXPECT_TRUE(box.alone());
}

TEST(CommandLine, ASizeBeyondMemoryIsRefusedBeforeItIsAllocated) {
  Sandbox box;
  box.give_ceilings();
  // 2 x 4 bytes x (1.2e6)^2 and a reference of 16 bytes: 34.6 TB; and sizes that no machine can count.
  for (const auto& [size, needs] :
       {std::pair{"n=1200000", "needs 31.4 TiB"}, std::pair{"n=9223372036854775807", "needs "}}) {
    const Finished refused = box.run({"run", "--plugin", plugin("pace"), "pace/sized", "--param", size});
    EXPECT_EQ(refused.exit_code, 4) << refused.err;
    EXPECT_NE(refused.err.find(needs), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("that are free"), std::string::npos) << refused.err;
    EXPECT_NE(refused.err.find("--param"), std::string::npos) << refused.err;
  }
  EXPECT_TRUE(box.alone());
}

TEST(CommandLine, ADeviceThatIsNotThereIsNamed) {
  Sandbox box;
  const Finished refused = box.run({"run", "ch07", "--device", "cuda:7"});
  EXPECT_EQ(refused.exit_code, 4) << refused.err;
  EXPECT_NE(refused.err.find("cuda:7"), std::string::npos) << refused.err;
}

TEST(CommandLine, ADeviceWithoutANumberIsMisspelt) {
  Sandbox box;
  for (const char* device : {"cuda:x", "cuda:", "cuda:-1", "cudax", "cuda:1x"}) {
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"peak", "--no-store"}, std::vector<std::string>{"run", "ch07"}}) {
      std::vector<std::string> all = words;
      all.insert(all.end(), {"--device", device});
      const Finished refused = box.run(all);
      EXPECT_EQ(refused.exit_code, 2) << device << refused.err;
      EXPECT_NE(refused.err.find("cuda:0"), std::string::npos) << refused.err;
    }
  }
}

TEST(CommandLine, NoTimeAtAllIsNoSpeedUp) {
  Sandbox box;
  box.give_ceilings();
  const Finished run = box.run({"run", "--plugin", plugin("pace"), "pace/instant", "--json", "--cell-seconds",
                                "0.2", "--max-rounds", "24", "--attempts", "1"});
  EXPECT_TRUE(run.exit_code == 0 || run.exit_code == 1 || run.exit_code == 9 || run.exit_code == 4)
      << run.exit_code;
  ASSERT_TRUE(run.json().contains("cells")) << run.err;
  const Json speedup = variant_of(only_cell(run.json()), "same")["speedup"];
  // A ratio is a finite number or there is none; a bound that is not known yet is written as the text "inf".
  const Json& ratio = speedup["ratio"];
  EXPECT_TRUE(!ratio.is_number() || std::isfinite(ratio.get<double>())) << speedup.dump();
  EXPECT_TRUE(ratio != "inf" && ratio != "-inf") << speedup.dump();
}

TEST(CommandLine, OutputThatCannotBeWrittenIsAnError) {
  Sandbox box;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"list"}, {"help"}, {"list", "--help"}, {"list", "--json"}}) {
    for (const char* target : {"/dev/full", "&-"}) {
      std::vector<std::string> words{"-c", std::string("exec \"$0\" \"$@\" >") + target, AISP_PROGRAM};
      words.insert(words.end(), command.begin(), command.end());
      const Finished failed = box.run(words, "/bin/sh");
      EXPECT_EQ(failed.exit_code, 7) << command.front() << target;
      const std::string said = "cannot write to stdout: ";
      EXPECT_NE(failed.err.find(said), std::string::npos) << command.front() << target;
      EXPECT_EQ(failed.err.find(said), failed.err.rfind(said)) << failed.err;
    }
  }
}

TEST(CommandLine, EveryCommandHasHelp) {
  Sandbox box;
  const Finished overview = box.run({"help"});
  EXPECT_EQ(overview.exit_code, 0);
  for (const char* command : {"list", "run", "compare", "verify", "show", "report", "export", "peak",
                              "doctor", "explain", "store", "replay", "new"}) {
    EXPECT_NE(overview.out.find(std::string("\n  ") + command + " "), std::string::npos) << command;
    const Finished help = box.run({command, "--help"});
    EXPECT_EQ(help.exit_code, 0) << command;
    EXPECT_NE(help.out.find("usage: aisp " + std::string(command)), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace aisp::testing

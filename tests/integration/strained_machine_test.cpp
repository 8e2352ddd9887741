// SPDX-License-Identifier: Apache-2.0
// Machines that are busy, narrow, tuned or not a whole machine: results stay honest and say where they come
// from.
#include <algorithm>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

std::vector<std::string> run_of(const std::string& name, const std::string& target,
                                const std::string& attempts = "1") {
  return {"run", "--plugin",     plugin(name), target,       "--json", "--cell-seconds",
          "0.3", "--max-rounds", "24",         "--attempts", attempts};
}

std::string fact_of(const Json& run, const std::string& name) {
  for (const Json& fact : run.value("manifest", Json::object()).value("facts", Json::array())) {
    if (fact["name"] == name && fact["value"].is_string()) return fact["value"].get<std::string>();
  }
  return "";
}

/// One process for every core the test may use, and one more, that never rests.
class FullLoad {
 public:
  FullLoad() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    for (int i = 0; i <= CPU_COUNT(&cores); ++i) {
      const pid_t pid = fork();
      if (pid == 0) {
        for (volatile bool on = true; on;) {
        }
      }
      spinning_.push_back(pid);
    }
  }
  ~FullLoad() {
    for (const pid_t pid : spinning_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  FullLoad(const FullLoad&) = delete;
  FullLoad& operator=(const FullLoad&) = delete;

 private:
  std::vector<pid_t> spinning_;
};

/// A variant that is the baseline's own code, called relevantly faster by a row that counts as valid.
bool has_false_win(const Json& cell) {
  for (const char* name : {"same", "twin"}) {
    const Json variant = variant_of(cell, name);
    if (variant.value("validity", "") != "valid" || !variant["speedup"].is_object()) continue;
    const Json& speedup = variant["speedup"];
    if (speedup["outcome"] == "faster" && !speedup["small"].get<bool>()) return true;
  }
  return false;
}

TEST(StrainedMachine, UnderFullLoadEqualCodeIsNotCalledFaster) {
  Sandbox box;
  box.give_ceilings();
  const FullLoad load;
  // One comparison in forty may err by chance; a bias would err again and again.
  bool always = true;
  for (int i = 0; always && i < 3; ++i) {
    const Finished run = box.run(run_of("pace", "pace/fast", "3"));
    ASSERT_TRUE(was_measured(variant_of(only_cell(run.json()), "same"))) << run.exit_code << run.err;
    EXPECT_NE(run.exit_code, 8) << "a slow machine is no fault of the code";
    always = has_false_win(only_cell(run.json()));
  }
  EXPECT_FALSE(always);
}

TEST(StrainedMachine, OneProcessorIsEnoughAndIsRecorded) {
  Sandbox box;
  box.give_ceilings();
  cpu_set_t all;
  CPU_ZERO(&all);
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  int first = 0;
  while (!CPU_ISSET(first, &all)) ++first;
  box.before_exec = [first] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0) _exit(125);
  };
  const Finished run = box.run(run_of("pace", "pace/fast"));
  ASSERT_TRUE(was_measured(variant_of(only_cell(run.json()), "same"))) << run.exit_code << run.err;
  EXPECT_EQ(fact_of(run.json(), "affinity"), std::to_string(first));
  EXPECT_FALSE(rejected_by(variant_of(only_cell(run.json()), "honest"), "threads_as_declared"));
}

TEST(StrainedMachine, VariablesThatTuneLibrariesAreRecorded) {
  Sandbox box;
  box.give_ceilings();
  EXPECT_EQ(fact_of(box.run(run_of("pace", "pace/fast")).json(), "variables that tune libraries"), "none");
  box.environment["GLIBC_TUNABLES"] = "glibc.malloc.tcache_count=0";
  const Finished run = box.run(run_of("pace", "pace/fast"));
  EXPECT_EQ(fact_of(run.json(), "variables that tune libraries"),
            "GLIBC_TUNABLES=glibc.malloc.tcache_count=0")
      << run.err;
}

/// As in a container whose only program is aisp: nobody else reaps, and signals without a handler are lost.
class FirstProcess : public ::testing::Test {
 protected:
  static std::vector<std::string> alone_in_a_namespace(const std::vector<std::string>& command) {
    std::vector<std::string> words{"--pid", "--fork", "--mount-proc", AISP_PROGRAM};
    words.insert(words.end(), command.begin(), command.end());
    return words;
  }
  void SetUp() override {
    box.give_ceilings();
    if (box.run({"--pid", "--fork", "--mount-proc", "true"}, "unshare").exit_code != 0)
      GTEST_SKIP() << "process namespaces are not allowed here";
  }
  Sandbox box;
};

TEST_F(FirstProcess, MeasuresAndContains) {
  const Finished run = box.run(alone_in_a_namespace(run_of("pace", "pace/fast")), "unshare");
  EXPECT_TRUE(was_measured(variant_of(only_cell(run.json()), "same"))) << run.exit_code << run.err;
  const Finished ended = box.run(alone_in_a_namespace(run_of("hostile", "hostile/exit0")), "unshare");
  EXPECT_EQ(ended.exit_code, 8) << ended.err;
  EXPECT_TRUE(was_measured(variant_of(only_cell(ended.json()), "twin")));
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

TEST_F(FirstProcess, IsEndedByTerm) {
  const std::filesystem::path beacon = box.root() / "beacon";
  box.environment["AISP_TEST_BEACON"] = beacon.string();
  Process outside = box.start(alone_in_a_namespace(run_of("pace", "pace/slow")), "unshare");
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  const std::vector<pid_t> first = outside.children();
  ASSERT_EQ(first.size(), 1u);
  kill(first.front(), SIGTERM);
  const Finished ended = outside.wait();
  EXPECT_EQ(ended.exit_code, 143) << ended.err;
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

}  // namespace
}  // namespace aisp::testing

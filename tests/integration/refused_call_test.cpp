// SPDX-License-Identifier: Apache-2.0
// Kernels that refuse a system call: the program says so or does without, and leaves nothing behind.
#include <gtest/gtest.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/refuse_call.h"
#include "tests/integration/run_json.h"

namespace aisp::testing {
namespace {

constexpr int kNotAllowed = 125;

struct Refusal {
  std::string name;
  RefusedCall call;
  std::string says;  ///< part of the message with exit code 4; empty = the run does without the call
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class RefusedSystemCall : public ::testing::TestWithParam<Refusal> {};

TEST_P(RefusedSystemCall, IsNamedOrDoneWithout) {
  const Refusal& refusal = GetParam();
  Sandbox box;
  box.give_ceilings();
  box.before_exec = [&] { refuse_call(refusal.call); };
  const Finished run = box.run({"run", "--plugin", plugin("pace"), "pace/fast", "--json", "--cell-seconds",
                                "0.2", "--max-rounds", "24", "--attempts", "1"});
  if (run.exit_code == kNotAllowed) GTEST_SKIP() << "this system call cannot be refused here";
  ASSERT_FALSE(run.timed_out);
  EXPECT_EQ(run.signal, 0);
  if (refusal.says.empty()) {
    EXPECT_TRUE(was_measured(variant_of(only_cell(run.json()), "honest"))) << run.exit_code << run.err;
  } else {
    EXPECT_EQ(run.exit_code, 4) << run.err;
    EXPECT_NE(run.err.find(refusal.says), std::string::npos) << run.err;
  }
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(
    Every, RefusedSystemCall,
    ::testing::Values(Refusal{"clone", {.number = SYS_clone, .error = EAGAIN}, "cannot start a worker"},
                      Refusal{"socketpair", {.number = SYS_socketpair, .error = EMFILE}, "no socket"},
                      Refusal{"pipe2", {.number = SYS_pipe2, .error = ENFILE}, "no pipe"},
                      Refusal{"memfd_create", {.number = SYS_memfd_create}, "no shared page"},
                      Refusal{"sched_setaffinity", {.number = SYS_sched_setaffinity, .error = EPERM}, ""},
                      Refusal{"close_range", {.number = SYS_close_range}, ""},
                      Refusal{"madvise", {.number = SYS_madvise, .error = EINVAL}, ""}),
    [](const auto& test) { return test.param.name; });

/// Without seccomp, workload code can start processes; they end with their worker all the same.
class WithoutSeccomp : public ::testing::TestWithParam<const char*> {};

TEST_P(WithoutSeccomp, NothingSurvives) {
  Sandbox box;
  box.give_ceilings();
  box.before_exec = [] {
    refuse_call({.number = SYS_prctl, .error = EINVAL, .first_argument = PR_SET_SECCOMP});
  };
  const std::string name = GetParam();
  const Finished run =
      box.run({"run", "--plugin", plugin("hostile"), "hostile/" + name, "--json", "--cell-seconds", "0.2",
               "--max-rounds", "24", "--attempts", "1", "--timeout", "1"});
  if (run.exit_code == kNotAllowed) GTEST_SKIP() << "this system call cannot be refused here";
  EXPECT_EQ(run.exit_code, 8) << run.err;
  const Json cell = only_cell(run.json());
  const std::string reason = reason_of(variant_of(cell, name));
  EXPECT_TRUE(reason.starts_with(name == "daemon" ? "exited: ended itself with exit code 3" : "timed out:"))
      << reason;
  EXPECT_TRUE(was_measured(variant_of(cell, "twin")));
  EXPECT_NE(cell["notes"].dump().find("not contained: the kernel refuses a seccomp filter"),
            std::string::npos)
      << cell["notes"];
  EXPECT_NE(box.run({"show", "latest"}).out.find("not contained"), std::string::npos);
  EXPECT_TRUE(box.survivors().empty()) << "a daemon outlived the run";
}

INSTANTIATE_TEST_SUITE_P(Every, WithoutSeccomp, ::testing::Values("daemon", "daemon_hang"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace aisp::testing

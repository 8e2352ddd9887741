// SPDX-License-Identifier: Apache-2.0
// Machines that lack something: descriptors, a home, a place for temporary files, short and plain paths.
#include <fstream>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tests/integration/aisp_process.h"
#include "tests/integration/run_json.h"
#include "tests/sanitized.h"

namespace aisp::testing {
namespace {

std::vector<std::string> quick_run() {
  return {"run", "--plugin",     plugin("pace"), "pace/fast",  "--json", "--cell-seconds",
          "0.2", "--max-rounds", "24",           "--attempts", "1"};
}

/// Measured, whatever the verdict on a busy machine.
void expect_measured(const Finished& run) {
  EXPECT_TRUE(was_measured(variant_of(only_cell(run.json()), "honest"))) << run.exit_code << run.err;
}

TEST(Environment, WithFewDescriptorsSaysSoOrWorks) {
  Sandbox box;
  box.give_ceilings();
  box.before_exec = [] {
    const rlimit few{16, 16};
    setrlimit(RLIMIT_NOFILE, &few);
  };
  std::vector<std::string> many = quick_run();
  many.back() = "8";
  const Finished run = box.run(many);
  EXPECT_FALSE(run.timed_out);
  if (run.exit_code == 4) {
    EXPECT_NE(run.err.find("limit of open files"), std::string::npos) << run.err;
  } else {
    EXPECT_NE(run.exit_code, 70) << run.err;
    EXPECT_NE(run.exit_code, 8) << run.out;
    EXPECT_EQ(run.signal, 0);
  }
  EXPECT_TRUE(box.alone());
  EXPECT_EQ(box.leftovers(), std::vector<std::string>{});
  EXPECT_EQ(box.run({"list"}).exit_code, 0);
}

TEST(Environment, WithoutTmpUsesWhatThereIs) {
  Sandbox box;
  box.give_ceilings();
  box.environment["TMPDIR"] = (box.root() / "nowhere").string();
  expect_measured(box.run(quick_run()));
}

/// Covers directories with empty, read-only ones, for the child alone. Exits with 125 where that is not
/// allowed.
void cover(std::initializer_list<const char*> directories) {
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) _exit(125);
  for (const char* directory : directories) {
    if (mount("none", directory, "tmpfs", MS_RDONLY, nullptr) != 0) _exit(125);
  }
}

TEST(Environment, WithoutProcSaysSo) {
  SKIP_WHEN_SANITIZED("it needs /proc itself");
  Sandbox box;
  box.give_ceilings();
  box.before_exec = [] { cover({"/proc"}); };
  const Finished run = box.run(quick_run());
  if (run.exit_code == 125) GTEST_SKIP() << "mount namespaces are not allowed here";
  EXPECT_EQ(run.exit_code, 4) << run.err;
  EXPECT_NE(run.err.find("/proc"), std::string::npos) << run.err;
  EXPECT_EQ(box.run({"list"}).exit_code, 0) << "listing needs no worker";
}

TEST(Environment, WithoutAnyPlaceForFilesSaysSo) {
  Sandbox box;
  box.give_ceilings();
  box.before_exec = [&] { cover({"/dev/shm", box.environment["TMPDIR"].c_str()}); };
  const Finished run = box.run(quick_run());
  if (run.exit_code == 125) GTEST_SKIP() << "mount namespaces are not allowed here";
  EXPECT_TRUE(run.exit_code == 4 || run.exit_code == 7) << run.exit_code << run.err;
  EXPECT_NE(run.err.find("TMPDIR"), std::string::npos) << run.err;
}

TEST(Environment, WithoutHomeAStoreMustBeNamed) {
  Sandbox box;
  box.give_ceilings();
  box.environment.erase("HOME");
  expect_measured(box.run(quick_run()));
  box.environment.erase("AISP_STORE");
  const Finished refused = box.run(quick_run());
  EXPECT_TRUE(refused.exit_code == 4 || refused.exit_code == 6) << refused.exit_code << refused.err;
  EXPECT_NE(refused.err.find("AISP_STORE"), std::string::npos) << refused.err;
  EXPECT_EQ(box.run({"list"}).exit_code, 0);
}

TEST(Environment, PathsMayHoldSpacesNewlinesAndAnyBytes) {
  Sandbox box;
  box.give_ceilings();
  const std::filesystem::path odd = box.root() / "odd \n name \xff'\"$";
  std::filesystem::create_directory(odd);
  std::filesystem::copy_file(plugin("pace"), odd / "p.so");
  std::filesystem::copy_file(box.store(), odd / "r.db");
  box.environment["TMPDIR"] = odd.string();
  std::vector<std::string> words = quick_run();
  words[2] = odd / "p.so";
  words.insert(words.end(), {"--store", odd / "r.db", "--report", odd / "report.html"});
  expect_measured(box.run(words));
  EXPECT_TRUE(std::filesystem::exists(odd / "report.html"));
  const Finished shown = box.run({"show", "latest", "--json", "--store", odd / "r.db"});
  expect_measured(shown);
}

TEST(Environment, LongPathsAreNamedNotCut) {
  Sandbox box;
  const std::string path = box.root() / std::string(200, 'd') / std::string(4000, 'x');
  const Finished refused = box.run({"list", "--plugin", path});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
}

TEST(Environment, AFileSizeLimitIsAnErrorNotACrash) {
  Sandbox box;
  box.give_ceilings();
  box.before_exec = [] {
    const rlimit small{4096, 4096};
    setrlimit(RLIMIT_FSIZE, &small);
  };
  const Finished run = box.run(quick_run());
  EXPECT_EQ(run.signal, 0) << "SIGXFSZ must not end the program";
  EXPECT_TRUE(run.exit_code == 6 || run.exit_code == 7) << run.exit_code << run.err;
  EXPECT_TRUE(box.alone());
}

TEST(Environment, EveryResultThatCouldNotBeStoredIsNamed) {
  Sandbox box;
  box.give_ceilings();
  const std::filesystem::path beacon = box.root() / "beacon", go = box.root() / "go";
  box.environment["AISP_TEST_BEACON"] = beacon.string();
  box.environment["AISP_TEST_GO"] = go.string();
  Process run = box.start({"run", "--plugin", plugin("waiting"), "waiting/once", "--param", "n=64,128",
                           "--cell-seconds", "0.2", "--max-rounds", "24", "--attempts", "1"});
  ASSERT_TRUE(eventually([&] { return std::filesystem::exists(beacon); }));
  const rlimit nearly_full{4000, 4000};  // room for what is small: that a cell was started
  ASSERT_EQ(prlimit(run.pid(), RLIMIT_FSIZE, &nearly_full, nullptr), 0);
  std::ofstream(go) << "go\n";
  const Finished ended = run.wait();
  EXPECT_TRUE(ended.exit_code == 6 || ended.exit_code == 7) << ended.exit_code << ended.err;
  const auto named = [&](const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = ended.err.find(what + " is not in the store", at)) != std::string::npos;
         ++at)
      ++count;
    return count;
  };
  EXPECT_EQ(named("cell_started of waiting/once"), 1u) << ended.err;
  EXPECT_EQ(named("cell_finished of waiting/once"), 3u) << "two when they happened, one at the end";
  EXPECT_EQ(named("run_finished"), 1u) << ended.err;
  EXPECT_NE(ended.err.find("is kept in"), std::string::npos) << ended.err;
  const std::string last = ended.err.substr(ended.err.rfind("aisp: "));
  EXPECT_NE(last.find("could not be kept in a journal either"), std::string::npos) << last;
}

TEST(Environment, InjectedLibrariesAreSeen) {
#ifdef AISP_SANITIZED
  GTEST_SKIP() << "a sanitizer insists on being loaded first";
#endif
  Sandbox box;
  box.give_ceilings();
  box.environment["LD_PRELOAD"] = "libm.so.6";
  const Finished run = box.run(quick_run());
  expect_measured(run);
  EXPECT_TRUE(rejected_by(variant_of(only_cell(run.json()), "honest"), "nothing_injected") ||
              run.exit_code == 4)
      << run.exit_code;
}

}  // namespace
}  // namespace aisp::testing

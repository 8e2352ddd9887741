// SPDX-License-Identifier: Apache-2.0
// A suite that Slurm or MPI place on hosts: a real Slurm of one node, a real mpirun, and what goes wrong
// before either is asked.
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/store.h"
#include "tests/integration/aisp_process.h"
#include "tests/integration/slurm_cluster.h"
#include "tests/needed_package.h"

namespace aisp::testing {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kFour{"pace/fast", "pace/instant", "pace/steady", "pace/sized"};

std::vector<std::string> quick(std::vector<std::string> workloads, const std::vector<std::string>& more) {
  std::vector<std::string> words{"run"};
  words.insert(words.end(), workloads.begin(), workloads.end());
  for (const char* word :
       {"--suite", "quick", "--cell-seconds", "0.2", "--attempts", "1", "--max-rounds", "24"})
    words.emplace_back(word);
  words.insert(words.end(), {"--plugin", plugin("pace")});
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// What the store holds, run by run; the chain must hold.
std::multiset<std::string> measured_workloads(const fs::path& file, std::size_t& runs) {
  std::multiset<std::string> names;
  Result<store::Store> store = store::Store::open(file, store::Access::read_only);
  EXPECT_TRUE(store) << file;
  if (!store) return names;
  const auto chain = store::check_chain(*store);
  EXPECT_TRUE(chain && !chain->broken) << "the chain of the merged store";
  const auto list = store->list({.limit = 100});
  EXPECT_TRUE(list);
  runs = list->size();
  for (const store::RunSummary& summary : *list) {
    EXPECT_EQ(summary.status, "finished") << summary.id;
    const Result<RunRecord> run = store->load(summary.id);
    EXPECT_TRUE(run) << summary.id;
    if (!run) continue;
    for (const CellResult& cell : run->cells) {
      EXPECT_FALSE(cell.variants.empty()) << cell.workload;
      names.insert(cell.workload);
    }
  }
  return names;
}

std::string content_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// For messages: what the tasks said.
std::string logs_in(const fs::path& folder) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".log") text += entry.path().string() + ":\n" + content_of(entry.path());
  return text;
}

bool has_mpi() { return ::access("/usr/bin/mpirun", X_OK) == 0; }

TEST(SlurmLauncher, FourTasksFillOneStore) {
  SlurmCluster cluster;
  if (!cluster.forbidden().empty()) GTEST_SKIP() << cluster.forbidden();
  SKIP_WITHOUT_PACKAGE(cluster.missing());
  Sandbox box;
  box.environment["SLURM_CONF"] = cluster.config();
  const Finished run = box.start(quick(kFour, {"--launcher", "slurm", "--tasks", "4", "--wait", "--json"}))
                           .wait(std::chrono::seconds(280));
  ASSERT_FALSE(run.timed_out) << run.err << logs_in(box.root());
  const Json json = run.json();
  ASSERT_EQ(json.value("schema", ""), "aisp.launch") << run.err;
  EXPECT_FALSE(json.value("job", "").empty());
  ASSERT_EQ(json["tasks"].size(), 4u);
  int worst = 0;
  for (const Json& task : json["tasks"]) {
    ASSERT_TRUE(task["exit_code"].is_number()) << json << logs_in(box.root());
    EXPECT_EQ(task["workloads"].size(), 1u);
    const int code = task["exit_code"];
    EXPECT_TRUE(code == 0 || code == 1 || code == 4 || code == 9) << code << logs_in(box.root());
    worst = std::max(worst, code);
  }
  EXPECT_EQ(run.exit_code == 0, worst == 0) << "the command ends as its tasks did";
  std::size_t runs = 0;
  EXPECT_EQ(measured_workloads(box.store(), runs), std::multiset<std::string>(kFour.begin(), kFour.end()));
  EXPECT_EQ(runs, 4u);
  EXPECT_EQ(json["runs"].size(), 4u);
  EXPECT_EQ(cluster.ask("squeue -h"), "") << "no job is left";
  EXPECT_TRUE(box.alone());
  EXPECT_TRUE(box.leftovers().empty());
}

TEST(SlurmLauncher, ADependentJobMergesWhenNobodyWaits) {
  SlurmCluster cluster;
  if (!cluster.forbidden().empty()) GTEST_SKIP() << cluster.forbidden();
  SKIP_WITHOUT_PACKAGE(cluster.missing());
  Sandbox box;
  box.environment["SLURM_CONF"] = cluster.config();
  const Finished run = box.run(quick({"pace/fast", "pace/steady"},
                                     {"--launcher", "slurm", "--launcher-option=--comment=a b", "--json"}));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const Json json = run.json();
  EXPECT_FALSE(json.value("merge_job", "").empty()) << run.out;
  EXPECT_EQ(json["tasks"].size(), 2u) << "no more tasks than workloads";
  ASSERT_TRUE(eventually([&] { return cluster.ask("squeue -h").empty(); }, std::chrono::seconds(240)))
      << logs_in(box.root());
  std::size_t runs = 0;
  EXPECT_EQ(measured_workloads(box.store(), runs), (std::multiset<std::string>{"pace/fast", "pace/steady"}))
      << logs_in(box.root());
  EXPECT_EQ(runs, 2u);
  // What merges may be run again.
  const fs::path folder = json.value("folder", "");
  EXPECT_EQ(box.run({(folder / "merge.sh").string()}, "/bin/bash").exit_code, 0);
  measured_workloads(box.store(), runs);
  EXPECT_EQ(runs, 2u);
  EXPECT_TRUE(box.alone());
}

TEST(SlurmLauncher, WhatSbatchRefusesIsAnErrorAndNothingIsMerged) {
  SlurmCluster cluster;
  if (!cluster.forbidden().empty()) GTEST_SKIP() << cluster.forbidden();
  SKIP_WITHOUT_PACKAGE(cluster.missing());
  Sandbox box;
  box.environment["SLURM_CONF"] = cluster.config();
  const Finished run = box.run(
      quick({"pace/fast"}, {"--launcher", "slurm", "--wait", "--launcher-option=--partition=nowhere"}));
  EXPECT_EQ(run.exit_code, 4) << run.out;
  EXPECT_NE(run.err.find("nowhere"), std::string::npos) << run.err;
  EXPECT_NE(run.err.find("`sbatch` ended with code"), std::string::npos) << run.err;
}

TEST(MpiLauncher, EveryRankFillsTheStore) {
  SKIP_WITHOUT_PACKAGE(has_mpi() ? "" : "mpirun is missing (package openmpi-bin)");
  Sandbox box;
  const Finished run =
      box.start(quick(kFour, {"--launcher", "mpi", "--tasks", "2", "--launcher-option=--oversubscribe",
                              "--launcher-option=--allow-run-as-root", "--json"}))
          .wait(std::chrono::seconds(280));
  ASSERT_FALSE(run.timed_out) << run.err << logs_in(box.root());
  const Json json = run.json();
  ASSERT_EQ(json["tasks"].size(), 2u) << run.err;
  for (const Json& task : json["tasks"]) EXPECT_TRUE(task["exit_code"].is_number()) << logs_in(box.root());
  std::size_t runs = 0;
  EXPECT_EQ(measured_workloads(box.store(), runs), std::multiset<std::string>(kFour.begin(), kFour.end()))
      << run.err << logs_in(box.root());
  EXPECT_EQ(runs, 2u);
  EXPECT_TRUE(box.alone());
}

TEST(MpiLauncher, SaysHowToMakeOnePageOfItsRuns) {
  SKIP_WITHOUT_PACKAGE(has_mpi() ? "" : "mpirun is missing (package openmpi-bin)");
  Sandbox box;
  const Finished run =
      box.start(quick({"pace/fast", "pace/steady"},
                      {"--launcher", "mpi", "--tasks", "2", "--launcher-option=--oversubscribe",
                       "--launcher-option=--allow-run-as-root"}))
          .wait(std::chrono::seconds(280));
  const std::string before = "one page of them: `aisp ";
  const std::size_t at = run.out.find(before);
  ASSERT_NE(at, std::string::npos) << run.out << run.err << logs_in(box.root());
  const std::size_t begin = at + before.size();
  std::istringstream said(run.out.substr(begin, run.out.find('`', begin) - begin));
  std::vector<std::string> words;
  for (std::string word; said >> word;) words.push_back(word);
  ASSERT_EQ(words.size(), 3u) << run.out;
  words.insert(words.end(), {"-o", "page.html"});
  const Finished report = box.run(words);
  ASSERT_EQ(report.exit_code, 0) << report.err;
  const std::string page = content_of(box.directory / "page.html");
  for (const char* workload : {"pace/fast", "pace/steady"})
    EXPECT_NE(page.find(std::string("<b>") + workload + "</b>"), std::string::npos);
}

TEST(MpiLauncher, AnInterruptedLaunchKeepsWhatIsFinishedAndLeavesNobodyBehind) {
  SKIP_WITHOUT_PACKAGE(has_mpi() ? "" : "mpirun is missing (package openmpi-bin)");
  Sandbox box;
  const fs::path beacon = box.root() / "beacon";
  box.environment["AISP_TEST_BEACON"] = beacon.string();
  Process process = box.start(quick({"pace/slow"}, {"--launcher", "mpi", "--cell-seconds", "600",
                                                    "--launcher-option=--allow-run-as-root"}));
  ASSERT_TRUE(eventually([&] { return fs::exists(beacon); }, std::chrono::seconds(200)));
  process.send(SIGINT);
  const Finished run = process.wait();
  EXPECT_EQ(run.exit_code, 130) << run.err;
  EXPECT_TRUE(box.alone());
  const Finished shown = box.run({"show", "--runs"});
  EXPECT_NE(shown.out.find("interrupted"), std::string::npos) << shown.out << run.out << run.err;
}

TEST(Launcher, DryRunPrintsAScriptThatTheShellAccepts) {
  for (const char* launcher : {"slurm", "mpi"}) {
    Sandbox box;
    const Finished dry = box.run(quick(kFour, {"--launcher", launcher, "--dry-run", "--tasks", "3"}));
    ASSERT_EQ(dry.exit_code, 0) << dry.err;
    EXPECT_EQ(dry.out.rfind("#!/bin/bash\n", 0), 0u) << dry.out;
    for (const std::string& workload : kFour) EXPECT_NE(dry.out.find(workload), std::string::npos) << dry.out;
    EXPECT_NE(dry.out.find(std::string(launcher) == "slurm" ? "#SBATCH --array=0-2" : "mpirun -n 3"),
              std::string::npos)
        << dry.out;
    EXPECT_NE(dry.out.find("--cell-seconds=0.2"), std::string::npos) << dry.out;
    const Finished syntax = box.run({"-n", box.write("script.sh", dry.out).string()}, "/bin/bash");
    EXPECT_EQ(syntax.exit_code, 0) << syntax.err;
    EXPECT_FALSE(fs::exists(box.store())) << "nothing was made";
  }
}

TEST(Launcher, AHostThatDoesNotSeeTheFolderSaysSo) {
  Sandbox box;
  const Finished dry = box.run(quick({"pace/fast"}, {"--launcher", "slurm", "--dry-run"}));
  box.environment["SLURM_ARRAY_TASK_ID"] = "0";
  const Finished task = box.run({box.write("script.sh", dry.out).string()}, "/bin/bash");
  EXPECT_EQ(task.exit_code, 4) << task.err;
  EXPECT_NE(task.err.find("--shared names a folder that every host sees"), std::string::npos) << task.err;
  box.environment["SLURM_ARRAY_TASK_ID"] = "7";
  EXPECT_EQ(box.run({(box.root() / "script.sh").string()}, "/bin/bash").exit_code, 2);
}

struct Refusal {
  std::vector<std::string> words;
  int code;
  std::string says;
};

TEST(Launcher, BadInputIsRefusedBeforeAnythingIsSubmitted) {
  Sandbox box;
  const fs::path elsewhere = box.root() / "elsewhere";
  fs::create_directory(elsewhere);
  const std::string file = box.write("a_file", "").string();
  const std::vector<Refusal> refusals{
      {{"--launcher", "slurm", "--shared", "/no/such/folder"}, 3, "/no/such/folder"},
      {{"--launcher", "slurm", "--shared", file}, 3, "is not a folder"},
      {{"--launcher", "slurm", "--shared", elsewhere.string()}, 2, "--wait merges here"},
      {{"--launcher", "slurm", "--launcher-option", "partition=gpu"}, 2, "is no option"},
      {{"--launcher", "slurm", "--launcher-option=--array=0-99"}, 2, "--tasks"},
      {{"--launcher", "slurm", "--report", "x.html"}, 2, "--report does not go with --launcher slurm"},
      {{"--launcher", "mpi", "--resume"}, 2, "--resume does not go with --launcher mpi"},
      {{"--launcher", "pbs"}, 2, "local, slurm, mpi"},
      {{"--launcher", "slurm", "--tasks", "0"}, 2, "--tasks"},
      {{"--tasks", "3"}, 2, "--tasks has no effect on this machine alone"},
      {{"--launcher", "slurm", "--store", "postgres://ann@db.lab/aisp"}, 2, "--shared DIR"},
  };
  for (const Refusal& refusal : refusals) {
    const Finished run = box.run(quick({"pace/fast"}, refusal.words));
    EXPECT_EQ(run.exit_code, refusal.code) << run.err;
    EXPECT_NE(run.err.find(refusal.says), std::string::npos) << run.err;
  }
  EXPECT_FALSE(fs::exists(box.store())) << "nothing was made";
  box.environment["PATH"] = elsewhere.string();
  for (const auto& [launcher, program] : {std::pair{"slurm", "sbatch"}, std::pair{"mpi", "mpirun"}}) {
    const Finished run = box.run(quick({"pace/fast"}, {"--launcher", launcher}));
    EXPECT_EQ(run.exit_code, 4) << run.err;
    EXPECT_NE(run.err.find("there is no `" + std::string(program) + "` in PATH"), std::string::npos)
        << run.err;
  }
}

/// Folders of launches beside the store.
std::vector<fs::path> launch_folders(const Sandbox& box) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(box.root()))
    if (entry.path().filename().string().starts_with("aisp-launch-")) found.push_back(entry.path());
  return found;
}

/// Programs in place of sbatch and mpirun, which refuse at once, or only after a task began.
TEST(Launcher, LeavesAFolderOnlyWhereATaskBegan) {
  Sandbox box;
  const auto replace = [&](const std::string& program, const std::string& does) {
    fs::create_directories(box.root() / "bin");
    const fs::path file = box.write("bin/" + program, "#!/bin/sh\n" + does + "\n");
    fs::permissions(file, fs::perms::owner_all);
  };
  box.environment["PATH"] = (box.root() / "bin").string() + ":/usr/bin:/bin";
  for (const auto& [launcher, program] : {std::pair{"slurm", "sbatch"}, std::pair{"mpi", "mpirun"}}) {
    replace(program, "echo refused >&2; exit 3");
    const Finished refused = box.run(quick({"pace/fast"}, {"--launcher", launcher}));
    EXPECT_EQ(refused.exit_code, 4) << refused.out << refused.err;
    EXPECT_NE(refused.err.find("no task began"), std::string::npos) << refused.err;
    EXPECT_TRUE(launch_folders(box).empty()) << launcher;
  }
  // Its last words are the script and "rank".
  replace("mpirun", R"(for word; do script=$last; last=$word; done
echo began > "$(dirname "$script")/task-0.log"; exit 3)");
  const Finished failed = box.run(quick({"pace/fast"}, {"--launcher", "mpi"}));
  EXPECT_EQ(failed.exit_code, 4) << failed.out << failed.err;
  ASSERT_EQ(launch_folders(box).size(), 1u) << failed.err;
  const std::string kept = launch_folders(box)[0].string() + " is kept for the logs of its tasks";
  EXPECT_NE(failed.err.find(kept), std::string::npos) << failed.err;
}

/// Nor must the folder of the store be there already.
TEST(Launcher, AVariableDoesNotMakeTasksLaunchAgain) {
  SKIP_WITHOUT_PACKAGE(has_mpi() ? "" : "mpirun is missing (package openmpi-bin)");
  Sandbox box;
  box.environment["AISP_STORE"] = (box.root() / "new" / "folder" / "results.db").string();
  box.environment["AISP_LAUNCHER"] = "mpi";
  box.environment["AISP_TASKS"] = "1";
  box.environment["AISP_LAUNCHER_OPTION"] = "--allow-run-as-root";
  const Finished run = box.run(quick({"pace/fast"}, {}));
  std::size_t runs = 0;
  EXPECT_EQ(measured_workloads(box.environment["AISP_STORE"], runs),
            (std::multiset<std::string>{"pace/fast"}))
      << run.err << logs_in(box.root());
  EXPECT_EQ(runs, 1u);
}

}  // namespace
}  // namespace aisp::testing

// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch.h"

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "aisp/cli/json_document.h"
#include "aisp/cli/launch_child.h"
#include "aisp/cli/launch_gather.h"
#include "aisp/cli/launch_plan.h"
#include "aisp/cli/output_file.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/interrupt.h"
#include "aisp/report/text.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoSettings = "# Empty: launch.sh says all that the tasks are to know.\n";

std::string counted(std::size_t n, const std::string& what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string first_line(const fs::path& file) {
  std::ifstream text(file);
  std::string line;
  std::getline(text, line);
  return text.eof() && line.empty() ? "" : line;
}

/// sbatch says "12", or "12;cluster".
std::string job_of(const fs::path& output) {
  const std::string line = first_line(output);
  return line.substr(0, line.find(';'));
}

Status write_scripts(const Launch& launch) {
  std::error_code error;
  if (!fs::create_directory(launch.folder, error) || error)
    return Error{ErrorCode::io, "cannot make " + launch.folder.string() + ": " + error.message(),
                 "--shared takes another folder"};
  // Flags come from the script; files of the hosts have no say.
  if (const Status wrote = write_output((launch.folder / "aisp.toml").string(), kNoSettings, "--shared");
      !wrote)
    return wrote;
  const auto script = [&](const char* name, const std::string& text) -> Status {
    const fs::path file = launch.folder / name;
    if (const Status wrote = write_output(file.string(), text, "--shared"); !wrote) return wrote;
    fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add, error);
    return Ok{};
  };
  if (const Status wrote = script("launch.sh", task_script(launch)); !wrote) return wrote;
  return launch.merges() ? script("merge.sh", merge_script(launch)) : Status(Ok{});
}

int print_scripts(const Arguments& arguments, const Launch& launch) {
  std::string text;
  if (arguments.json()) {
    Json json{{"launcher", arguments.text("launcher")},
              {"folder", printable_utf8(launch.folder.string())},
              {"tasks", Json(launch.slices)},
              {"script", printable_utf8(task_script(launch))},
              {"merge_script", nullptr}};
    if (launch.merges()) json["merge_script"] = printable_utf8(merge_script(launch));
    text = json_document("launch_plan", json);
  } else {
    text = task_script(launch);
    if (launch.merges()) text += "\n# ---- merge.sh ----\n" + merge_script(launch);
  }
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

/// One launch from its submission to its end, or to where Slurm takes over.
class Launching {
 public:
  Launching(const Arguments& arguments, const Launch& launch, store::Store& results)
      : arguments_(arguments), launch_(launch), results_(results), progress_(arguments) {}

  int slurm(const std::string& sbatch) {
    std::vector<std::string> words{sbatch, "--parsable", "--export=ALL",
                                   "--chdir=" + launch_.folder.string()};
    const bool wait = arguments_.has("wait");
    if (wait) words.emplace_back("--wait");
    words.push_back((launch_.folder / "launch.sh").string());
    const int code = follow(words, "sbatch.out");
    if (code < 0) return remove_folder(), -code;
    job_ = job_of(launch_.folder / "sbatch.out");
    // Interrupted, it may have submitted the job and not come to say so.
    if (job_.empty()) return give_up("sbatch", code, "sbatch.out", harness::interrupted() == 0);
    if (wait) return harness::interrupted() != 0 ? leave() : finish("", 0);
    if (launch_.merges()) {
      const int merged = follow({sbatch, "--parsable", "--export=ALL", "--chdir=" + launch_.folder.string(),
                                 "--dependency=afterany:" + job_, (launch_.folder / "merge.sh").string()},
                                "sbatch-merge.out");
      if (merged < 0) return -merged;
      merge_job_ = job_of(launch_.folder / "sbatch-merge.out");
      if (merge_job_.empty()) {
        return fail(arguments_, {ErrorCode::environment, "job " + job_ + " runs; " + ended("sbatch", merged),
                                 "when it has ended, run " + (launch_.folder / "merge.sh").string()});
      }
    }
    return announce();
  }

  int mpi() {
    const int code = follow({"/bin/bash", (launch_.folder / "launch.sh").string()}, "mpirun.out");
    if (code < 0) return remove_folder(), -code;
    if (code != 0 && !began()) return give_up("mpirun", code, "mpirun.out", true);
    return finish("mpirun", code);
  }

 private:
  /// Whether a task left anything: a log, a part, its exit code.
  bool began() const {
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(launch_.folder, ignored)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with("task-") || name.starts_with("part-")) return true;
    }
    return false;
  }

  void remove_folder() const {
    std::error_code ignored;
    fs::remove_all(launch_.folder, ignored);
  }

  /// "what it said is above; FOLDER is kept for ...".
  std::string kept_for(const char* what) const {
    return "what it said is above; " + launch_.folder.string() + " is kept for " + what;
  }

  /// No task began. Scripts that nobody runs are of no use to anybody.
  int give_up(const char* program, int code, const char* output, bool surely) {
    const std::string said = first_line(launch_.folder / output);
    if (surely) remove_folder();
    return fail(arguments_, {ErrorCode::environment, ended(program, code) + (said.empty() ? "" : ": " + said),
                             surely ? "what it said is above; no task began, and its scripts are removed"
                                    : kept_for("a job that may have been submitted: `squeue` tells")});
  }

  static std::string ended(const std::string& program, int code) {
    return fmt::format("`{}` ended with code {}", program, code);
  }

  /// The exit code of the program; that of this command, negative, when it could not be started.
  int follow(const std::vector<std::string>& words, const char* output) {
    const Result<LaunchChild> child = LaunchChild::start(words, launch_.folder / output);
    if (!child) return -fail(arguments_, child.error());
    const std::size_t all = launch_.slices.size();
    const int code = child->wait([&] {
      const std::size_t done = ended_tasks(launch_);
      progress_.show(static_cast<double>(done) / static_cast<double>(all),
                     fmt::format("{} of {} ended", done, counted(all, "task")));
    });
    progress_.clear();
    return code;
  }

  Json description() const {
    Json json{{"launcher", arguments_.text("launcher")},
              {"folder", printable_utf8(launch_.folder.string())},
              {"store", printable_utf8(results_.file().string())},
              {"job", job_.empty() ? Json() : Json(printable_utf8(job_))},
              {"merge_job", merge_job_.empty() ? Json() : Json(printable_utf8(merge_job_))},
              {"tasks", Json::array()}};
    for (const auto& slice : launch_.slices) json["tasks"].push_back({{"workloads", slice}});
    return json;
  }

  /// Submitted; Slurm does the rest.
  int announce() {
    std::string text;
    if (arguments_.json()) {
      text = json_document("launch", description());
    } else {
      text = fmt::format("job {}: {}, logs in {}\n", job_, counted(launch_.slices.size(), "task"),
                         launch_.folder.string());
      text += merge_job_.empty()
                  ? "results go to " + results_.file().string() + "\n"
                  : fmt::format("job {} merges the results into {}\n", merge_job_, results_.file().string());
    }
    return print(text) ? 0 : static_cast<int>(ErrorCode::io);
  }

  /// Interrupted while Slurm's job runs: it is Slurm's, and goes on.
  int leave() {
    progress_.note(fmt::format("job {} goes on; `scancel {}` ends it, {} merges what it measured", job_, job_,
                               (launch_.folder / "merge.sh").string()));
    return 128 + harness::interrupted();
  }

  /// All tasks ended, well or not: what they measured goes into the store.
  int finish(const std::string& program, int program_code) {
    const Gathered gathered = gather(launch_, results_);
    int code = 0;
    Json json = description();
    std::string text;
    for (std::size_t i = 0; i < launch_.slices.size(); ++i) {
      const std::optional<int> ended = gathered.exit_codes[i];
      code = worse_exit(code, ended.value_or(kExitUnproven));
      json["tasks"][i]["exit_code"] = to_json(ended);
      text += fmt::format("task {}: {}, ", i, counted(launch_.slices[i].size(), "workload"));
      text += ended ? fmt::format("exit code {}", *ended) : "did not come to its end";
      text += ended == 0 ? "\n" : "; see " + (launch_.folder / log_name(i)).string() + "\n";
    }
    json["runs"] = gathered.runs;
    for (const std::string& run : gathered.runs) text += "run " + report::visible(run) + "\n";
    text += launch_.merges() ? fmt::format("{} merged into {}\n", counted(gathered.runs.size(), "run"),
                                           results_.file().string())
                             : "results are in " + results_.file().string() + "\n";
    if (gathered.runs.size() > 1) {
      text += "one page of them: `aisp report";
      for (const std::string& run : gathered.runs) text += " " + report::visible(run);
      text += "`\n";
    }
    if (!print(arguments_.json() ? json_document("launch", json) : text))
      return static_cast<int>(ErrorCode::io);
    for (const Error& problem : gathered.problems) code = worse_exit(code, fail(arguments_, problem));
    if (harness::interrupted() != 0) return 128 + harness::interrupted();
    if (program_code != 0) {
      return worse_exit(code, fail(arguments_, {ErrorCode::environment, ended(program, program_code),
                                                kept_for("the logs of its tasks")}));
    }
    return code;
  }

  const Arguments& arguments_;
  const Launch& launch_;
  store::Store& results_;
  Progress progress_;
  std::string job_, merge_job_;
};

}  // namespace

int launch(const Arguments& arguments, const RunConfig& config,
           const std::vector<harness::PlannedCell>& cells) {
  Result<Launch> planned = plan_launch(arguments, config, cells);
  if (!planned) return fail(arguments, planned.error());
  if (arguments.has("dry-run")) return print_scripts(arguments, *planned);
  const Result<std::string> program =
      find_program(planned->launcher == Launcher::slurm ? "sbatch" : "mpirun");
  if (!program) return fail(arguments, program.error());
  // Noticed now, not when everything is measured.
  Result<store::Store> results = open_store(arguments, store::Access::read_write);
  if (!results) return fail(arguments, results.error());
  // Tasks inherit it: the script is no place for a password.
  if (!planned->merges()) ::setenv("AISP_STORE", arguments.text("store").c_str(), 1);
  if (const Status wrote = write_scripts(*planned); !wrote) return fail(arguments, wrote.error());
  harness::install_interrupt_handlers();
  Launching launching(arguments, *planned, *results);
  return planned->launcher == Launcher::slurm ? launching.slurm(*program) : launching.mpi();
}

}  // namespace aisp::cli

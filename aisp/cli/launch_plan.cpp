// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch_plan.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>

#include <unistd.h>

#include "aisp/cli/measuring.h"
#include "aisp/cli/results.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/version.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

namespace fs = std::filesystem;

/// sbatch's own of these would contradict the script.
constexpr std::array kOurs{"--array",      "-a", "--wait",  "-W",  "--wrap",
                           "--output",     "-o", "--chdir", "-D",  "--export",
                           "--dependency", "-d", "-n",      "-np", "--ntasks"};

Status check_option(const std::string& option) {
  const std::string name = option.substr(0, option.find_first_of("= "));
  if (!option.starts_with('-') || option.find_first_of("\n\r") != std::string::npos) {
    return Error{ErrorCode::usage, "--launcher-option '" + option + "' is no option",
                 "write it as sbatch or mpirun takes it: --launcher-option=--partition=gpu"};
  }
  if (std::ranges::find(kOurs, name) == kOurs.end()) return Ok{};
  return Error{ErrorCode::usage, "--launcher-option " + name + " is set by aisp itself",
               "--tasks says how many tasks, --wait waits for them"};
}

/// The flags of a run as the tasks are given them: what differs from the defaults, wherever it came from.
/// Files and variables of another host have no say.
std::vector<std::string> flags_for_tasks(const Arguments& arguments, const RunConfig& config) {
  std::vector<std::string> words;
  for (const Flag& flag : run_flags()) {
    if (flag.name == "plugin") continue;
    if (flag.kind == FlagKind::toggle) {
      if (arguments.has(flag.name)) words.push_back("--" + flag.name);
      continue;
    }
    for (const std::string& value : arguments.list(flag.name))
      if (value != flag.fallback) words.push_back("--" + flag.name + "=" + value);
  }
  for (const std::string& plugin : config.plugins) words.push_back("--plugin=" + plugin);
  if (arguments.has("combinations")) words.emplace_back("--combinations");
  return words;
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  const fs::path relative = file.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

Result<fs::path> usable_folder(const std::string& given) {
  std::error_code error;
  const fs::path folder = fs::canonical(given, error);
  const std::string hint = "--shared names a folder that every host sees, in which you may write";
  if (error) return Error{ErrorCode::bad_input, "shared folder " + given + ": " + error.message(), hint};
  if (!fs::is_directory(folder, error))
    return Error{ErrorCode::bad_input, "shared folder " + given + " is not a folder", hint};
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return Error{ErrorCode::bad_input, "shared folder " + given + " cannot be written to", hint};
  return folder;
}

/// Where scripts and parts go: --shared, or beside the store.
Result<fs::path> shared_folder(const Arguments& arguments, const std::string& store) {
  if (arguments.has("shared")) return usable_folder(arguments.text("shared"));
  if (store.empty()) {
    return Error{ErrorCode::usage, "scripts and logs of the tasks need a folder that every host sees",
                 "name it: --shared DIR"};
  }
  const fs::path beside = fs::path(store).parent_path();
  if (arguments.has("dry-run")) return beside;
  std::error_code told_next;
  fs::create_directories(beside, told_next);  // as the first run of all does
  return usable_folder(beside.string());
}

}  // namespace

Result<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    std::error_code ignored;
    if (access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate, ignored))
      return candidate.string();
  }
  return Error{ErrorCode::environment, "there is no `" + name + "` in PATH",
               name == "sbatch" ? "start it where Slurm's jobs are submitted; --dry-run prints the script"
                                : "install Open MPI, or load its module; --dry-run prints the script"};
}

Result<Launch> plan_launch(const Arguments& arguments, const RunConfig& config,
                           const std::vector<harness::PlannedCell>& cells) {
  Launch launch{.launcher = arguments.text("launcher") == "mpi" ? Launcher::mpi : Launcher::slurm,
                .id = new_run_id(),
                .version = version(),
                .program = {},
                .folder = {},
                .store = {},
                .slices = slices_of(cells, static_cast<std::size_t>(arguments.number("tasks"))),
                .flags = flags_for_tasks(arguments, config),
                .options = arguments.list("launcher-option")};
  for (const std::string& option : launch.options)
    if (const Status fine = check_option(option); !fine) return fine.error();
  std::error_code error;
  launch.program = fs::read_symlink("/proc/self/exe", error).string();
  if (error) return Error{ErrorCode::environment, "cannot tell where this program is", "mount /proc"};
  const Result<fs::path> store = store_place(arguments);
  if (!store) return store.error();
  if (!store::is_postgres_url(store->string()))
    launch.store = fs::weakly_canonical(fs::absolute(*store)).string();
  const Result<fs::path> shared = shared_folder(arguments, launch.store);
  if (!shared) return shared.error();
  launch.folder = *shared / ("aisp-launch-" + launch.id);
  const bool merged_elsewhere = launch.launcher == Launcher::slurm && !arguments.has("wait");
  if (launch.merges() && merged_elsewhere && !is_inside(launch.store, *shared)) {
    return Error{ErrorCode::usage,
                 "the job that merges may not see " + launch.store + ": it is not in " + shared->string(),
                 "--wait merges here; or name a store in that folder with --store"};
  }
  return launch;
}

}  // namespace aisp::cli

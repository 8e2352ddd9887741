// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch_flags.h"

#include <sstream>

namespace aisp::cli {
namespace {

/// Whether a flag stands on the command line itself; what variables and files say may be meant for other
/// runs.
bool is_typed(const Arguments& arguments, const std::string& name) {
  std::istringstream words(arguments.command_line);
  for (std::string word; words >> word;) {
    std::erase(word, '\'');
    if (word.substr(0, word.find('=')) == "--" + name) return true;
  }
  return false;
}

}  // namespace

std::vector<Flag> launch_flags() {
  return {{.name = "launcher",
           .kind = FlagKind::choice,
           .help = "who starts it: this machine, or Slurm or MPI on several hosts",
           .value = "LAUNCHER",
           .fallback = "local",
           .choices = {"local", "slurm", "mpi"}},
          {.name = "tasks",
           .kind = FlagKind::integer,
           .help = "slurm, mpi: into how many parts the workloads are dealt",
           .value = "N",
           .fallback = "4",
           .low = 1,
           .high = 10000},
          {.name = "shared",
           .kind = FlagKind::text,
           .help = "slurm, mpi: a folder that every host sees [the store's]",
           .value = "DIR"},
          {.name = "launcher-option",
           .kind = FlagKind::list,
           .help = "slurm, mpi: an option of sbatch or mpirun, for example =--partition=gpu",
           .value = "OPTION"},
          {.name = "wait",
           .kind = FlagKind::toggle,
           .help = "slurm: wait for the job and merge here (mpi always does)"}};
}

bool is_launched(const Arguments& arguments) { return arguments.text("launcher") != "local"; }

Status check_launch_flags(const Arguments& arguments) {
  if (!is_launched(arguments)) {
    for (const char* name : {"tasks", "shared", "launcher-option", "wait"}) {
      if (is_typed(arguments, name))
        return Error{ErrorCode::usage, "--" + std::string(name) + " has no effect on this machine alone",
                     "add --launcher slurm or --launcher mpi, or leave it out"};
    }
    return Ok{};
  }
  for (const char* name : {"resume", "report", "events", "ladder", "tuned"}) {
    if (arguments.has(name))
      return Error{
          ErrorCode::usage,
          "--" + std::string(name) + " does not go with --launcher " + arguments.text("launcher"),
          "every task is a run of its own; `aisp report RUN RUN ...` makes one page of them afterwards"};
  }
  return Ok{};
}

}  // namespace aisp::cli

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The scripts by which Slurm or MPI run a suite on several hosts, as text. Nothing is started here.
///
///   write(folder / "launch.sh", task_script(launch));
///   if (launch.merges()) write(folder / "merge.sh", merge_script(launch));
///
/// Every host measures into a file of its own in a folder that all of them see, because SQLite must not have
/// writers on two hosts; merge.sh joins the files. A store on a server has no parts: tasks write to it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "aisp/harness/plan.h"

namespace aisp::cli {

enum class Launcher { slurm, mpi };

struct Launch {
  Launcher launcher = Launcher::slurm;
  std::string id;                                ///< in the names of the job and the folder
  std::string version;                           ///< of this program
  std::string program;                           ///< this program, where every host finds it
  std::filesystem::path folder;                  ///< scripts, parts, logs; seen by every host
  std::string store;                             ///< the file that the parts go into; empty: a server's store
  std::vector<std::vector<std::string>> slices;  ///< workloads of each task
  std::vector<std::string> flags;                ///< of `aisp run` in every task
  std::vector<std::string> options;              ///< of sbatch or mpirun

  bool merges() const { return !store.empty(); }
};

/// Names of what a task leaves in the folder.
std::string log_name(std::size_t task);
std::string code_name(std::size_t task);

/// The workloads of the cells, dealt out so that every task has about as many cells; at most `tasks` slices,
/// none of them empty.
std::vector<std::vector<std::string>> slices_of(const std::vector<harness::PlannedCell>& cells,
                                                std::size_t tasks);

/// Slurm: what sbatch takes. MPI: what bash runs, once to start mpirun and in every rank.
std::string task_script(const Launch& launch);
/// Joins whatever parts there are; may be run again.
std::string merge_script(const Launch& launch);

/// One word for a shell, whatever is in it.
std::string shell_quoted(const std::string& word);

}  // namespace aisp::cli

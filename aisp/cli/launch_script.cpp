// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/launch_script.h"

#include <algorithm>

#include <fmt/format.h>

namespace aisp::cli {
namespace {

std::string quoted_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + shell_quoted(word);
  return text;
}

/// "--partition=gpu" is one word, "--hostfile my hosts" a name and its value.
std::string option_words(const std::string& option) {
  const std::size_t end = option.find_first_of("= ");
  if (end == std::string::npos || option[end] == '=') return shell_quoted(option);
  return quoted_words({option.substr(0, end), option.substr(end + 1)});
}

std::size_t workloads_of(const Launch& launch) {
  std::size_t count = 0;
  for (const auto& slice : launch.slices) count += slice.size();
  return count;
}

std::string directives(const Launch& launch) {
  std::string text;
  for (const std::string& option : launch.options) text += "#SBATCH " + option_words(option) + "\n";
  return text;
}

/// Both scripts begin so; a host that lacks something says what and where.
std::string place(const Launch& launch) {
  return "folder=" + shell_quoted(launch.folder.string()) + "\naisp=" + shell_quoted(launch.program) + R"(
if ! cd "$folder"; then
  echo "aisp: $(hostname) does not see $folder; --shared names a folder that every host sees" >&2
  exit 4
fi
if [ ! -x "$aisp" ]; then
  echo "aisp: $(hostname) does not see $aisp; install aisp where every host finds it" >&2
  exit 4
fi
)";
}

/// Takes what is in "$task".
std::string measuring(const Launch& launch) {
  std::string text = "case $task in\n";
  for (std::size_t i = 0; i < launch.slices.size(); ++i)
    text += fmt::format("  {}) set -- {} ;;\n", i, quoted_words(launch.slices[i]));
  text += "  *) echo \"aisp: there is no task '$task'\" >&2; exit 2 ;;\nesac\n" + place(launch);
  if (launch.merges()) {
    // One file for each host, so that its ceilings are measured once.
    text += R"(# Tasks that are on one host take turns: beside each other they would disturb each other.
part=part-$(hostname).db
exec 9> "host-$(hostname).lock" && flock 9 || part=part-$(hostname)-$task.db
export AISP_STORE="$folder/$part"
)";
  } else {
    // Its URL may hold a password, which has no place in a file.
    text += R"(# Tasks that are on one host take turns: beside each other they would disturb each other.
exec 9> "host-$(hostname).lock" && flock 9
: "${AISP_STORE:?names the server that takes the results}"
)";
  }
  return text + "\"$aisp\" run \"$@\" --launcher local --config aisp.toml" +
         (launch.flags.empty() ? "" : " " + quoted_words(launch.flags)) + R"( 9>&-
code=$?
echo $code > "task-$task.code.new" && mv "task-$task.code.new" "task-$task.code"
)";
}

std::string slurm_script(const Launch& launch) {
  return "#SBATCH --job-name=aisp-" + launch.id +
         fmt::format("\n#SBATCH --array=0-{}\n", launch.slices.size() - 1) +
         "#SBATCH --nodes=1\n#SBATCH --ntasks=1\n"
         "#SBATCH --exclusive\n"  // whoever shares a host with a measurement spoils it
         "#SBATCH --output=task-%a.log\n#SBATCH --open-mode=append\n" +
         directives(launch) + "\ntask=${SLURM_ARRAY_TASK_ID:-}\n" + measuring(launch) + "exit $code\n";
}

std::string mpi_script(const Launch& launch) {
  std::string options;
  for (const std::string& option : launch.options) options += " " + option_words(option);
  // A rank that ends with another code than 0 would end all others: the code is left in a file.
  return "\n# One rank on each host as long as there are hosts, and all cores of it for that rank.\n"
         "if [ \"${1:-}\" != rank ]; then\n" +
         fmt::format("  exec mpirun -n {} --map-by node --bind-to none{}{} bash {} rank\nfi\n",
                     launch.slices.size(), launch.merges() ? "" : " -x AISP_STORE", options,
                     shell_quoted((launch.folder / "launch.sh").string())) +
         "task=${OMPI_COMM_WORLD_RANK:-${PMIX_RANK:-${PMI_RANK:-}}}\n"
         "shift\n"
         "exec >> " +
         shell_quoted(launch.folder.string()) + "/\"task-$task.log\" 2>&1\n" + measuring(launch) + "exit 0\n";
}

}  // namespace

std::string log_name(std::size_t task) { return fmt::format("task-{}.log", task); }
std::string code_name(std::size_t task) { return fmt::format("task-{}.code", task); }

std::string shell_quoted(const std::string& word) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-+=./:,@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, plain)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::vector<std::vector<std::string>> slices_of(const std::vector<harness::PlannedCell>& cells,
                                                std::size_t tasks) {
  struct Share {
    std::string workload;
    std::size_t cells = 0;
  };
  std::vector<Share> shares;
  for (const harness::PlannedCell& cell : cells) {
    const auto known = std::ranges::find(shares, cell.workload.id, &Share::workload);
    if (known != shares.end()) {
      ++known->cells;
    } else {
      shares.push_back({cell.workload.id, 1});
    }
  }
  // The largest first, each to the task that has least: sampling takes about as long for every cell.
  std::ranges::stable_sort(shares, std::greater{}, &Share::cells);
  std::vector<std::vector<std::string>> slices(std::min(tasks, shares.size()));
  std::vector<std::size_t> loads(slices.size());
  for (const Share& share : shares) {
    const auto least = static_cast<std::size_t>(std::ranges::min_element(loads) - loads.begin());
    slices[least].push_back(share.workload);
    loads[least] += share.cells;
  }
  for (auto& slice : slices) std::ranges::sort(slice);
  return slices;
}

std::string task_script(const Launch& launch) {
  const std::string head =
      "#!/bin/bash\n" + fmt::format("# aisp {} wrote this: {} workload{} for {} task{}.{}\n", launch.version,
                                    workloads_of(launch), workloads_of(launch) == 1 ? "" : "s",
                                    launch.slices.size(), launch.slices.size() == 1 ? "" : "s",
                                    launch.merges() ? " merge.sh joins what they measure." : "");
  return head + (launch.launcher == Launcher::slurm ? slurm_script(launch) : mpi_script(launch));
}

std::string merge_script(const Launch& launch) {
  std::string text =
      "#!/bin/bash\n# Joins the parts of this folder in one store; what is there already is "
      "left alone.\n";
  if (launch.launcher == Launcher::slurm) {
    text += "#SBATCH --job-name=aisp-merge-" + launch.id +
            "\n#SBATCH --nodes=1\n#SBATCH --ntasks=1\n#SBATCH --output=merge.log\n" + directives(launch) +
            "\n";
  }
  // Each by itself: a part that is damaged does not keep the others out.
  return text + place(launch) + "code=0\nfor task in " +
         fmt::format("$(seq 0 {})", launch.slices.size() - 1) + R"(; do
  [ ! -e "task-$task.code" ] || continue
  code=4
  echo "aisp: task $task did not come to its end; see task-$task.log" >&2
done
for part in part-*.db; do
  [ -e "$part" ] || { echo "aisp: no task has left results here" >&2; exit 4; }
  if [ -e "$part.pending.jsonl" ]; then
    "$aisp" store migrate --store "$folder/$part" --config aisp.toml || code=$?
  fi
  "$aisp" store merge "$folder/$part" --config aisp.toml --store )" +
         shell_quoted(launch.store) + R"( || code=$?
done
exit $code
)";
}

}  // namespace aisp::cli

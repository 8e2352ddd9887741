// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/compare_forms.h"

#include "aisp/cli/commands.h"
#include "aisp/cli/run_config.h"

namespace aisp::cli {
namespace {

int run_compare(const Arguments& arguments) {
  if (arguments.has("build")) return compare_builds(arguments);
  if (arguments.positional.size() == 3) return compare_variants(arguments);
  if (arguments.positional.size() == 2) return compare_runs(arguments);
  return fail(arguments, {ErrorCode::usage, "name two runs, or a workload and two of its variants",
                          "`aisp compare --help` shows the forms"});
}

std::vector<Flag> compare_flags() {
  std::vector<Flag> all = run_flags();
  all.push_back({.name = "build",
                 .kind = FlagKind::list,
                 .help = "pair two builds of aisp, or of a plugin: OLD NEW",
                 .value = "PROGRAM|PLUGIN"});
  all.push_back({.name = "across", .kind = FlagKind::toggle, .help = "compare runs of different machines"});
  return all;
}

}  // namespace

const Command kCompare{
    .name = "compare",
    .summary = "Compares two variants, two stored runs or two builds; says when it cannot tell",
    .positional = "RUN RUN | WORKLOAD VARIANT VARIANT | WORKLOAD...",
    .flags = compare_flags(),
    .details =
        "aisp compare ch09/softmax three_pass avx2      measured now, in the same rounds\n"
        "aisp compare 20261115-1423 latest              stored runs, unpaired\n"
        "aisp compare ch09 --build ./aisp-old ./aisp-new   measured now, in alternation\n\n"
        "What is measured now is checked, judged and stored as `aisp run` does it.\n\n"
        "exit codes: 0 faster or equivalent, 1 slower or rejected by a guard, 4 unproven, 8 workload code "
        "crashed, 9 cannot tell",
    .run = run_compare};

}  // namespace aisp::cli

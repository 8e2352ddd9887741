// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/commands.h"

#include <algorithm>

#include "aisp/cli/analyze_stacking.h"

namespace aisp::cli {

const std::vector<const Command*>& commands() {
  static const std::vector<const Command*> list{&kList,
                                                &kRun,
                                                &kCompare,
                                                &kVerify,
                                                &kShow,
                                                &kReport,
                                                &kExport,
                                                &kPeak,
                                                &kDoctor,
                                                &kExplain,
                                                &kTune,
                                                &kReplay,
                                                &kExpectations,
                                                &kHistory,
                                                &kAnalyze,
                                                &kLeaderboard,
                                                &kPareto,
                                                &kTradeoffs,
                                                &kWhatif,
                                                &kScaling,
                                                &kPower,
                                                &kCost,
                                                &kRecommendations,
                                                &kStacking,
                                                &kServe,
                                                &kTui,
                                                &kStore,
                                                &kNew,
                                                &kUtils,
                                                &kKvCache,
                                                &kCostPerToken,
                                                &kClusterSize,
                                                &kProbeHw,
                                                &kWorker,
                                                &kHelp,
                                                &kVersion,
                                                &kCompletions,
                                                &kMan};
  return list;
}

const Command* find_command(std::string_view name) {
  for (const Command* command : commands()) {
    if (command->name == name || std::ranges::find(command->aliases, name) != command->aliases.end())
      return command;
  }
  return nullptr;
}

const std::vector<Flag>& common_flags() {
  static const std::vector<Flag> flags{
      {.name = "json", .kind = FlagKind::toggle, .help = "machine-readable output"},
      {.name = "quiet", .kind = FlagKind::toggle, .help = "no progress on stderr"},
      {.name = "no-color", .kind = FlagKind::toggle, .help = "no colours (NO_COLOR is respected too)"},
      {.name = "store",
       .kind = FlagKind::text,
       .help = "results file, or postgres://USER@HOST/DB",
       .value = "STORE"},
      {.name = "config",
       .kind = FlagKind::text,
       .help = "configuration instead of ./aisp.toml and the user's",
       .value = "FILE"},
  };
  return flags;
}

}  // namespace aisp::cli

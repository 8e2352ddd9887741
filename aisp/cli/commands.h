// SPDX-License-Identifier: Apache-2.0
/// \file
/// The commands there are; each is defined in the file of its name.
#pragma once

#include "aisp/cli/command.h"

namespace aisp::cli {

extern const Command kList, kRun, kCompare, kVerify, kShow, kReport, kExport, kPeak, kDoctor, kExplain,
    kStore, kReplay, kExpectations, kHistory, kNew, kTune, kUtils;
extern const Command kAnalyze, kLeaderboard, kPareto, kTradeoffs, kWhatif, kScaling, kPower, kCost,
    kRecommendations;
extern const Command kKvCache, kCostPerToken, kClusterSize, kProbeHw;  // `aisp utils`
extern const Command kServe, kTui;
extern const Command kWorker, kHelp, kVersion, kCompletions, kMan;

}  // namespace aisp::cli

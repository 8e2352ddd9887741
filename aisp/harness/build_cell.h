// SPDX-License-Identifier: Apache-2.0
/// \file
/// How what the workers of two builds report becomes one cell: every variant stands in it twice, as
/// "old/<variant>" and "new/<variant>". A third worker is the old build's again: builds are compared across
/// processes, so the A/A calibration must be too. Starts and asks nobody.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/harness/catalogue.h"
#include "aisp/harness/sampler.h"
#include "aisp/stats/sequential.h"

namespace aisp::harness {

inline constexpr std::array<const char*, 2> kBuildLabels{"old/", "new/"};

/// Whose worker it is.
enum Side : std::size_t { kOld, kNew, kOldAgain };

/// "new/tiled" for kNew and "tiled"; the old build's twice.
std::string labelled(std::size_t side, const std::string& name);
/// The ladder of the cell: each variant of the old build followed by the new build's.
std::vector<VariantInfo> labelled(const std::vector<VariantInfo>& variants);

/// What the old build is measured with again: a variant that is in every round. None where all of them take
/// so long that they are sampled in some rounds only.
std::string calibration_variant(const Opened& old_build);

/// What a worker said when it was ready, and at its end.
void take_opened(CellResult& cell, std::size_t side, const Opened& opened);
void take_closing(CellResult& cell, std::size_t side, Closing closing);

/// One side's part of a round. What discards it discards the pair.
void take_round(CellResult& cell, std::size_t side, const RoundReport& report, RoundRecord& round);

/// Every variant that both builds have is known to `precision`, build against build.
bool precise(const CellResult& cell, const std::vector<VariantInfo>& variants,
             const stats::SequentialPlan& plan, double precision);

}  // namespace aisp::harness

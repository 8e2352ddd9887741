// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which method derived the verdicts of a run.
#pragma once

namespace aisp {

/// Stands in every manifest. Raise it with every change after which the same samples and evidence give
/// another estimate, finding or verdict: a guard or a limit that is new or different, another estimator,
/// another derived field. `aisp store check` then knows older verdicts for older, not for forged. It stays
/// for changes of how samples are taken: those are in the samples.
inline constexpr int kMethod = 9;

}  // namespace aisp

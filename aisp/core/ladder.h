// SPDX-License-Identifier: Apache-2.0
/// \file
/// A workload's variants for another device, in a file of their own: same problem, same reference, same
/// checks, other sizes.
///
///   const LadderRegistration registered{{.workload = "ch07/reduction",
///                                        .device = DeviceKind::cuda,
///                                        .axes = {{"cols", {1 << 20}}},
///                                        .reference = reference_on_device,
///                                        .variants = {{"naive", naive}, {"shuffle", shuffle}}}};
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "aisp/core/workload.h"

namespace aisp {

struct Ladder {
  std::string workload;
  DeviceKind device = DeviceKind::cuda;
  std::optional<Bound> bound = {};  ///< where it is not what bounds the workload elsewhere
  std::vector<Axis> axes;
  DeviceReference reference;
  DeviceDraws draws = {};
  std::vector<Variant> variants;
  std::string source = {};  ///< file that registered it; filled in by LadderRegistration
};

/// The workload as it is measured on the ladder's device.
Workload on_ladder(const Workload& workload, const Ladder& ladder);

struct LadderRegistration {
  LadderRegistration(Ladder ladder,
                     const char* file = __builtin_FILE()) noexcept;  // NOLINT(google-explicit-constructor)
};

}  // namespace aisp

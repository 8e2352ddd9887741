// SPDX-License-Identifier: Apache-2.0
/// \file
/// A configuration: a variant with its tunables (core/tunable.h) at chosen values, by the name under which it
/// is measured, stored and shown, "tiled@tile=32". It is a variant of its own: in the same rounds as the
/// others, verified and judged as they are, and never taken for the variant that was declared.
///
///   configuration_name("tiled", {{"tile", 32}});           // "tiled@tile=32"
///   declared_name("tiled@tile=32");                        // "tiled"
///   with_configurations(workload, {"tiled@tile=32"});      // the workload with one more variant
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/core/workload.h"

namespace aisp {

/// Of one variant. More would leave each too little time to tell anything.
inline constexpr std::size_t kMostConfigurations = 256;

bool is_configuration(std::string_view variant);
/// "tiled" of "tiled@tile=32" and of "tiled".
std::string declared_name(std::string_view variant);
std::string configuration_name(const std::string& variant, const Params& values);

/// Every combination of the tunables' values, the fallbacks first; one without names where there are no
/// tunables.
std::vector<Params> all_values(std::span<const Tunable> tunables);

/// The tunables with the values that a configuration's name says as their fallbacks. An Error names what is
/// not declared.
Result<std::vector<Tunable>> chosen_in(std::string_view name, std::span<const Tunable> tunables);

/// Why a variant cannot run at this size with the values it has; nothing: it can.
std::optional<std::string> why_unavailable(const Variant& variant, const Params& sizes);

/// The workload with a variant more for every configuration among these names; the others are left alone.
Result<Workload> with_configurations(Workload workload, std::span<const std::string> names);
/// With all that its variants declare: what is verified.
Workload with_every_configuration(Workload workload);

/// Names what is wrong with a variant's tunables. Part of validate().
Status check_tunables(const Variant& variant, std::span<const Axis> axes);

}  // namespace aisp

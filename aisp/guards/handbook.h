// SPDX-License-Identifier: Apache-2.0
/// \file
/// What docs/handbook/guards.md says about a guard, compiled in: which evidence it looks at, its rule, and
/// what to do about a rejection.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aisp::guards {

/// The points of the guard's section, each with its name: {"Evidence", "outputs are filled ..."}. Empty for a
/// guard without a section, which a test forbids.
std::vector<std::pair<std::string, std::string>> handbook_points(std::string_view guard);

}  // namespace aisp::guards

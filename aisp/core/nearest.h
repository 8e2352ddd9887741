// SPDX-License-Identifier: Apache-2.0
/// \file
/// What somebody who mistyped a name may have meant.
///
///   nearest("transpos", {"ch07/transpose", "ch08/ilp"})   // {"ch07/transpose"}
#pragma once

#include <string>
#include <vector>

namespace aisp {

/// At most three of `known`, best first; none that differs in more than a third of its letters. The part
/// after a
/// '/' may stand for the whole name.
std::vector<std::string> nearest(const std::string& name, const std::vector<std::string>& known);

}  // namespace aisp

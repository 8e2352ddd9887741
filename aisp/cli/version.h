// SPDX-License-Identifier: Apache-2.0
/// \file
/// The version of this build.
#pragma once

#include <string>

namespace aisp::cli {

std::string version();

}  // namespace aisp::cli

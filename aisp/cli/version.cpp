// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/version.h"

namespace aisp::cli {

std::string version() { return AISP_VERSION; }

}  // namespace aisp::cli

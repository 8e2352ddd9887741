// SPDX-License-Identifier: Apache-2.0
/// \file
/// The OpenAPI 3.1 description of a table of routes.
#pragma once

#include <string>
#include <vector>

#include "aisp/server/route.h"

namespace aisp::server {

std::string openapi(const std::vector<Route>& routes, const std::string& version);

}  // namespace aisp::server

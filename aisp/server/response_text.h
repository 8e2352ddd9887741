// SPDX-License-Identifier: Apache-2.0
/// \file
/// A response as it goes over the wire.
#pragma once

#include <string>

#include "aisp/server/message.h"

namespace aisp::server {

/// `to` may be a HEAD, which gets the length of a body and none.
std::string response_text(const Response& response, const Request& to, bool keep_alive);

}  // namespace aisp::server

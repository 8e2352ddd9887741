// SPDX-License-Identifier: Apache-2.0
/// \file
/// A response as it goes over the wire.
#pragma once

#include <string>

#include "aisp/server/message.h"

namespace aisp::server {

/// `to` may be a HEAD, which gets the length of a body and none.
std::string response_text(const Response& response, const Request& to, bool keep_alive);

/// Of what is refused before a Service sees it; the connection ends with it.
std::string early_refusal_text(Response refused);

}  // namespace aisp::server

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What every response says to the browser that gets it, a refusal too that is made before anybody knows what
/// was asked.
#pragma once

#include "aisp/server/message.h"

namespace aisp::server {

/// No script but the dashboard's own, no guessing of types, nothing kept that was not meant to be. Who has
/// said how long it may be kept is left alone.
void add_protective_headers(Response& response);

}  // namespace aisp::server

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The dashboard's files, from a table: there is no path to climb out of.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "aisp/server/embedded.h"
#include "aisp/server/message.h"

namespace aisp::server {

/// `path` begins with "/". A path without a dot in its last part is one of the dashboard's own, which
/// index.html shows; any other that is not in the table is 404.
Response asset(std::span<const Embedded> files, const std::string& path, const Request& request);

/// "text/html; charset=utf-8" of "index.html".
std::string_view type_of(std::string_view path);

/// Whether a list such as "gzip;q=0.5, br" takes gzip.
bool accepts_gzip(std::string_view accept_encoding);

}  // namespace aisp::server

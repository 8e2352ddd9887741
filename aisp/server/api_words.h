// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a command says, for whoever asks over HTTP: commands and routes share their functions and flags, and
/// so their messages and help, but a flag is a parameter of the request there.
///
///   in_api_words("give --by twice, such as --by=time")     // "give 'by' twice, such as by=time"
///   in_api_words("`aisp show --runs` lists the stored runs")   // "/api/v1/runs lists the stored runs"
///
/// Between backquotes stands what is typed at the machine; it stays, but for what a route answers as well.
#pragma once

#include <string>
#include <string_view>

namespace aisp::server {

std::string in_api_words(std::string_view text);

}  // namespace aisp::server

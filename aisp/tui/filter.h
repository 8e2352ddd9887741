// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is typed after "/": words, all of which a row must have, in any case and any order.
#pragma once

#include <string_view>

namespace aisp::tui {

/// True for an empty filter.
bool has_words(std::string_view text, std::string_view filter);

}  // namespace aisp::tui

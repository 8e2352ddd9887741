// SPDX-License-Identifier: Apache-2.0
/// \file
/// The catalogue and the guards as plain text, for `aisp explain` and for whoever else shows them.
///
///   explain("9")             // the issue
///   explain("answer_fresh")  // the guard
///   explain("stale cache")   // words of a title
///
/// Never prints, and does not guess: for a misspelt name the caller suggests from names().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/guard.h"
#include "aisp/guards/catalogue.h"

namespace aisp::guards {

std::string explain(const Issue& issue);
std::string explain(const Guard& guard);
/// Empty where there is no such number or id.
std::string explain_issue(int number);
std::string explain_guard(std::string_view id);

/// By number ("9", "#9"), by guard id, by exact title, else by words that all occur in one title only;
/// nothing when none or several fit. Upper and lower case do not matter, nor do '-' and '_' for spaces.
std::optional<std::string> explain(std::string_view asked);

/// Titles in which all words of `asked` occur: what to offer when several fit.
std::vector<std::string> titles_matching(std::string_view asked);

/// Everything that can be asked for: guard ids, then titles of issues. For suggestions and completions.
std::vector<std::string> names();

/// One line for each guard ("id  question"), then one for each issue ("#9  Stale cache  [guard]").
std::string overview();

}  // namespace aisp::guards

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the screen looks like, as lines. One header line, the page, one line of keys; every page has a file
/// of its own.
#pragma once

#include <string>

#include "aisp/tui/state.h"

namespace aisp::tui {

inline constexpr Size kLeast{.columns = 60, .rows = 15};

/// Exactly size.rows lines of size.columns each.
Lines draw(const State& state, Size size);

/// Room for the page between the header and the keys.
inline int body_rows(Size size) { return size.rows - 2; }
/// Rows of the list on a page that has one.
int list_rows(const State& state, Size size);
/// How far a page can be scrolled.
int most_scroll(const State& state, Size size);

// The pages. Those that scroll return all they have; lists return what is on the screen.
Lines workloads_page(const State& state, Size size);
Lines results_page(const State& state, Size size);
Lines result_page(const State& state, Size size);
Lines explain_page(const State& state, Size size);
Lines compare_page(const State& state, Size size);
Lines setup_page(const State& state, Size size);
Lines live_page(const State& state, Size size);
Lines help_page(Size size);

/// "1.52x [1.49, 1.55]" as at the last look, or why there is none.
std::string ratio_text(const report::LookedVariant& variant);
/// The words `aisp run ...` as one would type them.
std::string command_text(const std::vector<std::string>& words);
/// "2026-11-16T06:15:07Z" as "11-16 06:15".
std::string short_time(const std::string& utc);

}  // namespace aisp::tui

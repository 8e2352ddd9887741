// SPDX-License-Identifier: Apache-2.0
/// \file
/// The ways in which a performance result can be wrong, as data: 95 issues in eleven groups, each with what
/// it means in native code, the incident behind it, and what aisp does about it today - which for some of
/// them is nothing yet.
///
///   const Issue* issue = find_issue(9);   // "Stale cache"
///   issue->cover;                         // Cover::guard
///   issue->guards[0];                     // "answer_fresh"
///
/// Not a promise: `cover` says what holds now, on the CPU and for authors who are trusted (shared workers).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace aisp::guards {

enum class Cover : std::uint8_t {
  by_construction,  ///< the way the harness is built leaves no room for it
  guard,            ///< a guard looks at the evidence and rejects, or withholds the proof
  recorded,         ///< the facts are stored and shown; nothing is rejected for them
  not_yet,          ///< not covered; `defence` says what is planned
};
std::string_view name_of(Cover cover);

struct Issue {
  int number = 0;             ///< 1 to 95, for good
  std::string_view category;  ///< "timing"
  std::string_view title;
  std::string_view meaning;   ///< what it is in native code
  std::string_view incident;  ///< what happened where it happened, or what would happen
  std::string_view defence;   ///< what aisp does about it, and what it does not
  Cover cover = Cover::not_yet;
  std::array<std::string_view, 6> guards{};  ///< ids of guards that look at it; empty = unused
};

/// All 95 by number.
std::span<const Issue> catalogue();
/// The issue of that number, or nothing.
const Issue* find_issue(int number);

}  // namespace aisp::guards

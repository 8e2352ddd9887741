// SPDX-License-Identifier: Apache-2.0
/// \file
/// How stored structs name their fields: once, in a static `fields(self, visit)`, from which JSON, hashing
/// and differences are derived (aisp/wire).
///
///   struct Point { double x = 0, y = 0; AISP_FIELDS(x, y) };
///
/// The macro only lists names; a struct without it cannot be stored.
#pragma once

// A macro does not expand itself, so each field leaves the call for the next one unfinished (AISP_FIELD_NEXT
// is not followed by its parentheses yet), and every rescan finishes one: 256 of them, for as many fields.
#define AISP_RESCAN(...) AISP_RESCAN_3(AISP_RESCAN_3(AISP_RESCAN_3(AISP_RESCAN_3(__VA_ARGS__))))
#define AISP_RESCAN_3(...) AISP_RESCAN_2(AISP_RESCAN_2(AISP_RESCAN_2(AISP_RESCAN_2(__VA_ARGS__))))
#define AISP_RESCAN_2(...) AISP_RESCAN_1(AISP_RESCAN_1(AISP_RESCAN_1(AISP_RESCAN_1(__VA_ARGS__))))
#define AISP_RESCAN_1(...) __VA_ARGS__
#define AISP_NOTHING_YET ()
#define AISP_FIELD(name, ...) \
  visit(#name, self.name);    \
  __VA_OPT__(AISP_FIELD_NEXT AISP_NOTHING_YET(__VA_ARGS__))
#define AISP_FIELD_NEXT() AISP_FIELD

#define AISP_FIELDS(...)                          \
  template <class Self, class Visit>              \
  static void fields(Self& self, Visit&& visit) { \
    AISP_RESCAN(AISP_FIELD(__VA_ARGS__))          \
  }

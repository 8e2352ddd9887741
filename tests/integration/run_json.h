// SPDX-License-Identifier: Apache-2.0
/// \file
/// Small questions about the JSON of a run, for tests that read it as a script would.
#pragma once

#include <string>

#include "aisp/wire/json.h"

namespace aisp::testing {

/// The only cell of a run.
inline Json only_cell(const Json& run) {
  return run.contains("cells") && run["cells"].size() == 1 ? run["cells"][0] : Json::object();
}

inline Json variant_of(const Json& cell, const std::string& name) {
  for (const Json& variant : cell.value("variants", Json::array())) {
    if (variant["name"] == name) return variant;
  }
  return Json::object();
}

/// Whether guard `guard` rejected the variant.
inline bool rejected_by(const Json& variant, const std::string& guard) {
  for (const Json& finding : variant.value("findings", Json::array())) {
    if (finding["guard"] == guard && finding["level"] == "reject") return true;
  }
  return false;
}

/// "crashed: SIGSEGV (Segmentation fault)": why the variant failed.
inline std::string reason_of(const Json& variant) {
  for (const Json& finding : variant.value("findings", Json::array())) {
    if (finding["level"] == "reject") return finding["because"].get<std::string>();
  }
  return "";
}

inline bool was_measured(const Json& variant) {
  return variant.contains("samples") && variant["samples"]["ns"].size() > 0;
}

}  // namespace aisp::testing

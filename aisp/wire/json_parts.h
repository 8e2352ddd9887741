// SPDX-License-Identifier: Apache-2.0
/// \file
/// JSON without its bulky parts, found by their brackets: many times faster than to read them and throw them
/// away.
///
///   const Result<Json> json = parse_json(without_parts(text, {"samples", "evidence"}));
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace aisp {

/// Without the members of these names that are lists or objects, at any depth. Of text that is not JSON
/// something that is not JSON either, or is harmless: nothing is read beyond its end.
std::string without_parts(std::string_view json, std::initializer_list<std::string_view> names);

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/combinations.h"

#include <algorithm>
#include <set>

namespace aisp {
namespace {

constexpr char kAnd = '+';

using Names = std::vector<std::string>;

Error bad(const std::string& what) {
  return {ErrorCode::bad_input, what, "declare them with add_combinations() of aisp/core/combinations.h"};
}

bool is_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// All subsets but the empty one; bit i of a subset's place, counted from 1, is technique i.
Names subset_names(const std::string& baseline, const Names& techniques) {
  Names names;
  for (unsigned subset = 1; subset < 1u << techniques.size(); ++subset) {
    Names chosen;
    for (std::size_t i = 0; i < techniques.size(); ++i)
      if ((subset >> i & 1) != 0) chosen.push_back(techniques[i]);
    names.push_back(combined_name(baseline, chosen));
  }
  return names;
}

}  // namespace

bool is_combination(std::string_view variant) { return variant.find(kAnd) != std::string_view::npos; }

Names techniques_of(std::string_view variant) {
  Names techniques;
  for (std::size_t at = variant.find(kAnd); at != std::string_view::npos;) {
    const std::size_t next = variant.find(kAnd, at + 1);
    techniques.emplace_back(variant.substr(at + 1, next == std::string_view::npos ? next : next - at - 1));
    at = next;
  }
  return techniques;
}

std::string combined_name(const std::string& baseline, std::span<const std::string> techniques) {
  std::string name = baseline;
  for (const std::string& technique : techniques) name += kAnd + technique;
  return name;
}

void add_named(std::vector<Variant>& ladder, std::span<const Technique> techniques,
               std::vector<Variant> made) {
  AISP_CHECK(!ladder.empty(), "combinations are added to a ladder that has its baseline");
  Names names;
  for (const Technique& technique : techniques) names.push_back(technique.name);
  const Names subsets = subset_names(ladder.front().name, names);
  AISP_CHECK(made.size() == subsets.size(), "there is a variant for every subset");
  for (std::size_t i = 0; i < made.size(); ++i) {
    Variant& variant = made[i];
    variant.name = subsets[i];
    std::vector<decltype(Technique::unavailable)> conditions;
    for (std::size_t t = 0; t < techniques.size(); ++t) {
      if (((i + 1) >> t & 1) == 0) continue;
      variant.note += (variant.note.empty() ? "" : "; ") + techniques[t].note;
      if (techniques[t].unavailable) conditions.push_back(techniques[t].unavailable);
    }
    if (!conditions.empty()) {
      variant.unavailable = [conditions](const Params& params) -> std::optional<std::string> {
        for (const auto& condition : conditions)
          if (auto why_not = condition(params)) return why_not;
        return std::nullopt;
      };
    }
    ladder.push_back(std::move(variant));
  }
}

Status check_combinations(std::span<const Variant> variants) {
  std::set<std::string> declared;
  Names techniques;
  for (const Variant& variant : variants) {
    if (!is_combination(variant.name)) continue;
    declared.insert(variant.name);
    const Names own = techniques_of(variant.name);
    if (own.size() == 1) techniques.push_back(own.front());
  }
  if (techniques.size() > kMostTechniques) {
    return bad(std::to_string(techniques.size()) + " techniques combine, and at most " +
               std::to_string(kMostTechniques) + " may: all subsets share a round");
  }
  for (const std::string& name : techniques)
    if (!is_name(name)) return bad("technique '" + name + "' is not of small letters, digits and _");
  const std::string& baseline = variants.front().name;
  for (const std::string& subset : subset_names(baseline, techniques))
    if (declared.erase(subset) == 0) return bad("the combination '" + subset + "' is missing");
  if (!declared.empty())
    return bad("'" + *declared.begin() + "' is no combination of '" + baseline + "' and its techniques");
  return Ok{};
}

}  // namespace aisp

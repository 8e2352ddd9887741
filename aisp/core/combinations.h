// SPDX-License-Identifier: Apache-2.0
/// \file
/// Techniques of a workload that are independent switches: every subset of them is a variant of its own, so
/// that what they do together is measured instead of guessed.
///
///   enum : unsigned { kBlocking = 1, kSimd = 2 };            // bit i: the i-th technique below
///   template <unsigned kOn> void turn(const Call& call);     // one code path for each subset
///   ...
///   std::vector<Variant> ladder = {{.name = "naive", .run = naive, .note = "row by row"}, ...};
///   add_combinations(ladder, {{"blocking", "16 x 16 tiles"}, {"simd", "turned in registers"}},
///                    [](auto on) { return CallFunction(turn<on>); });
///
/// adds `naive+blocking`, `naive+simd` and `naive+blocking+simd`: the baseline and what is switched on. The
/// empty subset is the baseline itself, so `turn<0>` would be the same work done the same way. A variant is a
/// combination by the + in its name, in a store as in a registry. They are measured by
/// `aisp run X --combinations` and when named with --variant, never with the ladder; `aisp stacking` reads
/// what they came to.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "aisp/core/result.h"
#include "aisp/core/workload.h"

namespace aisp {

/// 2^5 variants share a round. More would be measured too rarely to tell anything.
inline constexpr std::size_t kMostTechniques = 5;

struct Technique {
  std::string name;  ///< of small letters, digits and _
  std::string note;  ///< what it changes, one line
  /// As of a variant; a subset cannot run where one of its techniques cannot.
  std::function<std::optional<std::string>(const Params&)> unavailable = {};
};

bool is_combination(std::string_view variant);
/// "naive+blocking+simd" to blocking and simd; none of a name that is no combination.
std::vector<std::string> techniques_of(std::string_view variant);
/// And back, in the order given.
std::string combined_name(const std::string& baseline, std::span<const std::string> techniques);

/// Gives the subsets their names, notes and conditions, and adds them; `made[s - 1]` is that of subset s.
void add_named(std::vector<Variant>& ladder, std::span<const Technique> techniques,
               std::vector<Variant> made);

/// Adds a variant for every subset but the empty one, which is the first of the ladder. `make` is called with
/// the subset as a constant, bit i for the i-th technique, and answers with its code, or with a variant where
/// it needs a plan.
template <std::size_t kCount, class Make>
void add_combinations(std::vector<Variant>& ladder, const Technique (&techniques)[kCount], Make make) {
  static_assert(kCount <= kMostTechniques, "at most 5 techniques: all subsets share a round");
  const auto variant_of = [](auto made) {
    if constexpr (std::is_same_v<decltype(made), Variant>) {
      return made;
    } else {
      return Variant{.name = {}, .run = std::move(made)};
    }
  };
  std::vector<Variant> made;
  [&]<unsigned... kBefore>(std::integer_sequence<unsigned, kBefore...>) {
    (made.push_back(variant_of(make(std::integral_constant<unsigned, kBefore + 1>{}))), ...);
  }(std::make_integer_sequence<unsigned, (1u << kCount) - 1>{});
  add_named(ladder, techniques, std::move(made));
}

/// Names what is wrong with the combinations among a workload's variants: too many techniques, a name that
/// is none, a subset that is missing. Part of validate().
Status check_combinations(std::span<const Variant> variants);

}  // namespace aisp

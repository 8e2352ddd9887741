// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/configuration.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace aisp {
namespace {

constexpr char kWith = '@';

Error bad_value(std::string_view name, const std::string& what, std::span<const Tunable> tunables) {
  std::string hint;
  for (const Tunable& tunable : tunables) {
    hint += (hint.empty() ? "it declares " : "; ") + tunable.name + "=";
    for (std::size_t i = 0; i < tunable.values.size(); ++i)
      hint += (i == 0 ? "" : ",") + std::to_string(tunable.values[i]);
  }
  if (hint.empty()) hint = "'" + declared_name(name) + "' declares no parameters";
  return {ErrorCode::usage, "there is no configuration '" + std::string(name) + "': " + what, hint};
}

bool is_parameter_name(const std::string& name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

bool is_configuration(std::string_view variant) { return variant.find(kWith) != std::string_view::npos; }

std::string declared_name(std::string_view variant) {
  return std::string(variant.substr(0, variant.find(kWith)));
}

std::string configuration_name(const std::string& variant, const Params& values) {
  std::string name = variant;
  for (const auto& [parameter, value] : values.entries())
    name += (name.size() == variant.size() ? kWith : ',') + parameter + "=" + std::to_string(value);
  return name;
}

std::vector<Params> all_values(std::span<const Tunable> tunables) {
  std::vector<Params> all{Params{}};
  for (const Tunable& tunable : tunables) {
    std::vector<std::int64_t> values = tunable.values;
    std::ranges::stable_partition(values, [&](std::int64_t v) { return v == tunable.fallback; });
    std::vector<Params> longer;
    for (const Params& params : all) {
      for (const std::int64_t value : values) longer.emplace_back(params).set(tunable.name, value);
    }
    all = std::move(longer);
  }
  return all;
}

Result<std::vector<Tunable>> chosen_in(std::string_view name, std::span<const Tunable> tunables) {
  std::vector<Tunable> chosen(tunables.begin(), tunables.end());
  std::string_view rest = name.substr(std::min(name.size(), declared_name(name).size() + 1));
  if (rest.empty()) return bad_value(name, "it names no value", tunables);
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const auto equals = part.find('=');
    const auto found = std::ranges::find(chosen, part.substr(0, equals), &Tunable::name);
    if (found == chosen.end() || equals == std::string_view::npos)
      return bad_value(name, "'" + std::string(part.substr(0, equals)) + "' is no parameter of it", tunables);
    const std::string_view text = part.substr(equals + 1);
    const char* const end = text.data() + text.size();
    std::int64_t value = 0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || std::ranges::find(found->values, value) == found->values.end())
      return bad_value(name, found->name + " cannot be '" + std::string(text) + "'", tunables);
    found->fallback = value;
  }
  return chosen;
}

std::optional<std::string> why_unavailable(const Variant& variant, const Params& sizes) {
  if (!variant.unavailable) return std::nullopt;
  return variant.unavailable(with_fallbacks(sizes, variant.tunables));
}

Result<Workload> with_configurations(Workload workload, std::span<const std::string> names) {
  for (const std::string& name : names) {
    if (!is_configuration(name)) continue;
    const auto declared = std::ranges::find(workload.variants, declared_name(name), &Variant::name);
    if (declared == workload.variants.end())
      return Error{ErrorCode::usage, workload.id + " has no variant '" + declared_name(name) + "'",
                   "`aisp list " + workload.id + "` shows them"};
    Result<std::vector<Tunable>> chosen = chosen_in(name, declared->tunables);
    if (!chosen) return chosen.error();
    Variant configured = *declared;
    configured.name = name;
    configured.tunables = *std::move(chosen);
    workload.variants.push_back(std::move(configured));
  }
  return workload;
}

Workload with_every_configuration(Workload workload) {
  std::vector<Variant> configured;
  for (const Variant& variant : workload.variants) {
    const std::vector<Params> all = all_values(variant.tunables);
    for (std::size_t i = 1; i < all.size(); ++i) {
      Variant& added = configured.emplace_back(variant);
      added.name = configuration_name(variant.name, all[i]);
      for (Tunable& tunable : added.tunables) tunable.fallback = all[i][tunable.name];
    }
  }
  for (Variant& variant : configured) workload.variants.push_back(std::move(variant));
  return workload;
}

Status check_tunables(const Variant& variant, std::span<const Axis> axes) {
  const auto bad = [&](const std::string& what) {
    return Error{ErrorCode::bad_input, "variant '" + variant.name + "': " + what,
                 "correct the workload's registration"};
  };
  if (is_configuration(variant.name)) return bad("a declared name has no @, which names configurations");
  std::set<std::string> names;
  for (const Axis& axis : axes) names.insert(axis.name);
  std::size_t configurations = 1;
  for (const Tunable& tunable : variant.tunables) {
    if (!is_parameter_name(tunable.name))
      return bad("parameter '" + tunable.name + "' is not of small letters, digits and _");
    if (!names.insert(tunable.name).second) return bad("'" + tunable.name + "' is an axis or declared twice");
    const std::set<std::int64_t> values(tunable.values.begin(), tunable.values.end());
    if (values.size() != tunable.values.size()) return bad("'" + tunable.name + "' lists a value twice");
    if (!values.contains(tunable.fallback))
      return bad("the fallback of '" + tunable.name + "' is not among its values");
    configurations *= values.size();
    if (configurations > kMostConfigurations)
      return bad("more than " + std::to_string(kMostConfigurations) + " configurations");
  }
  return Ok{};
}

}  // namespace aisp

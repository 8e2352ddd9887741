// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/expectations.h"

#include <cmath>

#include "aisp/wire/json.h"

namespace aisp::report {
namespace {

constexpr std::string_view kSchema = "aisp.expectations";
constexpr int kSchemaVersion = 1;

/// Too few rounds for an interval are recorded as one from zero to infinity, which nothing can ever leave.
template <typename Ratio>
bool has_interval(const Ratio& ratio) {
  return ratio.low > 0 && std::isfinite(ratio.high);
}

std::optional<Estimate> interval_of(const std::optional<RatioEstimate>& ratio) {
  if (!ratio || !has_interval(*ratio)) return std::nullopt;
  return Estimate{ratio->ratio, ratio->low, ratio->high};
}

Expectation expectation_of(const CellResult& cell, const VariantResult& variant) {
  Expectation e{.workload = cell.workload,
                .parameters = cell.parameters,
                .device = cell.device.substr(0, cell.device.find(':')),
                .cache = cell.cache,
                .goal = cell.goal,
                .variant = variant.name,
                .best = &variant == cell.best(),
                .validity = variant.validity,
                .of_ceiling = variant.percent_of_ceiling};
  if (variant.validity == Validity::valid) e.speedup = interval_of(variant.speedup);
  if (variant.time_ns) e.time_ns = variant.time_ns->value;
  if (variant.of_anchor) e.of_anchor = variant.of_anchor->ratio;
  return e;
}

}  // namespace

Expectations expectations_of(const RunRecord& run) {
  Expectations all{.hardware = run.manifest.hardware,
                   .date = run.started,
                   .version = run.manifest.version,
                   .method = run.manifest.method,
                   .entries = {}};
  for (const CellResult& cell : run.cells) {
    for (const VariantResult& variant : cell.variants) {
      if (&variant != cell.baseline() && variant.rung == Rung::step && variant.skipped.empty())
        all.entries.push_back(expectation_of(cell, variant));
    }
  }
  return all;
}

std::string render_expectations(const RunRecord& run) {
  Json json = Json::object();
  json["schema"] = kSchema;
  json["schema_version"] = kSchemaVersion;
  json.update(to_json(expectations_of(run)));
  return json.dump(1) + "\n";
}

Result<Expectations> parse_expectations(std::string_view text) {
  Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return Error{ErrorCode::bad_input, "is not a JSON object", ""};
  if (json.value("schema", Json()) != kSchema)
    return Error{ErrorCode::bad_input, "does not say that it is " + std::string(kSchema),
                 "made by `aisp export --format expectations`"};
  if (json.value("schema_version", Json()) != kSchemaVersion)
    return Error{ErrorCode::bad_input, "has a schema_version other than " + std::to_string(kSchemaVersion),
                 ""};
  json.erase("schema");
  json.erase("schema_version");
  Result<Expectations> all = from_json<Expectations>(json);
  if (!all) return all;
  for (Expectation& e : all->entries) {
    if (e.speedup && !has_interval(*e.speedup)) e.speedup.reset();  // files of before such were left out
  }
  return all;
}

std::string_view name_of(Standing standing) {
  switch (standing) {
    case Standing::as_expected:
      return "as expected";
    case Standing::better:
      return "better";
    case Standing::worse:
      return "worse";
    case Standing::not_run:
      return "not run here";
    case Standing::not_valid:
      return "was not valid";
    case Standing::unproven:
      return "unproven here";
    case Standing::no_interval:
      return "no interval";
    case Standing::not_measured:
      return "not measured";
  }
  return "";
}

Standing standing_of(const Expectation& expected, const Figure* now) {
  if (!expected.speedup)
    return expected.validity == Validity::valid ? Standing::no_interval : Standing::not_valid;
  if (now == nullptr) return Standing::not_run;
  if (now->validity == Validity::invalid || now->validity == Validity::failed) return Standing::worse;
  if (!now->gain || !has_interval(*now->gain)) return Standing::no_interval;
  if (now->gain->high < expected.speedup->low * (1 - kOtherDay)) return Standing::worse;
  // It may alarm, as above, but not reassure.
  if (now->validity == Validity::unproven) return Standing::unproven;
  if (now->gain->low > expected.speedup->high * (1 + kOtherDay)) return Standing::better;
  return Standing::as_expected;
}

}  // namespace aisp::report

// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/progress_event.h"

#include "aisp/wire/json.h"

namespace aisp::report {
namespace {

constexpr const char* kSchema = "aisp.progress";
constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // hundreds of variants; more is not an event
constexpr int kMostDepth = 8;

}  // namespace

std::string progress_line(const ProgressEvent& event) {
  Json json{{"schema", kSchema}, {"schema_version", 1}};
  json.update(to_json(event));
  return json.dump() + "\n";
}

std::optional<ProgressEvent> read_progress_line(std::string_view line) {
  if (!line.starts_with('{')) return std::nullopt;
  const Result<Json> json = parse_json(line, kMostBytes, kMostDepth);
  if (!json || !json->is_object() || json->value("schema", Json()) != kSchema) return std::nullopt;
  Result<ProgressEvent> event = from_json<ProgressEvent>(*json);
  return event ? std::optional(*std::move(event)) : std::nullopt;
}

std::vector<LookedVariant> looked_variants(const CellResult& cell, bool judged) {
  std::vector<LookedVariant> looked;
  for (const VariantResult& variant : cell.variants) {
    LookedVariant& v = looked.emplace_back();
    v.name = variant.name;
    v.rung = variant.rung;
    v.skipped = variant.skipped;
    if (judged) v.validity = variant.validity;
    if (variant.speedup && &variant != cell.baseline())
      v.ratio = Estimate{variant.speedup->ratio, variant.speedup->low, variant.speedup->high};
  }
  return looked;
}

}  // namespace aisp::report

// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/csv.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "aisp/report/text.h"

namespace aisp::report {
namespace {

using Discarded = std::map<std::pair<int, int>, std::string>;  // by attempt and round

int at(const std::vector<int>& column, std::size_t i) { return i < column.size() ? column[i] : 0; }

/// Latencies of the requests or operations of window i.
std::string items_of(const Samples& samples, std::size_t i) {
  return i < samples.items.size() ? fmt::format("{}", fmt::join(samples.items[i], " ")) : "";
}

void append(std::string& out, const std::string& prefix, const Samples& samples, const Discarded& discarded) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto [attempt, round] = samples.place(i);
    const auto why = discarded.find({attempt, round});
    fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{}\r\n", prefix, attempt, round,
                   at(samples.pass, i), at(samples.calls, i), samples.ns[i],
                   why == discarded.end() ? "" : csv_field(why->second), items_of(samples, i));
  }
}

}  // namespace

std::string csv_field(std::string_view text) {
  std::string field = visible(text);
  if (!field.empty() && std::string_view("=+-@").find(field.front()) != std::string_view::npos) {
    field.insert(field.begin(), '\'');
  }
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string render_csv(const RunRecord& run) {
  std::string out = "run,workload,parameters,variant,attempt,round,pass,calls,ns,discarded,items_ns\r\n";
  for (const CellResult& cell : run.cells) {
    const Discarded discarded = cell.discarded_rounds();
    const std::string place =
        csv_field(run.id) + "," + csv_field(cell.workload) + "," + csv_field(cell.parameters) + ",";
    for (const VariantResult& variant : cell.variants) {
      append(out, place + csv_field(variant.name), variant.samples, discarded);
    }
    const std::string twice =
        cell.aa_variant.empty() && cell.baseline() ? cell.baseline()->name : cell.aa_variant;
    append(out, place + csv_field("A/A " + twice), cell.aa_samples, discarded);
    append(out, place + csv_field(cell.paired.name), cell.paired.samples, discarded);
  }
  return out;
}

}  // namespace aisp::report

// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/google_benchmark.h"

#include <algorithm>
#include <cmath>

#include "aisp/report/google_benchmark_context.h"
#include "aisp/report/row.h"
#include "aisp/stats/summary.h"
#include "aisp/wire/json.h"

namespace aisp::report {
namespace {

/// "ch07/transpose/tiled/n:4096/threads:1", as that library writes arguments.
std::string name_of_benchmark(const CellResult& cell, const VariantResult& variant) {
  std::string arguments = cell.parameters;
  std::ranges::replace(arguments, ' ', '/');
  std::ranges::replace(arguments, '=', ':');
  return printable_utf8(cell.workload + "/" + variant.name + (arguments.empty() ? "" : "/" + arguments));
}

struct Kept {
  std::vector<double> ns;
  std::vector<int> calls;
};

/// The windows of rounds that no declared rule discarded.
Kept kept_windows(const CellResult& cell, const Samples& samples) {
  const auto discarded = cell.discarded_rounds();
  Kept kept;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (discarded.contains(samples.place(i))) continue;
    kept.ns.push_back(samples.ns[i]);
    kept.calls.push_back(i < samples.calls.size() ? samples.calls[i] : 1);
  }
  return kept;
}

double cpu_share(const VariantResult& variant) {
  const ProcessEvidence& process = variant.evidence.process;
  if (!process.cpu_in_windows_ns || !process.wall_in_windows_ns) return 1;
  const double share = *process.cpu_in_windows_ns / *process.wall_in_windows_ns;
  return std::isfinite(share) && share >= 0 ? share : 1;
}

/// Members that repetitions and aggregates share, in the order the library writes them.
class Family {
 public:
  Family(const CellResult& cell, const VariantResult& variant, int index, std::size_t repetitions)
      : cell_(cell),
        variant_(variant),
        name_(name_of_benchmark(cell, variant)),
        index_(index),
        repetitions_(repetitions) {}

  Json entry(const std::string& suffix, const char* type) const {
    Json json = Json::object();
    json["name"] = name_ + suffix;
    json["family_index"] = index_;
    json["per_family_instance_index"] = 0;
    json["run_name"] = name_;
    json["run_type"] = type;
    json["repetitions"] = repetitions_;
    return json;
  }

  void add_times(Json& json, double iterations, double ns) const {
    json["threads"] = std::max(1, variant_.evidence.threads);
    json["iterations"] = static_cast<std::int64_t>(iterations);
    json["real_time"] = ns;
    json["cpu_time"] = ns * cpu_share(variant_);
    json["time_unit"] = "ns";
  }

  void add_rates(Json& json, double ns) const {
    if (!(ns > 0)) return;
    if (cell_.work_bytes > 0) json["bytes_per_second"] = cell_.work_bytes / ns * 1e9;
    if (cell_.work_items > 0) json["items_per_second"] = cell_.work_items / ns * 1e9;
    if (cell_.work_flops > 0) json["flops_per_second"] = cell_.work_flops / ns * 1e9;
  }

 private:
  const CellResult& cell_;
  const VariantResult& variant_;
  std::string name_;
  int index_;
  std::size_t repetitions_;
};

void add_error(Json& benchmarks, const Family& family, const std::string& message) {
  Json json = family.entry("", "iteration");
  json["repetition_index"] = 0;
  json["threads"] = 1;
  json["error_occurred"] = true;
  json["error_message"] = message;
  benchmarks.push_back(std::move(json));
}

std::string why_rejected(const CellResult& cell, const VariantResult& variant) {
  std::string text = std::string(name_of(variant.validity));
  if (const Finding* finding = decisive_finding(variant)) {
    text += ": " + finding->guard + ": " + finding->because;
  } else {
    for (const AttemptRecord& attempt : cell.attempts) {
      if (attempt.variant == variant.name) return printable_utf8(text + ": " + attempt.detail);
    }
  }
  return printable_utf8(text);
}

void add_variant(Json& benchmarks, const CellResult& cell, const VariantResult& variant, int index) {
  const Kept kept = kept_windows(cell, variant.samples);
  const std::vector<double>& times = kept.ns;
  const Family family(cell, variant, index, times.size());
  if (!variant.skipped.empty())
    return add_error(benchmarks, family, "skipped: " + printable_utf8(variant.skipped));
  if (variant.validity == Validity::invalid || variant.validity == Validity::failed) {
    return add_error(benchmarks, family, why_rejected(cell, variant));
  }
  if (times.empty()) return add_error(benchmarks, family, "no samples");
  if (!std::ranges::all_of(times, [](double ns) { return std::isfinite(ns); })) {
    return add_error(benchmarks, family, "a time is not a finite number");
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    const double ns = times[i];
    Json json = family.entry("", "iteration");
    json["repetition_index"] = i;
    family.add_times(json, kept.calls[i], ns);
    family.add_rates(json, ns);
    for (const auto& [name, value] : variant.metrics) {
      if (std::isfinite(value)) json["metric_" + printable_utf8(name)] = value;
    }
    benchmarks.push_back(std::move(json));
  }
  const double mean = stats::mean(times);
  double squares = 0;
  for (const double ns : times) squares += (ns - mean) * (ns - mean);
  const auto aggregate = [&](const char* name, double ns, bool rates) {
    Json json = family.entry(std::string("_") + name, "aggregate");
    json["aggregate_name"] = name;
    json["aggregate_unit"] = "time";
    family.add_times(json, static_cast<double>(times.size()), ns);
    if (rates) family.add_rates(json, ns);
    benchmarks.push_back(std::move(json));
  };
  aggregate("mean", mean, true);
  aggregate("median", stats::median(times), true);
  if (times.size() > 1)
    aggregate("stddev", std::sqrt(squares / static_cast<double>(times.size() - 1)), false);
}

}  // namespace

std::string render_google_benchmark(const RunRecord& run) {
  Json json = Json::object();
  json["context"] = google_benchmark_context(run);
  json["benchmarks"] = Json::array();
  int index = 0;
  for (const CellResult& cell : run.cells) {
    for (const VariantResult& variant : cell.variants)
      add_variant(json["benchmarks"], cell, variant, index++);
  }
  return json.dump(2) + "\n";
}

}  // namespace aisp::report

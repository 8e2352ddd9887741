// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/google_benchmark_context.h"

#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

namespace aisp::report {
namespace {

std::optional<std::string> fact(const RunRecord& run, std::string_view name) {
  for (const Fact& each : run.manifest.facts) {
    if (each.name == name) return each.value;
  }
  return std::nullopt;
}

int hardware_threads(const RunRecord& run) {
  int threads = 0;
  const auto text = fact(run, "cpu hardware threads");
  return text && std::sscanf(text->c_str(), "%d", &threads) == 1 && threads > 0 ? threads : 0;
}

/// The rate of the time-stamp counter, as that library takes it.
std::optional<double> megahertz(const RunRecord& run) {
  double rate = 0;
  const auto text = fact(run, "clock");
  if (!text || std::sscanf(text->c_str(), "tsc at %lf MHz", &rate) != 1 || !std::isfinite(rate))
    return std::nullopt;
  return rate;
}

/// Of the first variant that knows: the governor belongs to the machine.
std::optional<std::string> governor(const RunRecord& run) {
  for (const CellResult& cell : run.cells) {
    for (const VariantResult& variant : cell.variants) {
      if (variant.evidence.environment.governor) return variant.evidence.environment.governor;
    }
  }
  return std::nullopt;
}

/// From "1280 KiB x 2, line 64 bytes".
Json caches(const RunRecord& run, int threads) {
  Json all = Json::array();
  for (int level = 1; level <= 4; ++level) {
    const auto text = fact(run, "cache L" + std::to_string(level));
    long long size = 0;
    int instances = 0;
    if (!text || std::sscanf(text->c_str(), "%lld KiB x %d", &size, &instances) != 2 || instances < 1)
      continue;
    Json cache = Json::object();
    cache["type"] = level == 1 ? "Data" : "Unified";
    cache["level"] = level;
    cache["size"] = size * 1024;
    if (threads > 0) cache["num_sharing"] = threads / instances;
    all.push_back(std::move(cache));
  }
  return all;
}

void add_machine(Json& context, const RunRecord& run) {
  const int threads = hardware_threads(run);
  if (threads > 0) context["num_cpus"] = threads;
  if (const auto rate = megahertz(run)) context["mhz_per_cpu"] = std::llround(*rate);
  if (const auto name = governor(run)) context["cpu_scaling_enabled"] = *name != "performance";
  if (Json known = caches(run, threads); !known.empty()) context["caches"] = std::move(known);
}

}  // namespace

Json google_benchmark_context(const RunRecord& run) {
  Json context = Json::object();
  context["date"] = printable_utf8(run.started);
  context["executable"] = "aisp";
  add_machine(context, run);
  context["library_build_type"] = "release";
  context["aisp_run"] = printable_utf8(run.id);
  context["aisp_version"] = printable_utf8(run.manifest.version);
  context["aisp_hardware"] = printable_utf8(run.manifest.hardware);
  context["aisp_config_hash"] = printable_utf8(run.manifest.config_hash);
  context["aisp_cpu_time"] =
      "mean CPU use of the timed windows times real_time; real_time where it is unknown";
  for (const Fact& each : run.manifest.facts) {
    if (!each.value) continue;
    const std::string name =
        each.name == "host" || each.name == "hostname" ? "host_name" : "aisp_" + each.name;
    context[printable_utf8(name)] = printable_utf8(*each.value);
  }
  return context;
}

}  // namespace aisp::report

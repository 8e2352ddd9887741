// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/run_config.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/hardware.h"
#include "aisp/guards/judge.h"
#include "aisp/harness/free_memory.h"
#include "aisp/harness/plan.h"
#include "aisp/wire/hash.h"
#include "aisp/wire/json.h"

namespace aisp::cli {
namespace {

template <class Enum>
Enum named(const std::string& name) {
  for (int i = 0; i < kEnumCount<Enum>; ++i) {
    if (name_of(static_cast<Enum>(i)) == name) return static_cast<Enum>(i);
  }
  return Enum{};
}

}  // namespace

std::vector<Flag> run_flags() {
  return {
      {.name = "param",
       .kind = FlagKind::list,
       .help = "sizes of an axis, for example n=1024,4096",
       .value = "NAME=VALUES"},
      {.name = "variant",
       .kind = FlagKind::list,
       .help = "only these variants (the baseline is always run)",
       .value = "NAME"},
      {.name = "device",
       .kind = FlagKind::text,
       .help = "where to run",
       .value = "DEVICE",
       .fallback = "cpu"},
      {.name = "suite",
       .kind = FlagKind::choice,
       .help = "which sizes",
       .value = "SUITE",
       .fallback = "full",
       .choices = {"quick", "full", "small"}},
      {.name = "cache",
       .kind = FlagKind::choice,
       .help = "state of the caches; auto: hot on a CPU, cold on a GPU",
       .value = "MODE",
       .fallback = "auto",
       .choices = {"auto", "hot", "cold", "steady"}},
      {.name = "policy",
       .kind = FlagKind::choice,
       .help = "which facts must be known",
       .value = "POLICY",
       .fallback = "standard",
       .choices = {"portable", "standard", "strict"},
       .alias = "--validity-profile"},
      {.name = "waive",
       .kind = FlagKind::list,
       .help = "accept a guard's rejection; stored and shown",
       .value = "GUARD"},
      {.name = "attempts",
       .kind = FlagKind::integer,
       .help = "fresh worker processes per cell",
       .value = "N",
       .fallback = "3",
       .low = 1,
       .high = 64},
      {.name = "precision",
       .kind = FlagKind::real,
       .help = "half-width of the ratio's interval to stop at",
       .value = "SHARE",
       .fallback = "0.01",
       .low = 1e-5,
       .high = 1},
      {.name = "equivalence",
       .kind = FlagKind::real,
       .help = "differences below this are called small",
       .value = "SHARE",
       .fallback = "0.02",
       .low = 1e-5,
       .high = 1},
      {.name = "max-rounds",
       .kind = FlagKind::integer,
       .help = "rounds at the last look",
       .value = "N",
       .fallback = "384",
       .low = 24,
       .high = 20000},
      {.name = "cell-seconds",
       .kind = FlagKind::real,
       .help = "sampling time per cell",
       .value = "SECONDS",
       .fallback = "10",
       .low = 0.1,
       .high = 86400},
      {.name = "time-budget",
       .kind = FlagKind::real,
       .help = "for the run: no cell begins after it, and none samples for longer than is left; 0 = none",
       .value = "SECONDS",
       .fallback = "0",
       .high = 1e7},
      {.name = "timeout",
       .kind = FlagKind::real,
       .help = "a worker silent for longer is ended",
       .value = "SECONDS",
       .fallback = "60",
       .low = 0.1,
       .high = 86400,
       .alias = "--timeout-seconds"},
      {.name = "memory-limit",
       .kind = FlagKind::real,
       .help = "that a worker may hold; 0 = nine tenths of what is free",
       .value = "BYTES",
       .fallback = "0",
       .high = 1e15},
      {.name = "no-huge-pages",
       .kind = FlagKind::toggle,
       .help = "back tensors of 4 MiB and more with small pages too"},
      {.name = "graph",
       .kind = FlagKind::toggle,
       .help = "on a GPU: capture each call and time it as one graph"},
      {.name = "no-audit",
       .kind = FlagKind::toggle,
       .help = "on a GPU: do not record what it did; rows stay unproven"},
      {.name = "no-energy",
       .kind = FlagKind::toggle,
       .help = "on a GPU: do not count what a call takes, a second and more a variant"},
      {.name = "no-pin", .kind = FlagKind::toggle, .help = "do not bind threads to cores"},
      plugin_flag(),
  };
}

void warn_of_repeats(const Arguments& arguments) {
  for (const std::string& value : harness::repeated_values(arguments.list("param")))
    warn(arguments, "--param names " + value + " more than once; it is measured once");
}

/// What a user of the device mostly meets: a function called again on a CPU, a kernel between others on a
/// GPU.
CacheMode cache_mode(const std::string& asked, DeviceKind device) {
  if (asked != "auto") return named<CacheMode>(asked);
  return device == DeviceKind::cpu ? CacheMode::hot : CacheMode::cold;
}

Result<RunConfig> run_config_of(const Arguments& arguments) {
  warn_of_repeats(arguments);
  RunConfig config;
  config.targets = arguments.positional;
  config.parameters = arguments.list("param");
  for (const std::string& plugin : arguments.list("plugin")) config.plugins.push_back(absolute_path(plugin));
  config.variants = arguments.list("variant");
  config.device = arguments.text("device");
  config.suite = arguments.text("suite");
  config.cache = cache_mode(arguments.text("cache"), kind_of(config.device));
  config.policy = named<Policy>(arguments.text("policy"));
  config.waivers = arguments.list("waive");
  config.attempts = static_cast<int>(arguments.number("attempts"));
  config.precision = arguments.number("precision");
  config.equivalence = arguments.number("equivalence");
  config.cell_seconds = arguments.number("cell-seconds");
  config.budget_seconds = arguments.number("time-budget");
  config.timeout_seconds = arguments.number("timeout");
  config.memory_limit_bytes = arguments.number("memory-limit");
  config.huge_pages = !arguments.has("no-huge-pages");
  config.pin = !arguments.has("no-pin");
  config.graph = arguments.has("graph");
  config.audit = !arguments.has("no-audit");
  config.energy = !arguments.has("no-energy");
  config.looks.clear();
  const int most = static_cast<int>(arguments.number("max-rounds"));
  for (int look = 24; look < most; look *= 2) config.looks.push_back(look);
  config.looks.push_back(most);
  if (const Status enough = harness::check_memory_limit(config.memory_limit_bytes); !enough)
    return enough.error();
  if (config.targets.empty()) {
    return Error{ErrorCode::usage, "name what to run", "for example `aisp run ch07`, or `aisp run all`"};
  }
  if (const Status known = check_device(config.device); !known) return known.error();
  if (config.graph && kind_of(config.device) == DeviceKind::cpu) {
    return Error{ErrorCode::usage, "--graph is for GPUs: a CPU has no graphs of launches",
                 "leave --graph out, or choose a GPU with --device cuda:0"};
  }
  if (const Status known = guards::check_waivers(config.waivers); !known) return known.error();
  return config;
}

std::string absolute_path(const std::string& path) {
  std::error_code error;
  const auto absolute = std::filesystem::absolute(path, error);
  return path.empty() || error ? path : absolute.lexically_normal().string();
}

std::optional<std::string> file_sha256(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream content;
  content << file.rdbuf();
  return sha256_hex(content.str());
}

std::string hash_of(const RunConfig& config, const std::vector<std::string>& files) {
  Json json = to_json(config);
  // A run that uses no tuned values has the hash it had before there were any.
  if (config.tuned.empty()) json.erase("tuned");
  std::string text = json.dump();
  for (const std::string& path : files) text += "\n" + path + " " + file_sha256(path).value_or("unreadable");
  return sha256_hex(text);
}

}  // namespace aisp::cli

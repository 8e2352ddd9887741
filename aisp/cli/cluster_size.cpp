// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/cluster_size.h"

#include <cmath>

#include <fmt/format.h>

#include "aisp/cli/commands.h"
#include "aisp/cli/worksheet.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

constexpr double kGiB = 1024.0 * 1024 * 1024;

analysis::ServingPlan plan_of(const Arguments& arguments) {
  const auto number = [&](const char* flag) { return arguments.number(flag); };
  return {.parameters = number("parameters") * 1e9,
          .active = number("active") * 1e9,
          .weight_bits = number("weight-bits"),
          .kv_bytes = number("kv-bytes"),
          .prompt_tokens = number("prompt"),
          .output_tokens = number("output"),
          .requests_per_second = number("requests"),
          .first_token_s = number("ttft-ms") / 1e3,
          .token_s = number("tpot-ms") / 1e3,
          .memory_bytes = number("gpu-gib") * kGiB,
          .bytes_per_second = number("gpu-gbs") * 1e9,
          .flops = number("gpu-tflops") * 1e12,
          .memory_share = number("memory-share"),
          .bandwidth_share = number("bandwidth-share"),
          .flops_share = number("flops-share"),
          .doubling_share = number("doubling-share"),
          .busy_share = number("busy-share"),
          .most_per_group = static_cast<int>(number("most-per-group"))};
}

/// Why the other sizes of a group were not taken.
std::string others(const analysis::ClusterSize& size) {
  std::string text;
  for (const analysis::GroupPlan& tried : size.tried) {
    if (&tried == &size.best()) continue;
    const std::string why = tried.why_not.empty() ? fmt::format("{} GPUs in all", tried.gpus) : tried.why_not;
    text +=
        fmt::format("{}{} a group: {}", text.empty() ? "Other groups: " : "; ", tried.gpus_per_group, why);
  }
  return text.empty() ? text : text + ".";
}

void show(const analysis::ServingPlan& plan, const analysis::GroupPlan& best, Worksheet& sheet) {
  const auto n = plain_number;
  const int g = best.gpus_per_group;
  const double scale = g * std::pow(plan.doubling_share, std::log2(g));
  const double active = plan.active > 0 ? plan.active : plan.parameters;
  const double rate = scale * plan.flops * plan.flops_share;
  const double bandwidth = scale * plan.bytes_per_second * plan.bandwidth_share;
  const double read = std::fmin(plan.parameters, active * best.requests) * plan.weight_bits / 8;
  const double past = best.requests * (plan.prompt_tokens + plan.output_tokens / 2) * plan.kv_bytes;
  sheet.step("weights", fmt::format("{} x {} bits / 8", n(plan.parameters), n(plan.weight_bits)),
             best.weights_bytes, "bytes", report::format_bytes(best.weights_bytes));
  sheet.step("room of a group",
             fmt::format("{} GPUs x {} x {}", g, n(plan.memory_bytes), n(plan.memory_share)), best.room_bytes,
             "bytes", report::format_bytes(best.room_bytes));
  sheet.step("past of a request",
             fmt::format("({} + {}) x {}", n(plan.prompt_tokens), n(plan.output_tokens), n(plan.kv_bytes)),
             best.request_bytes, "bytes", report::format_bytes(best.request_bytes));
  sheet.step(
      "requests that fit",
      fmt::format("floor(({} - {}) / {})", n(best.room_bytes), n(best.weights_bytes), n(best.request_bytes)),
      best.by_memory, "");
  sheet.step("a group's rates", fmt::format("{} x {}^log2({})", g, n(plan.doubling_share), g), scale,
             "times one GPU's");
  sheet.step("a prompt", fmt::format("2 x {} x {} / ({} FLOP/s)", n(active), n(plan.prompt_tokens), n(rate)),
             best.prompt_s, "s");
  sheet.step(
      "to the first token",
      fmt::format("{} x (1 + {} / (2 x (1 - {})))", n(best.prompt_s), n(plan.busy_share), n(plan.busy_share)),
      best.first_token_s, "s", "objective " + n(plan.first_token_s) + " s");
  sheet.step("requests at a time", "most that keep to memory and to the objective", best.requests, "");
  sheet.step("a step",
             fmt::format("max(({} + {}) / {}, 2 x {} x {} / {})", n(read), n(past), n(bandwidth), n(active),
                         n(best.requests), n(rate)),
             best.step_s, "s");
  sheet.step("between tokens",
             fmt::format("{} + {} x {} / {}", n(best.step_s), n(best.requests), n(best.prompt_s),
                         n(plan.output_tokens)),
             best.token_s, "s", "objective " + n(plan.token_s) + " s");
  sheet.step("a group serves",
             fmt::format("{} / ({} x {})", n(best.requests), n(plan.output_tokens), n(best.token_s)),
             best.requests_per_second, "requests/s");
  sheet.step("groups",
             fmt::format("ceil({} / ({} x {}))", n(plan.requests_per_second), n(plan.busy_share),
                         n(best.requests_per_second)),
             static_cast<double>(best.groups), "");
  sheet.step("GPUs", fmt::format("{} x {}", best.groups, g), static_cast<double>(best.gpus), "");
}

int run_cluster_size(const Arguments& arguments) {
  Worksheet sheet(arguments, kClusterSize);
  if (const Status given = sheet.need({"parameters", "kv-bytes", "prompt", "output", "requests", "ttft-ms",
                                       "tpot-ms", "gpu-gib", "gpu-gbs", "gpu-tflops"});
      !given)
    return fail(arguments, given.error());
  const analysis::ServingPlan plan = plan_of(arguments);
  const Result<analysis::ClusterSize> size = analysis::cluster_size(plan);
  if (!size) return fail(arguments, size.error());
  show(plan, size->best(), sheet);
  if (const std::string text = others(*size); !text.empty()) sheet.note(text);
  sheet.note(
      "A planning figure: attention's own work, the network beyond a group and uneven traffic are not in "
      "it.");
  return sheet.print();
}

Flag real(const char* name, const char* help, const char* value, const char* fallback = "",
          double high = 1e15) {
  return {.name = name,
          .kind = FlagKind::real,
          .help = help,
          .value = value,
          .fallback = fallback,
          .low = 1e-9,
          .high = high};
}

}  // namespace

const Command kClusterSize{
    .name = "cluster-size",
    .summary = "GPUs that a model, an objective and its traffic need, with the arithmetic",
    .positional = "",
    .flags = {real("parameters", "of the model, in billions", "N"),
              real("active", "of them used for a token, in billions; all where it is not said", "N"),
              real("weight-bits", "of a parameter", "BITS", "16", 64),
              real("kv-bytes", "of one token's keys and values: `aisp utils kv-cache`", "BYTES"),
              real("prompt", "tokens of a request", "TOKENS"),
              real("output", "tokens of an answer", "TOKENS"),
              real("requests", "per second", "N"),
              real("ttft-ms", "objective: arrival to first token", "MS"),
              real("tpot-ms", "objective: from one token to the next", "MS"),
              real("gpu-gib", "memory of a GPU", "GIB"),
              real("gpu-gbs", "bandwidth of its memory, measured: `aisp peak`", "GB/S"),
              real("gpu-tflops", "its rate in the type of the weights, measured", "TFLOPS"),
              real("memory-share", "of the memory for weights and caches", "SHARE", "0.9", 1),
              real("bandwidth-share", "of the bandwidth reached while decoding", "SHARE", "0.6", 1),
              real("flops-share", "of the rate reached on prompts", "SHARE", "0.4", 1),
              real("doubling-share", "of the rate kept when a group is made twice as large", "SHARE", "0.9",
                   1),
              real("busy-share", "of the time that a group works", "SHARE", "0.7", 0.999),
              {.name = "most-per-group",
               .kind = FlagKind::integer,
               .help = "GPUs that hold one copy of the model together, at most",
               .value = "N",
               .fallback = "8",
               .low = 1,
               .high = 1024}},
    .details =
        "aisp utils cluster-size --parameters 70 --weight-bits 8 --kv-bytes 163840 --prompt 1024 --output "
        "256\n"
        "  --requests 20 --ttft-ms 1000 --tpot-ms 50 --gpu-gib 141 --gpu-gbs 4800 --gpu-tflops 1979\n\n"
        "The shares are assumptions; measure your own. Formulas and a worked example: "
        "docs/handbook/sizing.md.",
    .run = run_cluster_size,
    .group = "utils"};

}  // namespace aisp::cli

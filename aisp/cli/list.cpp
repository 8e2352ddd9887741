// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "aisp/cli/catalogue.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/documents.h"
#include "aisp/cli/hardware.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/combinations.h"
#include "aisp/core/nearest.h"
#include "aisp/harness/plan.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

using harness::AxisInfo;
using harness::VariantInfo;
using harness::WorkloadInfo;

bool wanted(const WorkloadInfo& workload, const Arguments& arguments) {
  const auto is = [&](const char* flag, std::string_view value) {
    return !arguments.has(flag) || arguments.text(flag) == value;
  };
  const bool tagged =
      !arguments.has("tag") || std::ranges::find(workload.tags, arguments.text("tag")) != workload.tags.end();
  return is("bound", name_of(workload.bound)) && is("goal", name_of(workload.goal)) &&
         is("shape", name_of(workload.shape)) && is("device", name_of(workload.device)) && tagged;
}

/// For a terminal: what a plugin calls itself must not steer it.
WorkloadInfo visible(WorkloadInfo workload) {
  for (std::string* text : {&workload.id, &workload.title, &workload.idea}) *text = report::visible(*text);
  for (AxisInfo& axis : workload.axes) axis.name = report::visible(axis.name);
  for (VariantInfo& variant : workload.variants) {
    variant.name = report::visible(variant.name);
    variant.note = report::visible(variant.note);
  }
  return workload;
}

std::string axes_text(const WorkloadInfo& workload) {
  std::string text;
  for (const AxisInfo& axis : workload.axes) {
    text += (text.empty() ? "" : "  ") + axis.name + "=" + fmt::format("{}", fmt::join(axis.values, ","));
  }
  return text;
}

/// "  tiled: tile=16,8,32", the fallback first; empty where nothing is left open.
std::string tunable_text(const VariantInfo& variant) {
  std::string text;
  for (const Tunable& tunable : variant.tunables) {
    std::vector<std::int64_t> values = tunable.values;
    std::ranges::stable_partition(values, [&](std::int64_t v) { return v == tunable.fallback; });
    text += fmt::format(" {}={}", report::visible(tunable.name), fmt::join(values, ","));
  }
  return text.empty() ? "" : fmt::format("  {}:{}\n", variant.name, text);
}

std::string one_workload(const WorkloadInfo& workload) {
  std::string text =
      fmt::format("{}: {}\n{}\n\non {}, shape {}, bound by {}, goal {}\nsizes: {}\n\n", workload.id,
                  workload.title, workload.idea, name_of(workload.device), name_of(workload.shape),
                  name_of(workload.bound), name_of(workload.goal), axes_text(workload));
  std::string techniques, tunable;
  for (const VariantInfo& variant : workload.variants) {
    if (is_combination(variant.name)) {
      const auto own = techniques_of(variant.name);
      if (own.size() == 1) techniques += (techniques.empty() ? "" : ", ") + own.front();
      continue;
    }
    const bool baseline = &variant == &workload.variants.front();
    text += fmt::format("  {:<18} {:<14} {}\n", variant.name,
                        baseline                     ? "baseline"
                        : variant.rung == Rung::step ? ""
                                                     : std::string(name_of(variant.rung)),
                        variant.note);
    tunable += tunable_text(variant);
  }
  if (!techniques.empty()) {
    text += fmt::format("\ntechniques that combine: {}; `aisp run {} --combinations` measures every subset\n",
                        techniques, workload.id);
  }
  if (!tunable.empty())
    text += fmt::format("\nparameters to tune, the declared value first; `aisp tune {}` searches them\n{}",
                        workload.id, tunable);
  return text;
}

using Chapters = std::map<std::string, int>;

Chapters count_chapters(const std::vector<const WorkloadInfo*>& workloads) {
  Chapters counts;
  for (const WorkloadInfo* w : workloads) ++counts[w->id.substr(0, w->id.rfind('/'))];
  return counts;
}

std::string text_of(const Chapters& chapters) {
  std::string text;
  for (const auto& [chapter, count] : chapters)
    text += fmt::format("{:<12} {} workload{}\n", chapter, count, count == 1 ? "" : "s");
  return text;
}

/// What was asked for: names, chapters, or everything there is to say.
std::string json_text(const std::vector<const WorkloadInfo*>& chosen, bool names, bool by_chapter) {
  Json entries = Json::array();
  if (by_chapter) {
    for (const auto& [chapter, count] : count_chapters(chosen))
      entries.push_back({{"chapter", printable_utf8(chapter)}, {"workloads", count}});
    return json_document("list", {{"chapters", entries}});
  }
  if (!names) return json_document("list", workloads_json(chosen));
  for (const WorkloadInfo* w : chosen) entries.push_back(printable_utf8(w->id));
  return json_document("list", {{"names", entries}});
}

/// A tag that nothing has is a misspelt one.
Status check_tag(const std::vector<WorkloadInfo>& catalogue, const std::string& tag) {
  std::vector<std::string> known;
  for (const WorkloadInfo& workload : catalogue) {
    for (const std::string& each : workload.tags) {
      if (each == tag) return Ok{};
      if (std::ranges::find(known, each) == known.end()) known.push_back(each);
    }
  }
  const auto near = nearest(tag, known);
  std::ranges::sort(known);
  return Error{ErrorCode::usage, "no workload has the tag '" + tag + "'",
               near.empty() ? fmt::format("tags: {}", fmt::join(known, ", "))
                            : "did you mean '" + near.front() + "'?"};
}

std::string table(const std::vector<const WorkloadInfo*>& workloads) {
  std::size_t widest = 8;
  for (const WorkloadInfo* w : workloads) widest = std::max(widest, w->id.size());
  const auto on_cpu = [](const WorkloadInfo* w) { return w->device == DeviceKind::cpu; };
  const bool several = !std::ranges::all_of(workloads, on_cpu);
  std::string text;
  for (const WorkloadInfo* w : workloads) {
    text += fmt::format("{:<{}}  {}{:<11} {:<15} {}\n", w->id, widest,
                        several ? fmt::format("{:<5} ", name_of(w->device)) : "", name_of(w->goal),
                        name_of(w->bound), w->idea);
  }
  if (workloads.empty()) text = "No workload of this program is like that.\n";
  if (const std::string why_not = several ? why_no_gpu() : ""; !why_not.empty())
    text += "Those for cuda cannot run here: " + why_not + ".\n";
  return text;
}

int run_list(const Arguments& arguments) {
  const Result<std::vector<WorkloadInfo>> catalogue = load_catalogue(arguments.list("plugin"));
  if (!catalogue) return fail(arguments, catalogue.error());
  std::vector<std::string> targets = arguments.positional;
  const bool by_chapter = !targets.empty() && targets.front() == "chapters";
  if (by_chapter) targets.erase(targets.begin());
  if (arguments.has("chapter")) targets.push_back(arguments.text("chapter"));
  if (arguments.has("tag")) {
    if (const Status known = check_tag(*catalogue, arguments.text("tag")); !known)
      return fail(arguments, known.error());
  }
  std::vector<const WorkloadInfo*> chosen;
  for (const WorkloadInfo& workload : *catalogue) {
    if (wanted(workload, arguments)) chosen.push_back(&workload);
  }
  if (!targets.empty()) {
    std::vector<const WorkloadInfo*> named;
    for (const std::string& target : targets) {
      const auto matches = harness::match_target(*catalogue, target);
      if (matches.empty()) return fail(arguments, harness::no_match(*catalogue, target));
      named.insert(named.end(), matches.begin(), matches.end());
    }
    std::erase_if(chosen, [&](const WorkloadInfo* w) { return std::ranges::find(named, w) == named.end(); });
  }
  if (arguments.json())
    return print(json_text(chosen, arguments.has("names"), by_chapter)) ? 0 : static_cast<int>(ErrorCode::io);
  std::string text;
  std::vector<WorkloadInfo> shown;
  for (const WorkloadInfo* w : chosen) shown.push_back(visible(*w));
  for (std::size_t i = 0; i < shown.size(); ++i) chosen[i] = &shown[i];
  if (arguments.has("names")) {
    for (std::size_t i = 0; i < chosen.size(); ++i)  // one for each device: told once
      if (i == 0 || chosen[i]->id != chosen[i - 1]->id) text += chosen[i]->id + "\n";
  } else if (by_chapter) {
    text = text_of(count_chapters(chosen));
  } else if (chosen.size() == 1 && !targets.empty()) {
    text = one_workload(*chosen.front());
    if (const std::string why_not = why_no_gpu();
        chosen.front()->device == DeviceKind::cuda && !why_not.empty())
      text += "\nIt cannot run here: " + why_not + ".\n";
  } else {
    text = table(chosen);
  }
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

}  // namespace

Json workloads_json(std::span<const WorkloadInfo* const> workloads) {
  Json entries = Json::array();
  for (const WorkloadInfo* w : workloads) entries.push_back(to_json(*w));
  return {{"workloads", entries}};
}

const Command kList{
    .name = "list",
    .summary = "Lists workloads; with a name, its sizes and variants",
    .positional = "[chapters] [WORKLOAD...]",
    .flags = {{.name = "chapter", .kind = FlagKind::text, .help = "only of this chapter", .value = "CHAPTER"},
              {.name = "device",
               .kind = FlagKind::choice,
               .help = "only with variants for this device",
               .value = "DEVICE",
               .choices = {"cpu", "cuda"}},
              {.name = "bound",
               .kind = FlagKind::choice,
               .help = "only bound by this",
               .value = "BOUND",
               .choices = {"memory", "compute", "latency", "cache", "synchronisation", "io"}},
              {.name = "goal",
               .kind = FlagKind::choice,
               .help = "only with this goal",
               .value = "GOAL",
               .choices = {"speed", "latency", "throughput", "memory"}},
              {.name = "shape",
               .kind = FlagKind::choice,
               .help = "only of this shape of work",
               .value = "SHAPE",
               .choices = {"call", "stateful", "trace", "collective"}},
              {.name = "tag", .kind = FlagKind::text, .help = "only with this tag", .value = "TAG"},
              {.name = "names", .kind = FlagKind::toggle, .help = "names only, one a line"},
              plugin_flag()},
    .details = "aisp list chapters\naisp list ch07\naisp list ch07/transpose",
    .run = run_list,
    .aliases = {"list-targets"}};

}  // namespace aisp::cli

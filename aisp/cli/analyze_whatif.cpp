// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/analysis/sweep.h"
#include "aisp/analysis/whatif.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/core/nearest.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Candidate;
using analysis::Options;
using analysis::Wish;

Result<Wish> asked_wish(const Arguments& arguments) {
  Wish wish;
  if (arguments.has("latency")) wish.latency_ns = arguments.number("latency") * 1e6;
  if (arguments.has("vram")) wish.memory_bytes = arguments.number("vram") * 1024 * 1024 * 1024;
  if (arguments.has("max-error")) wish.max_error = arguments.number("max-error");
  for (const std::string& entry : arguments.list("param")) {
    const auto parsed = analysis::parameters_of(entry);
    if (parsed.size() != 1 || analysis::text_of(parsed) != entry)
      return Error{ErrorCode::usage, "--param '" + entry + "' is not a size", "write it as n=4096"};
    wish.size.push_back(parsed.front());
  }
  return wish;
}

/// A size that no result has is a misspelt one: no sweep will ever go through it.
Status check_sizes(const Wish& wish, const std::vector<Figure>& figures) {
  std::vector<std::string> known;
  for (const Figure& figure : figures) {
    for (const auto& [name, value] : analysis::parameters_of(figure.parameters))
      if (std::ranges::find(known, name) == known.end()) known.push_back(name);
  }
  if (known.empty()) return Ok{};
  for (const auto& [name, value] : wish.size) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto near = nearest(name, known);
    std::ranges::sort(known);
    return Error{ErrorCode::usage, "--param: none of these results has a size '" + name + "'",
                 (near.empty() ? "" : "did you mean '" + near.front() + "'? ") +
                     fmt::format("there are {}", fmt::join(known, ", "))};
  }
  return Ok{};
}

report::Tone tone_of(const Candidate& candidate) {
  return candidate.verdict == "meets"   ? report::Tone::good
         : candidate.verdict == "fails" ? report::Tone::bad
                                        : report::Tone::caution;
}

/// "0.5 x tolerance": a bare number would read as an error of the values.
std::string tolerance_text(double error) { return report::format_number(error) + " x tolerance"; }

/// "memory 30.0 GiB > 24.0 GiB": what decided against it.
std::string reason(const Candidate& candidate) {
  std::string text;
  for (const analysis::Check& check : candidate.checks) {
    if (check.state != "not met") continue;
    const auto shown = [&](double value) {
      return check.what == "latency"  ? report::format_time(value)
             : check.what == "memory" ? report::format_bytes(value)
                                      : tolerance_text(value);
    };
    text += (text.empty() ? "" : ", ") + check.what + (check.what == "memory" ? " may be " : " ") +
            shown(check.value->value) + " > " + shown(check.limit);
  }
  if (!candidate.needs.empty()) text = "needs " + candidate.needs;
  if (!candidate.model.empty()) text += (text.empty() ? "" : "; ") + candidate.model;
  return text;
}

std::string options_text(const Options& options, const Arguments& arguments) {
  // Without a limit there is nothing to meet: the note says so.
  const bool limited = arguments.has("latency") || arguments.has("vram") || arguments.has("max-error");
  Sheet sheet({"rank", "variant", "", "time", "memory, at most", "error", "verdict", ""});
  for (const Candidate& each : options.candidates) {
    const bool tied = each.rank && std::ranges::count(options.candidates, each.rank, &Candidate::rank) > 1;
    sheet.add(
        {{each.rank ? std::to_string(*each.rank) + (tied ? "=" : "") : ""},
         {each.variant},
         {each.anchor ? "anchor" : ""},
         {each.time_ns ? report::format_interval(*each.time_ns) + (each.modelled ? " (model)" : "")
                       : std::string(report::kUnknownText)},
         {each.memory_bytes ? report::format_bytes(*each.memory_bytes) : std::string(report::kUnknownText)},
         {each.worst_error ? tolerance_text(*each.worst_error) : std::string(report::kUnknownText)},
         {each.verdict == "meets" && !limited ? "" : each.verdict, tone_of(each)},
         {reason(each)}});
  }
  const std::string body = sheet.empty() ? "  cannot tell: needs a valid result\n" : sheet.text(arguments);
  const std::string note = options.note.empty() ? "" : "  " + options.note + "\n";
  return title_of(options.where) + "\n" + body + note + left_out_text(options.left_out) + "\n";
}

/// What the first that could not be told is missing.
std::string first_need(const std::vector<Options>& all) {
  for (const Options& options : all)
    for (const Candidate& each : options.candidates)
      if (!each.needs.empty()) return each.needs;
  return analysis::kNeedsValid;
}

}  // namespace

Result<Answer> ask_whatif(const Arguments& arguments, const FigureSource& source) {
  const Result<Wish> wish = asked_wish(arguments);
  if (!wish) return wish.error();
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  if (const Status known = check_sizes(*wish, figures); !known) return known.error();
  const std::vector<Options> all = analysis::what_if(figures, *wish);
  const auto has = [](const Options& options, const char* verdict) {
    return std::ranges::find(options.candidates, verdict, &Candidate::verdict) != options.candidates.end();
  };
  const auto meets = [&](const Options& options) { return has(options, "meets"); };
  const std::vector<Options> shown = shown_first(all, arguments, meets);
  Answer said{.kind = "whatif", .body = {{"found", all.size()}, {"options", to_json(shown)}}};
  if (!arguments.json()) {
    for (const Options& options : shown) said.text += options_text(options, arguments);
    said.text += shown_text(shown.size(), all.size());
  }
  if (std::ranges::none_of(all, [&](const Options& o) { return meets(o) || has(o, "fails"); })) {
    said.needs = figures.empty() ? kNeedsResults
                 : all.empty()   ? "a sweep that goes through this size"
                                 : first_need(all);
  }
  return said;
}

const Command kWhatif{
    .name = "whatif",
    .summary = "Says which measured variants would do under limits of memory, time and error",
    .positional = "[WORKLOAD...]",
    .flags = question_flags(
        {{.name = "vram",
          .kind = FlagKind::real,
          .help = "memory for the variant and its tensors, at the most they may take (also --memory)",
          .value = "GIB",
          .high = 1e9,
          .alias = "--memory"},
         {.name = "latency",
          .kind = FlagKind::real,
          .help = "time of a call, or of the slowest hundredth where latency is the goal",
          .value = "MS",
          .high = 1e12},
         {.name = "max-error",
          .kind = FlagKind::real,
          .help = "error of the worst answer, x tolerance: 1 is all that the workload tolerates",
          .value = "TIMES",
          .high = 1e12},
         {.name = "param",
          .kind = FlagKind::list,
          .help = "a size, measured or not; repeat for several",
          .value = "NAME=VALUE"},
         top_flag(),
         offset_flag()}),
    .details =
        "A limit is met when the whole interval meets it. Where a size was not measured, a curve through\n"
        "the sweep of each variant answers, with the error it showed at sizes kept from it; outside of\n"
        "the sweep, or with fewer than three sizes, it says what it needs.\n\n"
        "Memory is what the variant held and the bytes its work reads and writes, the most that its\n"
        "tensors take: those that are updated in place count twice.\n\n"
        "Errors are shown as multiples of what the workload tolerates: every valid answer is within 1 x\n"
        "tolerance, and --max-error 0.5 asks for half of that.\n\n"
        "A rank is one more than the number of those that are faster by their whole intervals, anchors\n"
        "counted among them; = marks a rank that is shared.\n\n"
        "aisp whatif --vram 24 --latency 100 --device h200 --max-error 0.5\n"
        "aisp whatif ch07/transpose --param n=6000 --latency 1",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_whatif); },
    .group = "analyze"};

}  // namespace aisp::cli

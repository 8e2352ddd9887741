// SPDX-License-Identifier: Apache-2.0
// Two readings of one front: pareto lists who is on it, tradeoffs what a step along it costs.
#include <algorithm>

#include <fmt/format.h>

#include "aisp/analysis/pareto.h"
#include "aisp/analysis/tradeoffs.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/core/memory_resolution.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Exchange;
using analysis::Front;
using analysis::FrontMember;
using analysis::Respect;

Result<std::vector<Respect>> asked_respects(const Arguments& arguments) {
  std::vector<Respect> respects;
  for (const std::string& name : arguments.list("by")) {
    const auto found = std::ranges::find(analysis::kRespects, name, [](Respect r) { return name_of(r); });
    if (found == analysis::kRespects.end())
      return Error{ErrorCode::usage, "--by '" + name + "' is not known",
                   "choose time, memory, energy or error"};
    if (std::ranges::find(respects, *found) == respects.end()) respects.push_back(*found);
  }
  if (respects.size() == 1)
    return Error{ErrorCode::usage, "one respect has no front",
                 "give --by twice, such as --by=time --by=memory"};
  return respects;
}

Result<std::vector<Front>> fronts(const Arguments& arguments, const std::vector<Figure>& figures) {
  const Result<std::vector<Respect>> respects = asked_respects(arguments);
  if (!respects) return respects.error();
  std::vector<Front> all;
  for (const analysis::Contest& contest : analysis::contests(figures))
    all.push_back(analysis::pareto(contest, *respects));
  return all;
}

std::string optional_text(const std::optional<double>& value, std::string (*format)(double)) {
  return value ? format(*value) : std::string(report::kUnknownText);
}

/// "2.5 J [2.4, 2.6]"; without brackets where the counter's uncertainty is not known.
std::string interval_text(const std::optional<Estimate>& value, const char* unit) {
  if (!value) return std::string(report::kUnknownText);
  const std::string number = fmt::format("{:.3g}{}", value->value, unit);
  return value->low < value->high ? fmt::format("{} [{:.3g}, {:.3g}]", number, value->low, value->high)
                                  : number;
}

std::string front_text(const Front& front, const Arguments& arguments) {
  Sheet sheet({"variant", "", "time", "memory", "energy", "error, x tolerance", "beaten by"});
  for (const FrontMember& each : front.members) {
    std::string beaten;
    for (const std::string& by : each.dominated_by) beaten += (beaten.empty() ? "" : ", ") + by;
    sheet.add({{each.variant},
               {each.baseline ? "baseline"
                : each.anchor ? "anchor"
                              : ""},
               {each.time_ns ? report::format_interval(*each.time_ns) : std::string(report::kUnknownText)},
               {optional_text(each.peak_bytes, report::format_bytes)},
               {interval_text(each.joules, " J")},
               {optional_text(each.worst_error, report::format_number)},
               {beaten.empty() ? "none: on the front" : beaten,
                beaten.empty() ? report::Tone::good : report::Tone::plain}});
  }
  std::string respects;
  for (const std::string& each : front.respects) respects += (respects.empty() ? "" : ", ") + each;
  std::string note = front.note.empty() ? "" : "; " + front.note;
  const bool by_memory = std::ranges::find(front.respects, name_of(Respect::memory)) != front.respects.end();
  if (by_memory && counts_pages(front.where.device))
    note += fmt::format("; memory less than {}, or {:.0f} %, apart is the same",
                        report::format_bytes(kNoMemory), 200 * kPageShare);
  const std::string body = front.needs.empty() ? sheet.text(arguments) + "  by " + respects + note + "\n"
                                               : "  cannot tell: needs " + front.needs + "\n";
  return title_of(front.where) + "\n" + body + left_out_text(front.left_out) + "\n";
}

std::string times_text(const std::optional<double>& ratio) {
  return ratio ? fmt::format("{:.3g}x", *ratio) : std::string(report::kUnknownText);
}

std::string exchange_text(const Front& front, const std::vector<Exchange>& steps,
                          const Arguments& arguments) {
  std::string text = title_of(front.where) + "\n";
  if (!front.needs.empty()) return text + "  cannot tell: needs " + front.needs + "\n\n";
  if (steps.empty()) return text + "  one variant beats all others: nothing to trade\n\n";
  Sheet sheet({"from", "to", "time", "memory", "energy", "error"});
  for (const Exchange& step : steps) {
    sheet.add({{step.from},
               {step.to},
               {report::format_ratio(
                   RatioEstimate{.ratio = step.time.value, .low = step.time.low, .high = step.time.high})},
               {times_text(step.memory)},
               {interval_text(step.energy, "x")},
               {times_text(step.error)}});
  }
  return text + sheet.text(arguments) + (front.note.empty() ? "" : "  " + front.note + "\n") + "\n";
}

Result<Answer> ask(const Arguments& arguments, const FigureSource& source, bool trading) {
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  const Result<std::vector<Front>> all = fronts(arguments, figures);
  if (!all) return all.error();
  const auto told = [](const Front& front) { return front.needs.empty(); };
  const std::vector<Front> shown = shown_first(*all, arguments, told);
  Answer said{.kind = trading ? "tradeoffs" : "pareto"};
  said.body["found"] = all->size();
  said.body["contests"] = Json::array();
  for (const Front& front : shown) {
    if (trading) {
      const auto steps = analysis::exchanges(front);
      if (!arguments.json()) said.text += exchange_text(front, steps, arguments);
      said.body["contests"].push_back({{"where", to_json(front.where)},
                                       {"respects", to_json(front.respects)},
                                       {"exchanges", to_json(steps)},
                                       {"needs", front.needs},
                                       {"note", front.note}});
    } else {
      if (!arguments.json()) said.text += front_text(front, arguments);
      said.body["contests"].push_back(to_json(front));
    }
  }
  said.text += shown_text(shown.size(), all->size());
  if (std::ranges::none_of(*all, told))
    said.needs = figures.empty() ? kNeedsResults : "variants with time and memory, both measured";
  return said;
}

std::vector<Flag> pareto_flags() {
  return question_flags({{.name = "by",
                          .kind = FlagKind::list,
                          .help = "compare in this respect: time, memory, energy, error; repeat it "
                                  "[all that are known]",
                          .value = "RESPECT"},
                         top_flag(),
                         offset_flag()});
}

}  // namespace

Result<Answer> ask_pareto(const Arguments& arguments, const FigureSource& source) {
  return ask(arguments, source, false);
}

Result<Answer> ask_tradeoffs(const Arguments& arguments, const FigureSource& source) {
  return ask(arguments, source, true);
}

const Command kPareto{
    .name = "pareto",
    .summary = "Shows which variants nothing beats in time, memory, energy and error together",
    .positional = "[WORKLOAD...]",
    .flags = pareto_flags(),
    .details =
        "Among variants of one workload, size and device. Times and energies must be apart by their\n"
        "intervals, that of an energy being its counter's uncertainty, or 2 % where it is unknown. Errors\n"
        "are multiples of the workload's tolerance, memory is what the variant held itself; a CPU counts it\n"
        "in pages, and less than 256 KiB, or 6 %, apart it is the same. Where the latest results are of "
        "several\n"
        "runs, times are compared as shares of the baseline's in the same rounds, and the answer says so.\n\n"
        "aisp pareto ch07/transpose --by time --by memory",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_pareto); },
    .group = "analyze"};

const Command kTradeoffs{
    .name = "tradeoffs",
    .summary = "Shows what a step along the pareto front costs in time and saves in the rest",
    .positional = "[WORKLOAD...]",
    .flags = pareto_flags(),
    .details = "aisp tradeoffs ch07/transpose --by time --by memory",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_tradeoffs); },
    .group = "analyze"};

}  // namespace aisp::cli

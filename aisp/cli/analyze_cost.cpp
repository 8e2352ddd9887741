// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/analysis/cost.h"
#include "aisp/cli/analyze_figures.h"
#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/lower_case.h"
#include "aisp/core/nearest.h"
#include "aisp/device/gpu/published_rates.h"
#include "aisp/report/format.h"

namespace aisp::cli {
namespace {

using analysis::Bill;
using analysis::CostLine;
using analysis::CostQuestion;

/// Whether one is a whole word, or several, of the other.
bool same_machine(std::string_view a, std::string_view b) {
  return analysis::contains_word(a, b) || analysis::contains_word(b, a);
}

/// Of the first device in the makers' table that the name is a part of, or that is a part of the name.
std::optional<double> published_bandwidth(const std::string& name) {
  for (const device::PublishedRates& rates : device::kPublished)
    if (same_machine(rates.device, name)) return rates.memory;
  return std::nullopt;
}

/// A machine with neither a price, nor a bandwidth, nor results has no answer: its name is misspelt.
Status check_gpu(const CostQuestion& question, const std::vector<Figure>& figures) {
  const std::string& gpu = question.gpu;
  const auto measured = [&](const Figure& figure) { return analysis::contains_word(figure.hardware, gpu); };
  if (gpu.empty() || published_bandwidth(gpu) || std::ranges::any_of(figures, measured)) return Ok{};
  std::vector<std::string> known, lower;
  for (const analysis::Price& price : question.prices) {
    if (same_machine(price.machine, gpu)) return Ok{};
    known.push_back(price.machine);
  }
  // The makers' table has names of several words, of which the second tells them apart.
  for (const device::PublishedRates& rates : device::kPublished) {
    const std::string_view behind = rates.device.substr(rates.device.find(' ') + 1);
    std::string word(behind.substr(0, behind.find_first_of(" -")));
    if (std::ranges::find(known, word) == known.end()) known.push_back(std::move(word));
  }
  for (const std::string& name : known) lower.push_back(lower_case(name));
  const auto near = nearest(lower_case(gpu), lower);
  const auto meant = near.empty() ? lower.end() : std::ranges::find(lower, near.front());
  return Error{ErrorCode::usage, "--gpu '" + gpu + "' is not known",
               (meant == lower.end()
                    ? ""
                    : "did you mean " + known[static_cast<std::size_t>(meant - lower.begin())] + "? ") +
                   fmt::format("there are {}; --price {}=DOLLARS adds it", fmt::join(known, ", "), gpu)};
}

Result<CostQuestion> asked_question(const Arguments& arguments) {
  Result<std::vector<analysis::Price>> prices = analysis::price_table(arguments.list("price"));
  if (!prices) return prices.error();
  CostQuestion question{
      .prices = *std::move(prices), .gpu = arguments.text("gpu"), .bandwidth = published_bandwidth};
  if (arguments.has("rate")) question.rate = arguments.number("rate");
  return question;
}

/// "3.50 $/h x 1.20 ms / 3600 s / 1000 items"
std::string arithmetic(const CostLine& line, const std::string& item) {
  return fmt::format("{:.2f} $/h x {} / 3600 s / {:.6g} {}{}", line.dollars_per_hour,
                     report::format_time(*line.time_ns), line.items, item, line.items == 1 ? "" : "s");
}

std::string bill_text(const Bill& bill, const Arguments& arguments) {
  Sheet sheet({"variant", "", "on", "dollars for a million", "interval", ""});
  for (const CostLine& line : bill.lines) {
    const auto& dollars = line.dollars_per_item;
    const std::string how = dollars
                                ? arithmetic(line, bill.item) + (line.model.empty() ? "" : "; " + line.model)
                                : "cannot tell: needs " + line.needs;
    sheet.add({{line.variant},
               {line.anchor ? "anchor" : ""},
               {line.machine},
               {dollars ? fmt::format("{:.4g}", 1e6 * dollars->value) : std::string(report::kUnknownText)},
               {dollars ? fmt::format("[{:.4g}, {:.4g}]", 1e6 * dollars->low, 1e6 * dollars->high) : ""},
               {how}});
  }
  return report::visible(bill.workload + " " + bill.parameters) + ", by " + bill.item + "\n" +
         sheet.text(arguments) + "\n";
}

}  // namespace

Result<Answer> ask_cost(const Arguments& arguments, const FigureSource& source) {
  const Result<CostQuestion> question = asked_question(arguments);
  if (!question) return question.error();
  const Result<Figures> source_figures = source(arguments);
  if (!source_figures) return source_figures.error();
  const std::vector<Figure>& figures = **source_figures;
  if (const Status known = check_gpu(*question, figures); !known) return known.error();
  std::vector<Bill> all = analysis::bills(figures, *question);
  std::string needs = figures.empty() ? kNeedsResults : analysis::kNeedsValid;
  bool any = false;
  for (const Bill& bill : all) {
    any = any || bill.lines.front().dollars_per_item.has_value();
    needs = bill.lines.front().needs;
  }
  Lines lines(arguments);
  for (Bill& bill : all) lines.keep_shown(bill.lines);
  Answer said{
      .kind = "cost",
      .body = {{"total", lines.total()}, {"bills", to_json(all)}, {"prices", to_json(question->prices)}}};
  for (const Bill& bill : all)
    if (!bill.lines.empty() && !arguments.json()) said.text += bill_text(bill, arguments);
  said.text += lines.text();
  if (!any) said.needs = needs;
  if (!any && needs.starts_with("a price")) said.needs += ": give --rate, or --price NAME=DOLLARS";
  return said;
}

const Command kCost{
    .name = "cost",
    .summary = "Prices an item or a call from measured times and what an hour of the machine costs",
    .positional = "[WORKLOAD...]",
    .flags =
        question_flags({{.name = "gpu",
                         .kind = FlagKind::text,
                         .help = "the price on this GPU; of work bound by memory by a roofline model",
                         .value = "NAME"},
                        {.name = "rate",
                         .kind = FlagKind::real,
                         .help = "dollars for an hour of the machine, whatever the table says",
                         .value = "DOLLARS",
                         .high = 1e9},
                        {.name = "price",
                         .kind = FlagKind::list,
                         .help = "dollars for an hour of machines with this word in their name; repeat it",
                         .value = "NAME=DOLLARS"},
                        lines_flag("so many lines for each workload and size"),
                        offset_flag()}),
    .details =
        "An hour costs, where nothing else is said: B200 5.00, H100 3.50, A100 2.00, L40S 1.50, A10G 1.00,\n"
        "T4 0.50 dollars. Lay your own over them in aisp.toml:\n\n"
        "  [cost]\n"
        "  price = [\"H200=4.10\", \"Xeon=0.12\"]\n\n"
        "aisp cost ch07 --rate 4.10\n"
        "aisp cost ch07/transpose --gpu B200",
    .run = [](const Arguments& arguments) { return answer(arguments, ask_cost); },
    .group = "analyze"};

}  // namespace aisp::cli

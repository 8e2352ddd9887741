// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/analyze_figures.h"

#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "aisp/cli/json_document.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/core/exit_code.h"
#include "aisp/harness/build_cell.h"
#include "aisp/harness/plan.h"
#include "aisp/store/figures.h"

namespace aisp::cli {
namespace {

/// Names are matched as `aisp run` matches them, against what is stored.
Result<std::vector<std::string>> matching(const std::vector<std::string>& targets,
                                          const std::vector<std::string>& stored) {
  std::vector<harness::WorkloadInfo> catalogue(stored.size());
  for (std::size_t i = 0; i < stored.size(); ++i) catalogue[i].id = stored[i];
  std::vector<std::string> names;
  for (const std::string& target : targets) {
    const auto matches = harness::match_target(catalogue, target);
    if (matches.empty()) {
      Error error = harness::no_match(catalogue, target);
      error.message = "there are no results of '" + target + "'";
      if (error.hint.empty()) error.hint = "`aisp show --runs` lists the stored runs";
      return error;
    }
    for (const harness::WorkloadInfo* each : matches)
      if (std::ranges::find(names, each->id) == names.end()) names.push_back(each->id);
  }
  return names;
}

constexpr std::ptrdiff_t kNamed = 10;  ///< more names would hide the others
constexpr const char* kHowToSeeOthers = "--top shows more, --offset those behind them";

bool is_device(const std::string& name) {
  return name == "cpu" || name == "cuda" || name.starts_with("cuda:");
}

}  // namespace

std::vector<Flag> question_flags(std::vector<Flag> own) {
  own.push_back({.name = "device",
                 .kind = FlagKind::text,
                 .help = "only results of this device (cpu, cuda:0), or of hardware with this in its name",
                 .value = "NAME"});
  return own;
}

Flag top_flag() {
  return {.name = "top",
          .kind = FlagKind::integer,
          .help = "so many contests: a workload at one size on one device",
          .value = "N",
          .fallback = "20",
          .low = 1,
          .high = 1e6};
}

Flag lines_flag(const char* help) {
  return {.name = "top",
          .kind = FlagKind::integer,
          .help = help,
          .value = "N",
          .fallback = "10",
          .low = 1,
          .high = 1000};
}

Flag offset_flag() {
  return {.name = "offset",
          .kind = FlagKind::integer,
          .help = "leave out so many of them, and show those behind",
          .value = "N",
          .fallback = "0",
          .low = 0,
          .high = 1e9};
}

std::string shown_text(std::size_t shown, std::size_t all) {
  return shown < all ? fmt::format("{} of {} contests; {}\n", shown, all, kHowToSeeOthers) : "";
}

std::string Lines::text() const {
  return shown_ < total_ ? fmt::format("{} of {} lines; {}\n", shown_, total_, kHowToSeeOthers) : "";
}

Result<Figures> chosen_figures(const Arguments& arguments) {
  Result<std::optional<store::Store>> results = open_store_if_any(arguments);
  if (!results) return results.error();
  if (!results->has_value()) return std::make_shared<const std::vector<Figure>>();
  const Result<store::FigureQuery> query = figure_query(**results, arguments);
  if (!query) return query.error();
  return figures_to_compare(**results, *query);
}

Result<Figures> figures_to_compare(store::Store& store, const store::FigureQuery& query) {
  Result<std::vector<Figure>> figures = store::latest_figures(store, query);
  if (!figures) return figures.error();
  std::erase_if(*figures, [](const Figure& figure) {
    return std::ranges::any_of(harness::kBuildLabels,
                               [&](const char* label) { return figure.variant.starts_with(label); });
  });
  return std::make_shared<const std::vector<Figure>>(*std::move(figures));
}

Result<store::FigureQuery> figure_query(store::Store& store, const Arguments& arguments) {
  store::FigureQuery query;
  const std::string device = arguments.text("device");
  (is_device(device) ? query.device : query.hardware) = device;
  if (!arguments.positional.empty()) {
    const auto stored = store::figure_workloads(store);
    if (!stored) return stored.error();
    Result<std::vector<std::string>> names = matching(arguments.positional, *stored);
    if (!names) return names.error();
    query.workloads = *std::move(names);
  }
  return query;
}

Sheet::Sheet(std::vector<std::string> headers) : headers_(std::move(headers)) {}

std::string Sheet::text(const Arguments& arguments) const {
  const report::Paint paint(use_color(arguments));
  report::Grid grid;
  for (std::size_t column = 0; column < headers_.size(); ++column) {
    std::vector<report::GridCell> cells;
    for (const auto& row : rows_) {
      cells.push_back(row[column]);
      cells.back().text = report::visible(cells.back().text);
    }
    grid.add(headers_[column], report::Align::left, std::move(cells));
  }
  std::string text = grid.header(paint);
  for (std::size_t i = 0; i < rows_.size(); ++i) text += grid.row(i, paint);
  return text;
}

std::string title_of(const analysis::Where& where) {
  std::string title = where.workload;
  if (!where.parameters.empty()) title += " " + where.parameters;
  title += ", " + where.device + " of " + where.hardware;
  if (where.cache != CacheMode::hot) title += ", " + std::string(name_of(where.cache));
  return report::visible(title);
}

std::string left_out_text(const std::vector<analysis::LeftOut>& left_out) {
  std::string text;
  for (const analysis::LeftOut& each : left_out)
    text += (text.empty() ? "  left out: " : ", ") + each.variant + " (" + each.why + ")";
  return text.empty() ? "" : report::visible(text) + "\n";
}

std::string document_of(const Answer& answer) {
  Json body = answer.body;
  body["cannot_tell"] = !answer.needs.empty();
  body["needs"] = printable_utf8(answer.needs);
  return json_document(answer.kind, body);
}

Status name_devices(Answer& said, const Arguments& arguments, const FigureSource& source) {
  const std::string asked = arguments.text("device");
  if (said.needs != kNeedsResults || asked.empty()) return Ok{};
  Arguments of_any = arguments;
  of_any.values.erase("device");
  const Result<Figures> figures = source(of_any);
  if (!figures) return figures.error();
  std::set<std::string> known;
  for (const Figure& figure : **figures) known.insert(figure.device + " of " + figure.hardware);
  if (known.empty()) return Ok{};
  const std::vector<std::string> named(
      known.begin(), std::next(known.begin(), std::min<std::ptrdiff_t>(kNamed, std::ssize(known))));
  said.needs =
      fmt::format("results of '{}': there are none of such a device or hardware; there are some of {}{}",
                  asked, fmt::join(named, "; "),
                  std::ssize(known) > kNamed ? fmt::format(" and {} more", std::ssize(known) - kNamed) : "");
  return Ok{};
}

int answer(const Arguments& arguments, Ask ask) {
  Result<Answer> said = ask(arguments, chosen_figures);
  if (!said) return fail(arguments, said.error());
  if (const Status named = name_devices(*said, arguments, chosen_figures); !named)
    return fail(arguments, named.error());
  std::string text = arguments.json() ? document_of(*said) : said->text;
  if (!arguments.json() && !said->needs.empty())
    text += "cannot tell: needs " + report::visible(said->needs) + "\n";
  if (!print(text)) return static_cast<int>(ErrorCode::io);
  return said->needs.empty() ? kExitValid : kExitInconclusive;
}

}  // namespace aisp::cli

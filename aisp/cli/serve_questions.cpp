// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "aisp/cli/analyze_questions.h"
#include "aisp/cli/analyze_stacking.h"
#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/serve_routes.h"

namespace aisp::cli {
namespace {

using server::Asked;
using server::Response;

struct Question {
  const char* path;
  const Command& command;
  /// The store is for those that read raw rounds.
  std::function<Result<Answer>(const Arguments&, const FigureSource&, store::Store*)> ask;
  std::vector<server::Property> properties;
};

server::Route route_of(Served& served, const Question& question) {
  std::vector<server::Parameter> parameters{workload_parameter()};
  for (const Flag& flag : question.command.flags) parameters.push_back(parameter_of(flag));
  std::vector<server::Property> properties = question.properties;
  properties.insert(properties.end(), {{"cannot_tell", "boolean"}, {"needs", "string"}});
  return {
      .method = "GET",
      .path = std::string("/api/v1/analysis/") + question.path,
      .summary = question.command.summary,
      .parameters = std::move(parameters),
      .schema = "aisp." + question.command.name,
      .properties = std::move(properties),
      .answer =
          [&served, ask = question.ask, asked_as = AskedAs(served, question.command)](const Asked& asked) {
            const Result<Arguments> arguments = asked_as(asked);
            if (!arguments) return server::refusal(arguments.error());
            return served.store.with([&](store::Store* store) {
              const auto figures = [&](const Arguments& about) { return served.store.figures(store, about); };
              Result<Answer> said = ask(*arguments, figures, store);
              if (!said) return server::refusal(said.error());
              if (const Status named = name_devices(*said, *arguments, figures); !named)
                return server::refusal(named.error());
              return Response{.body = document_of(*said)};
            });
          },
      .kept = true,
      .aliases = {std::string("/api/analysis/") + question.path}};
}

/// Answers from figures alone.
auto by_figures(Ask ask) {
  return [ask](const Arguments& arguments, const FigureSource& source, store::Store*) {
    return ask(arguments, source);
  };
}

Result<Answer> stacking_in(const Arguments& arguments, const FigureSource& source, store::Store* store) {
  return ask_stacking(arguments, source, [&](const std::string& run) { return store->load(run); });
}

}  // namespace

void add_question_routes(Served& served, Routes& routes) {
  const server::Property found{"found", "integer"}, total{"total", "integer"}, contests{"contests", "array"};
  // With a workload its standings, else the leaders of all.
  const auto either = server::Property::Absence::missing;
  const Question questions[] = {
      {"leaderboards",
       kLeaderboard,
       ask_leaderboard,
       {total, {"leaders", "array", either}, {"standings", "array", either}}},
      {"pareto", kPareto, by_figures(ask_pareto), {found, contests}},
      {"tradeoffs", kTradeoffs, by_figures(ask_tradeoffs), {found, contests}},
      {"recommendations", kRecommendations, by_figures(ask_recommendations), {found, {"advice", "array"}}},
      {"whatif", kWhatif, by_figures(ask_whatif), {found, {"options", "array"}}},
      {"power", kPower, by_figures(ask_power), {total, contests}},
      {"cost", kCost, by_figures(ask_cost), {total, {"bills", "array"}, {"prices", "array"}}},
      {"scaling", kScaling, by_figures(ask_scaling), {total, {"sizes", "array"}, {"teams", "array"}}},
      {"stacking", kStacking, stacking_in, {found, {"combinations", "array"}, {"declared", "array"}}}};
  for (const Question& question : questions) routes.push_back(route_of(served, question));
}

}  // namespace aisp::cli

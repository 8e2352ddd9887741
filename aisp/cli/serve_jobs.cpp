// SPDX-License-Identifier: Apache-2.0
// Runs that the server starts, and the events by which they and all others are watched.
#include <algorithm>
#include <array>
#include <charconv>

#include "aisp/cli/commands.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/planning.h"
#include "aisp/cli/run_config.h"
#include "aisp/cli/serve_job.h"
#include "aisp/cli/serve_routes.h"
#include "aisp/cli/settings.h"
#include "aisp/store/postgres_url.h"

namespace aisp::cli {
namespace {

using server::Asked;
using server::refusal;
using server::Response;

/// Files are for who sits at the machine: a plugin is code, a report is written, a resumed run needs no
/// flags; so are other hosts and the options of their launchers.
constexpr std::array kNotFromAPage{"plugin",   "report", "resume", "dry-run",         "ladder", "events",
                                   "launcher", "tasks",  "shared", "launcher-option", "wait"};

bool from_a_page(const std::string& flag) {
  return std::ranges::find(kNotFromAPage, flag) == kNotFromAPage.end();
}

/// What the body of a run that is asked for may hold.
std::vector<server::Parameter> run_parameters() {
  std::vector<server::Parameter> all{
      {.name = "targets", .help = "workloads, as `aisp run` takes them", .repeats = true, .required = true}};
  for (const Flag& flag : kRun.flags)
    if (from_a_page(flag.name)) all.push_back(parameter_of(flag));
  return all;
}

Error unfit(const std::string& message, const std::string& hint = {}) {
  return {ErrorCode::bad_input, message, hint};
}

/// One value of a flag as it would be typed.
Result<std::string> typed(const Json& value, const std::string& name) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return std::string(value.get<bool>() ? "true" : "false");
  if (value.is_number()) return value.dump();
  return unfit("'" + name + "' is neither text, a number, nor true or false");
}

Result<std::vector<std::string>> typed_list(const Json& value, const std::string& name) {
  std::vector<std::string> values;
  if (!value.is_array()) {
    const Result<std::string> one = typed(value, name);
    if (!one) return one.error();
    return std::vector<std::string>{*one};
  }
  for (const Json& each : value) {
    const Result<std::string> one = typed(each, name);
    if (!one) return one.error();
    values.push_back(*one);
  }
  return values;
}

Status take_flag(const std::string& name, const Json& value, Arguments& arguments) {
  const auto flag = std::ranges::find(kRun.flags, name, &Flag::name);
  if (flag == kRun.flags.end() || !from_a_page(name))
    return unfit("a run cannot be given '" + name + "' here",
                 "targets, and the flags of `aisp run` less files");
  const Result<std::vector<std::string>> values = typed_list(value, name);
  if (!values) return values.error();
  if (values->size() > 1 && flag->kind != FlagKind::list) return unfit("'" + name + "' takes one value");
  arguments.values[name] = *values;
  for (std::string& each : arguments.values[name]) {
    if (each.size() > 200) return unfit("a value of '" + name + "' is too long");
    if (const Status fits = check_flag(*flag, each, name); !fits) return fits;
  }
  return Ok{};
}

Response start_job(Served& served, const Asked& asked) {
  const Result<std::vector<std::string>> words = run_words(served.arguments, asked.request.body);
  if (!words) return refusal(words.error());
  const Result<server::Job> job = served.jobs->start(*words);
  if (!job)
    return refusal(job.error().code == ErrorCode::environment ? 409 : 500, job.error().message,
                   job.error().hint);
  return {.status = 202, .body = job_document(*job, true), .headers = {{"Location", "/api/v1/runs/current"}}};
}

Response end_job(Served& served) {
  if (!served.jobs->end()) return refusal(409, "no run is in progress that this server started");
  return {.status = 202, .body = job_document(served.jobs->current(), true)};
}

Response listen_for_events(const Asked& asked) {
  const std::string* last = asked.request.header("last-event-id");
  const std::string after = asked.values.contains("after") ? asked.text("after")
                            : last != nullptr              ? *last
                                                           : "";
  std::int64_t number = 0;
  const auto read = std::from_chars(after.data(), after.data() + after.size(), number);
  if (!after.empty() && (read.ec != std::errc() || read.ptr != after.data() + after.size() || number < 0))
    return refusal(400, "after '" + after + "' is no event's number", "events carry theirs as id");
  return {.type = "text/event-stream", .events = true, .after = after};
}

}  // namespace

Result<std::vector<std::string>> run_words(const Arguments& serving, const std::string& body) {
  const Result<Json> json = parse_json(body, std::size_t{64} << 10, 4);
  if (!json) return unfit("the body is not JSON: " + json.error().message, "{\"targets\": [\"ch07\"]}");
  if (!json->is_object()) return unfit("the body is not an object", "{\"targets\": [\"ch07\"]}");
  Arguments arguments;
  arguments.values["quiet"] = {"true"};
  arguments.values["events"] = {"true"};  // for JobProgress
  for (const auto& [name, value] : json->items()) {
    if (name == "targets") {
      const Result<std::vector<std::string>> targets = typed_list(value, name);
      if (!targets) return targets.error();
      arguments.positional = *targets;
    } else if (const Status taken = take_flag(name, value, arguments); !taken) {
      return taken.error();
    }
  }
  std::vector<std::string> words{"run"};
  for (const auto& [name, values] : arguments.values) {
    const auto flag = std::ranges::find(kRun.flags, name, &Flag::name);
    if (flag == kRun.flags.end()) continue;
    for (const std::string& value : values) {
      if (flag->kind != FlagKind::toggle) words.push_back("--" + name + "=" + value);
      if (flag->kind == FlagKind::toggle && value == "true") words.push_back("--" + name);
    }
  }
  for (const std::string& target : arguments.positional) {
    if (target.empty() || target.front() == '-' || target.size() > 200)
      return unfit("'" + target + "' is not a workload", "/api/v1/benchmarks lists them");
    words.push_back(target);
  }
  // Planned here as the run itself will plan it, so that who asked is told now what is wrong.
  if (const Status applied = apply_settings(kRun, serving.text("config"), arguments); !applied)
    return applied.error();
  Result<RunConfig> config = run_config_of(arguments);
  if (!config) return config.error();
  if (const auto cells = cells_of(*config); !cells) return cells.error();
  // A URL may hold a password, and everybody reads command lines; the variable has it (serve.cpp).
  if (serving.has("store") && !store::is_postgres_url(serving.text("store")))
    words.push_back("--store=" + serving.text("store"));
  if (serving.has("config")) words.push_back("--config=" + serving.text("config"));
  return words;
}

std::string job_document(const std::optional<server::Job>& job, bool allowed, int indent) {
  return json_document("job", {{"job", to_json(job)}, {"allowed", allowed}}, indent);
}

void add_job_routes(Served& served, Routes& routes) {
  const std::vector<server::Property> job_properties{{"job", "object", server::Property::Absence::null},
                                                     {"allowed", "boolean"}};
  routes.push_back({.method = "GET",
                    .path = "/api/v1/events",
                    .summary = "Server-sent events: what is added to the store, and the server's own run",
                    .parameters = {{.name = "after", .help = "begin behind this event"}},
                    .answer = listen_for_events});
  routes.push_back({.method = "GET",
                    .path = "/api/v1/runs/current",
                    .summary = "The run that this server started, or the last one",
                    .schema = "aisp.job",
                    .properties = job_properties,
                    .answer = [&served](const Asked&) {
                      const auto job = served.jobs != nullptr ? served.jobs->current() : std::nullopt;
                      return Response{.body = job_document(job, served.jobs != nullptr)};
                    }});
  const auto allowed = [&served](Response (*answer)(Served&, const Asked&)) {
    return [&served, answer](const Asked& asked) {
      if (served.jobs == nullptr)
        return refusal(403, "this server starts no runs", "start it with `aisp serve --allow-runs`");
      return answer(served, asked);
    };
  };
  routes.push_back({.method = "POST",
                    .path = "/api/v1/runs",
                    .summary = "Starts a run: {\"targets\": [...], \"suite\": \"quick\", ...}, one at a time",
                    .schema = "aisp.job",
                    .properties = job_properties,
                    .body = run_parameters(),
                    .answer = allowed(start_job)});
  routes.push_back({.method = "DELETE",
                    .path = "/api/v1/runs/current",
                    .summary = "Ends the run that this server started; what is finished is kept",
                    .schema = "aisp.job",
                    .properties = job_properties,
                    .answer = allowed([](Served& of, const Asked&) { return end_job(of); })});
}

}  // namespace aisp::cli

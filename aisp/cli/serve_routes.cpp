// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/serve_routes.h"

#include <algorithm>
#include <cstdlib>

#include "aisp/cli/settings.h"

namespace aisp::cli {

namespace {

/// On a terminal a long list does no harm.
Flag within_limits(Flag flag) {
  if (flag.name == "top") flag.high = std::min(flag.high, kLongestList);
  return flag;
}

/// Another spelling is one of the command line's: a parameter has its name alone.
Flag without_alias(Flag flag) {
  const std::string also = " (also " + flag.alias + ")";
  if (const auto at = flag.help.find(also); at != std::string::npos) flag.help.erase(at, also.size());
  return flag;
}

}  // namespace

Served::Served(const Arguments& given) : arguments(given), store(given) {}

Routes all_routes(Served& served) {
  Routes routes;
  add_catalogue_routes(served, routes);
  add_job_routes(served, routes);  // before runs/{id}: the first that fits answers
  add_run_routes(served, routes);
  add_summary_routes(served, routes);
  add_question_routes(served, routes);
  add_history_routes(served, routes);
  add_machine_routes(served, routes);
  return routes;
}

server::Parameter parameter_of(const Flag& given) {
  const Flag flag = without_alias(within_limits(given));
  using Kind = server::Parameter::Kind;
  const Kind kind = flag.kind == FlagKind::toggle    ? Kind::toggle
                    : flag.kind == FlagKind::integer ? Kind::integer
                    : flag.kind == FlagKind::real    ? Kind::real
                    : flag.kind == FlagKind::choice  ? Kind::choice
                                                     : Kind::text;
  return {.name = flag.name,
          .kind = kind,
          .help = flag.help,
          .repeats = flag.kind == FlagKind::list,
          .fallback = flag.fallback,
          .low = flag.low,
          .high = flag.high,
          .choices = flag.choices};
}

Result<std::size_t> asked_count(const server::Asked& asked, const Flag& flag) {
  std::string count = asked.values.contains(flag.name) ? asked.text(flag.name) : flag.fallback;
  if (const Status fits = check_flag(flag, count, flag.name); !fits) return fits.error();
  return static_cast<std::size_t>(std::strtod(count.c_str(), nullptr));
}

server::Parameter workload_parameter() {
  return {.name = "workload",
          .help = "only these: ch07, ch07/*, ch07/transpose; repeat it for several",
          .repeats = true};
}

AskedAs::AskedAs(const Served& served, const Command& command) : flags_(command.flags) {
  std::ranges::transform(flags_, flags_.begin(), within_limits);
  settings_.values["json"] = {"true"};
  settings_.values["quiet"] = {"true"};
  if (served.arguments.has("store")) settings_.values["store"] = {served.arguments.text("store")};
  // What is wrong with a configuration file was said when `aisp serve` read it; defaults are left then.
  if (!apply_settings(command, served.arguments.text("config"), settings_)) {
    for (const Flag& flag : flags_)
      if (!flag.fallback.empty()) settings_.values[flag.name] = {flag.fallback};
  }
}

Result<Arguments> AskedAs::operator()(const server::Asked& asked) const {
  Arguments arguments = settings_;
  for (const auto& [name, values] : asked.values) {
    if (name == "workload") {
      arguments.positional = values;
      continue;
    }
    const auto flag = std::ranges::find(flags_, name, &Flag::name);
    if (flag == flags_.end()) continue;  // a parameter of the route's own
    arguments.values[name] = values;
    for (std::string& value : arguments.values[name]) {
      if (const Status fits = check_flag(*flag, value, name); !fits) return fits.error();
    }
  }
  return arguments;
}

}  // namespace aisp::cli

// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "aisp/cli/hardware.h"
#include "aisp/cli/json_document.h"
#include "aisp/cli/program_files.h"
#include "aisp/cli/results.h"
#include "aisp/cli/terminal.h"
#include "aisp/cli/tunings.h"
#include "aisp/harness/date.h"
#include "aisp/report/format.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

/// Of the workloads named, or of all.
void keep_named(const Arguments& arguments, std::vector<Tuning>& tunings) {
  if (arguments.positional.empty()) return;
  std::erase_if(tunings, [&](const Tuning& tuning) {
    return std::ranges::none_of(arguments.positional, [&](const std::string& name) {
      return tuning.workload == name || tuning.workload.starts_with(name + "/");
    });
  });
}

/// A plugin is another file each time; of the program itself it is known which one this is.
bool of_this_program(const Tuning& tuning) {
  static const std::vector<std::string> program = ProgramFiles::programs(ProgramFiles(RunConfig{}).facts());
  return program.size() == 1 && tuning.build.starts_with(program.front());
}

std::string line_of(const Tuning& tuning) {
  return fmt::format("{:<28} {:<28} {:<28} {:<24} {}{}{}\n", report::visible(tuning.workload),
                     report::visible(tuning.parameters), report::visible(tuning.chosen),
                     report::format_ratio(tuning.ratio), report::visible(tuning.date.substr(0, 10)),
                     tuning.is_own() ? "" : ", tuned on " + report::visible(tuning.tuned_on),
                     of_this_program(tuning) ? "" : ", by another build");
}

}  // namespace

int list_tunings(const Arguments& arguments) {
  const Result<std::string> hardware = hardware_of(arguments.text("device"));
  if (!hardware) return fail(arguments, hardware.error());
  auto results = open_store_if_any(arguments);
  if (!results) return fail(arguments, results.error());
  std::vector<Tuning> tunings;
  if (results->has_value()) {
    auto stored = (*results)->tunings(*hardware);
    if (!stored) return fail(arguments, stored.error());
    tunings = *std::move(stored);
  }
  keep_named(arguments, tunings);
  std::string text;
  if (arguments.json()) {
    Json list = Json::array();
    for (const Tuning& tuning : tunings) {
      list.push_back(to_json(tuning));
      list.back()["this_build"] = of_this_program(tuning);
    }
    text = json_document("tune", {{"hardware", *hardware}, {"tunings", list}});
  } else {
    for (const Tuning& tuning : tunings) text += line_of(tuning);
    if (tunings.empty()) text = "Nothing is tuned on " + *hardware + ": `aisp tune WORKLOAD` does it.\n";
  }
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

int forget_tunings(const Arguments& arguments) {
  const Result<std::string> hardware = hardware_of(arguments.text("device"));
  if (!hardware) return fail(arguments, hardware.error());
  Result<store::Store> results = open_store(arguments, store::Access::read_write, Purpose::what_is_there);
  if (!results) return fail(arguments, results.error());
  auto tunings = results->tunings(*hardware);
  if (!tunings) return fail(arguments, tunings.error());
  keep_named(arguments, *tunings);
  for (Tuning& tuning : *tunings) {  // nothing leaves a store: a later event takes it back
    tuning.chosen.clear();
    tuning.date = harness::utc_now();
    if (const Status kept = results->tuned(tuning); !kept) return fail(arguments, kept.error());
  }
  const std::string text =
      arguments.json() ? json_document("tune", {{"hardware", *hardware}, {"forgotten", tunings->size()}})
                       : fmt::format("{} forgotten\n", tunings->size());
  return print(text) ? 0 : static_cast<int>(ErrorCode::io);
}

}  // namespace aisp::cli

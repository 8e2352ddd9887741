// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/run_events.h"

#include <cstdio>

namespace aisp::cli {

void RunEvents::tell() const {
  if (!enabled_) return;
  std::fputs(report::progress_line(now_).c_str(), stderr);
  std::fflush(stderr);
}

void RunEvents::run_began(const RunRecord& record, std::size_t cells) {
  now_ = {};
  now_.event = "run";
  now_.run = record.id;
  now_.cells = static_cast<int>(cells);
  now_.device = record.manifest.config.device;
  tell();
}

void RunEvents::cell_began(std::size_t index, const harness::PlannedCell& cell) {
  now_.event = "cell";
  now_.cell = static_cast<int>(index) + 1;
  now_.workload = cell.workload.id;
  now_.parameters = cell.params.text();
  now_.rounds = now_.look = now_.looks = 0;
  now_.status = now_.validity = now_.what = "";
  now_.variants.clear();
  tell();
}

void RunEvents::moved(double share, const std::string& what) {
  now_.share = share;
  now_.what = what;
  const auto now = Time::now();
  if (!enabled_ || (told_ != Time::time_point::min() && now - told_ < std::chrono::milliseconds(200))) return;
  told_ = now;
  // The variants as they stood are told by looks alone.
  report::ProgressEvent event = now_;
  event.event = "rounds";
  event.variants.clear();
  std::fputs(report::progress_line(event).c_str(), stderr);
  std::fflush(stderr);
}

void RunEvents::looked(const CellResult& cell, const RunConfig& config) {
  if (!enabled_) return;
  now_.event = "look";
  now_.rounds = static_cast<int>(cell.rounds.size());
  now_.look = cell.look + 1;
  now_.looks = static_cast<int>(config.looks.size());
  now_.precision = config.precision;
  now_.baseline = cell.baseline() != nullptr ? cell.baseline()->name : "";
  now_.variants = report::looked_variants(cell, false);
  tell();
}

void RunEvents::cell_ended(const CellResult& cell) {
  if (!enabled_) return;
  now_.event = "cell_finished";
  now_.status = cell.stopped;
  now_.validity = std::string(name_of(cell.validity));
  now_.rounds = static_cast<int>(cell.rounds.size());
  now_.variants = report::looked_variants(cell, true);
  tell();
}

void RunEvents::run_ended(const RunRecord& record, int exit_code) {
  now_.event = "run_finished";
  now_.share = 1;
  now_.status = record.status;
  now_.exit_code = exit_code;
  now_.variants.clear();
  tell();
}

Flag events_flag() {
  return {.name = "events",
          .kind = FlagKind::toggle,
          .help = "say on stderr what happens, a JSON object a line: cells, rounds, looks with intervals"};
}

}  // namespace aisp::cli

// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/job_progress.h"

#include <algorithm>
#include <array>

#include "aisp/report/progress_event.h"

namespace aisp::cli {
namespace {

constexpr std::array kEvents{"run", "cell", "rounds", "look", "cell_finished", "run_finished"};
constexpr std::chrono::milliseconds kPace{200};

server::Event event_of(const std::string& data) { return {.kind = "progress", .data = data}; }

}  // namespace

bool JobProgress::take(const std::string& line, Clock::time_point now) {
  const std::optional<report::ProgressEvent> event = report::read_progress_line(line);
  if (!event || std::ranges::find(kEvents, event->event) == kEvents.end()) return false;
  std::string data = report::progress_line(*event);
  data.pop_back();
  if (data.size() > server::kTakenLineBytes) return false;  // what a line leaves out is written in full
  const std::lock_guard lock(mutex_);
  keep({event->event, data});
  if (event->event != "rounds") {
    tell_held();
    tell_(event_of(data));
  } else if (now < next_) {
    held_ = std::move(data);
  } else {
    // Written every 200 ms, they come a little sooner or later.
    next_ = std::max(next_, now - kPace) + kPace;
    held_.reset();
    tell_(event_of(data));
  }
  return true;
}

void JobProgress::follow(const server::Job& job) {
  const std::lock_guard lock(mutex_);
  if (job.id != job_) {
    kept_.clear();
    held_.reset();
  }
  job_ = job.id;
  if (job.state == "finished") tell_held();
}

std::vector<server::Event> JobProgress::so_far() const {
  const std::lock_guard lock(mutex_);
  std::vector<server::Event> events;
  for (const Kept& each : kept_) events.push_back(event_of(each.data));
  return events;
}

void JobProgress::keep(Kept next) {
  const bool cell_over = next.event == "cell" || next.event == "cell_finished";
  if (next.event == "run") kept_.clear();
  std::erase_if(kept_, [&](const Kept& each) {
    return each.event == "rounds" || (cell_over && (each.event == "cell" || each.event == "look"));
  });
  kept_.push_back(std::move(next));
  std::size_t bytes = 0;
  for (const Kept& each : kept_) bytes += each.data.size();
  while (bytes > kKeptProgressBytes) {
    // The run itself stays: it says where what follows begins.
    const auto oldest = kept_.begin() + (kept_.front().event == "run" ? 1 : 0);
    bytes -= oldest->data.size();
    kept_.erase(oldest);
  }
}

void JobProgress::tell_held() {
  if (held_) tell_(event_of(*held_));
  held_.reset();
}

}  // namespace aisp::cli

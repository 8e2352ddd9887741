// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run that is being watched: what its events have said so far. Fed with the lines that `aisp run --events`
/// writes; knows no process and no clock.
///
///   LiveRun live(words);
///   live.take(line);
///   live.seconds = since_it_began;
///   live.seconds_left();
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/report/progress_event.h"

namespace aisp::tui {

class LiveRun {
 public:
  explicit LiveRun(std::vector<std::string> words = {}) : command(std::move(words)) {}

  void take(std::string_view line);
  /// The process is gone: its exit code, or 128 and the signal that ended it.
  void ended(int exit_code);

  bool running() const { return !exit_code.has_value(); }
  /// Nothing while too little is known.
  std::optional<double> seconds_left() const;
  /// Half the width of a variant's interval at every look so far, as shares of its ratio.
  std::vector<double> half_widths(const std::string& variant) const;

  std::vector<std::string> command;
  double seconds = 0;  ///< since it began; the owner's to keep
  report::ProgressEvent now;
  std::vector<report::LookedVariant> variants;  ///< as they stood at the last look
  std::vector<report::ProgressEvent> finished;  ///< cells, in their order
  std::vector<std::string> log;                 ///< what it wrote besides; the last lines
  std::optional<int> exit_code;

 private:
  std::map<std::string, std::vector<double>> narrowed_;
};

/// What an exit code of `aisp run` means, for people.
std::string exit_text(int code);

}  // namespace aisp::tui

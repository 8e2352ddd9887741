// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the terminal can show, and a progress bar with time left on stderr. Results go to stdout and never
/// mix with it; nothing is drawn when stderr is not a terminal.
#pragma once

#include <chrono>
#include <string>

#include "aisp/cli/command.h"
#include "aisp/core/result.h"

namespace aisp::cli {

/// Colours on stdout: a terminal, no NO_COLOR, no --no-color, TERM is not "dumb".
bool use_color(const Arguments& arguments);
/// Columns of stdout, 120 where it is not a terminal.
int terminal_width();
/// True when the whole text was written and flushed (a full disk or a closed pipe is an error the user must
/// see).
bool print(const std::string& text);
/// Why the last print() failed, for fail(), with what to do; without words where who reads closed the pipe.
Error cannot_print(const std::string& hint = "");
/// A print() failed and cannot_print() was not asked since: main() then tells it.
bool print_failed_untold();
/// A stream that was closed (`>&-`) would be the number of the next file opened, and a report be written
/// there.
void keep_standard_streams_taken();

class Progress {
 public:
  explicit Progress(const Arguments& arguments);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// `done` in [0, 1]; drawn at most ten times a second.
  void show(double done, const std::string& what);
  void clear();
  /// A line that stays, above the bar.
  void note(const std::string& line);

 private:
  using Time = std::chrono::steady_clock;
  bool enabled_;
  bool quiet_;
  bool json_;
  bool drawn_ = false;
  Time::time_point started_ = Time::now();
  Time::time_point last_ = Time::time_point::min();
};

}  // namespace aisp::cli

// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/terminal.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "aisp/cli/json_document.h"
#include "aisp/report/text.h"

namespace aisp::cli {
namespace {

int untold_print_error = 0;  ///< errno of a print() that failed and nobody has told of yet

std::string duration_text(double seconds) {
  char text[32];
  const int whole = static_cast<int>(seconds + 0.5);
  if (whole < 60) {
    std::snprintf(text, sizeof text, "%d s", whole);
  } else {
    std::snprintf(text, sizeof text, "%d min %02d s", whole / 60, whole % 60);
  }
  return text;
}

int columns_of(int fd) {
  winsize size{};
  return isatty(fd) == 1 && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 120;
}

}  // namespace

bool use_color(const Arguments& arguments) {
  const char* no_color = std::getenv("NO_COLOR");
  const char* term = std::getenv("TERM");
  if (arguments.has("no-color") || (no_color != nullptr && no_color[0] != '\0')) return false;
  return isatty(STDOUT_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

int terminal_width() { return columns_of(STDOUT_FILENO); }

bool print(const std::string& text) {
  const bool whole =
      std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (!whole) untold_print_error = errno;
  return whole;
}

Error cannot_print(const std::string& hint) {
  const int error = std::exchange(untold_print_error, 0);
  if (error == EPIPE) return {ErrorCode::io, "", ""};  // who reads has seen enough: nothing to tell
  return {ErrorCode::io, std::string("cannot write to stdout: ") + std::strerror(error), hint};
}

bool print_failed_untold() { return untold_print_error != 0; }

void keep_standard_streams_taken() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
    // Only for reading, so that writing to it is still an error.
    if (open("/dev/null", O_RDONLY) == -1) return;
  }
}

Progress::Progress(const Arguments& arguments)
    : enabled_(!arguments.has("quiet") && isatty(STDERR_FILENO) == 1),
      quiet_(arguments.has("quiet")),
      json_(arguments.json()) {}

Progress::~Progress() { clear(); }

void Progress::show(double done, const std::string& what) {
  if (!enabled_) return;
  const auto now = Time::now();
  if (last_ != Time::time_point::min() && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const double share = std::clamp(done, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - started_).count();
  std::string bar(24, '.');
  std::fill_n(bar.begin(), static_cast<int>(share * 24), '#');
  std::string line = "[" + bar + "] ";
  // The first moments say nothing about the rest.
  if (share > 0.02 && elapsed > 1)
    line += "about " + duration_text(elapsed / share * (1 - share)) + " left, ";
  line += what;
  // A line that wraps cannot be erased; one column stays free for the cursor.
  line = report::shorten(report::visible(line), columns_of(STDERR_FILENO) - 1);
  std::fprintf(stderr, "\r\033[K%s", line.c_str());
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

void Progress::note(const std::string& line) {
  if (quiet_) return;
  clear();
  // A program that reads stderr finds an object in every line.
  const std::string text =
      json_ ? json_document("note", {{"note", printable_utf8(line)}}, -1) : report::visible(line) + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace aisp::cli

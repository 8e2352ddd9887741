// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "aisp/report/text.h"
#include "aisp/tui/view.h"

namespace aisp::tui {
namespace {

struct Entry {
  const char *key, *what;  ///< without a key it is a heading
};

constexpr std::array kEntries{
    Entry{"", "Everywhere"},
    Entry{"1 2 3", "workloads, results, the live run"},
    Entry{"↑ ↓ j k", "move or scroll; PageUp, PageDown, Home and End too"},
    Entry{"Esc", "back; on a list, clears the filter"},
    Entry{"q", "quit; a run that was started here is ended, and what it finished is kept"},
    Entry{"", "Workloads"},
    Entry{"Enter", "its results"},
    Entry{"r", "measure it: choose sizes and time, then Enter"},
    Entry{"/", "filter: all the words, in any order (ch07, cuda, memory, transpose)"},
    Entry{"", "Results"},
    Entry{"Enter", "the ladder with its intervals, and what every guard found"},
    Entry{"m, space", "mark; c compares two marked results of one workload and size"},
    Entry{"r", "measure its size again in its cache mode; others can be chosen"},
    Entry{"/", "filter: workload, size, device, run, date, verdict (invalid)"},
    Entry{"", "Result"},
    Entry{"← →", "whose guards are shown"},
    Entry{"e", "what the guard that objected looks at, its rule, and what to do"},
    Entry{"", "Live run"},
    Entry{"x", "end it: what is finished is kept"},
    Entry{"Enter", "open its result once it has ended"},
    Entry{"", "What a row says"},
    Entry{"rej.", "how many of its variants a guard rejected"},
    Entry{"faster", "the whole interval of the speed-up lies above 1"},
    Entry{"equivalent", "the interval holds 1 and no difference of practical size"},
    Entry{"inconclusive", "the interval is too wide to tell"},
    Entry{"unproven", "a fact that the policy asks for could not be established here"},
    Entry{"invalid", "a guard rejected it: the number is not to be believed"},
};

}  // namespace

Lines help_page(Size size) {
  Lines lines;
  for (const Entry& entry : kEntries) {
    if (*entry.key == '\0') {
      if (!lines.empty()) lines.emplace_back();
      lines.push_back(line_of(entry.what, Style::strong));
      continue;
    }
    append(lines, paragraph(entry.what, size.columns - 1, Style::plain,
                            "  " + report::pad(entry.key, 13, report::Align::left), "               "));
  }
  return lines;
}

}  // namespace aisp::tui

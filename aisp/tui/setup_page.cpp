// SPDX-License-Identifier: Apache-2.0
#include "aisp/report/text.h"
#include "aisp/tui/view.h"

namespace aisp::tui {

Lines setup_page(const State& state, Size size) {
  const RunSetup& setup = state.setup;
  Lines lines{line_of("Measure " + report::visible(setup.workload), Style::strong), Line{}};
  for (std::size_t i = 0; i < setup.choices.size(); ++i) {
    const Choice& choice = setup.choices[i];
    const bool here = static_cast<int>(i) == setup.field;
    Line line = line_of((here ? "> " : "  ") + report::pad(choice.name, 16, report::Align::left));
    line.inverse = here;
    for (std::size_t k = 0; k < choice.values.size(); ++k) {
      const bool chosen = static_cast<int>(k) == choice.chosen;
      line.spans.push_back({chosen ? "[" + choice.values[k] + "] " : " " + choice.values[k] + "  ",
                            chosen ? Style::strong : Style::faint});
    }
    lines.push_back(std::move(line));
  }
  lines.emplace_back();
  if (!setup.choices.empty())
    append(lines, paragraph(setup.choices[static_cast<std::size_t>(setup.field)].help, size.columns - 2,
                            Style::plain, "  ", "  "));
  lines.emplace_back();
  append(lines, paragraph(command_text(setup.words()), size.columns - 2, Style::faint, "  ", "      "));
  return lines;
}

}  // namespace aisp::tui

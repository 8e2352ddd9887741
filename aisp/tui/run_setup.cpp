// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/run_setup.h"

#include <algorithm>

namespace aisp::tui {

bool RunSetup::move(const Key& key) {
  const int last = static_cast<int>(choices.size()) - 1;
  const bool up = key.kind == Key::Kind::up || key.is('k'), down = key.kind == Key::Kind::down || key.is('j');
  if (up || down) {
    field = std::clamp(field + (down ? 1 : -1), 0, last);
    return true;
  }
  const bool left = key.kind == Key::Kind::left || key.is('h');
  if (!left && key.kind != Key::Kind::right && !key.is('l') && !key.is(' ')) return false;
  Choice& choice = choices[static_cast<std::size_t>(field)];
  choice.chosen = std::clamp(choice.chosen + (left ? -1 : 1), 0, static_cast<int>(choice.values.size()) - 1);
  return true;
}

std::vector<std::string> RunSetup::words() const {
  std::vector<std::string> words{"run", workload};
  for (const Choice& choice : choices)
    words.push_back("--" + choice.flag + "=" + choice.values[static_cast<std::size_t>(choice.chosen)]);
  return words;
}

RunSetup setup_for(const std::string& workload, DeviceKind device) {
  RunSetup setup;
  setup.workload = workload;
  setup.device = device;
  setup.choices = {
      {.name = "sizes",
       .help = "small: one awkward size; quick: few; full: all of them",
       .flag = "suite",
       .values = {"small", "quick", "full"},
       .chosen = 1},
      {.name = "seconds a cell",
       .help = "sampling time of each size, at most; it ends earlier where the interval is narrow enough",
       .flag = "cell-seconds",
       .values = {"1", "2", "5", "10", "30", "60"},
       .chosen = 3},
      {.name = "attempts",
       .help = "fresh processes for each cell; below 3 a result stays unproven",
       .flag = "attempts",
       .values = {"1", "2", "3", "5", "9"},
       .chosen = 2},
      {.name = "policy",
       .help = "which facts must be known: portable for laptops, strict for what is published",
       .flag = "policy",
       .values = {"portable", "standard", "strict"},
       .chosen = 1},
      {.name = "device",
       .help = "where its variants run",
       .flag = "device",
       .values = device == DeviceKind::cpu ? std::vector<std::string>{"cpu"}
                                           : std::vector<std::string>{"cuda:0", "cuda:1", "cuda:2", "cuda:3"},
       .chosen = 0}};
  return setup;
}

}  // namespace aisp::tui

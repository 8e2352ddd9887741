// SPDX-License-Identifier: Apache-2.0
#include "aisp/tui/run_setup.h"

#include <algorithm>
#include <sstream>

#include "aisp/report/text.h"

namespace aisp::tui {
namespace {

constexpr const char* kThisSize = "this one";

void choose(Choice& choice, const std::string& value) {
  auto found = std::ranges::find(choice.values, value);
  if (found == choice.values.end()) found = choice.values.insert(found, value);
  choice.chosen = static_cast<int>(found - choice.values.begin());
}

}  // namespace

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
  for (const Choice& choice : choices) {
    const std::string& value = choice.values[static_cast<std::size_t>(choice.chosen)];
    if (choice.flag != "suite" || value != kThisSize) {
      words.push_back("--" + choice.flag + "=" + value);
      continue;
    }
    std::istringstream axes(parameters);
    for (std::string axis; axes >> axis;) words.push_back("--param=" + axis);
  }
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

RunSetup setup_again(const CellResult& cell) {
  RunSetup setup = setup_for(cell.workload, kind_of(cell.device));
  if (!cell.parameters.empty()) {
    Choice& sizes = setup.choices.front();
    setup.parameters = cell.parameters;
    sizes.values.insert(sizes.values.begin(), kThisSize);
    sizes.help = "this one: " + report::visible(cell.parameters) + "; " + sizes.help;
    sizes.chosen = 0;
  }
  if (!cell.device.empty()) choose(setup.choices.back(), cell.device);
  Choice cache{.name = "cache",
               .help = "state of the caches before a call; results of different ones are not compared",
               .flag = "cache",
               .values = {"hot", "cold", "steady"}};
  choose(cache, std::string(name_of(cell.cache)));
  setup.choices.insert(setup.choices.end() - 1, std::move(cache));
  return setup;
}

}  // namespace aisp::tui

// SPDX-License-Identifier: Apache-2.0
#include "tests/stats/known_histories.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "aisp/core/rng.h"

namespace aisp::stats {
namespace {

constexpr std::uint64_t kCorpusSeed = 20261115, kSteadySeed = 51116202;
constexpr std::array<const char*, 6> kNoises{"normal", "skewed",    "heavy tails",
                                             "spikes", "two modes", "neighbours alike"};
constexpr std::array<double, 6> kSteps{1.5, 2, 3, 4, 6, 10};

// One value of noise with a middle 68 % of two sigma. `state` carries from one value to the next.
double draw_noise(std::size_t kind, Rng& rng, double& state) {
  switch (kind) {
    case 1:
      return (std::exp(0.8 * rng.normal()) - 1) / 0.884;  // a long tail on the slow side
    case 2: {  // Student's t with two degrees of freedom: no variance
      const double normal = rng.normal(), chi = -2 * std::log(1 - rng.unit());
      return normal / std::sqrt(chi / 2) / 1.312;
    }
    case 3:
      return rng.normal() / 1.053 + (rng.unit() < 0.05 ? rng.uniform(10, 30) : 0);  // one in twenty
    case 4:
      return ((rng.unit() < 0.7 ? 0 : 3) + 0.5 * rng.normal()) / 1.744;  // a second mode, 30 %
    case 5:
      return state = 0.3 * state + std::sqrt(1 - 0.3 * 0.3) * rng.normal();
    default:
      return rng.normal();
  }
}

std::vector<double> draw_values(const KnownHistory& history, std::size_t length, std::size_t kind, Rng& rng) {
  std::vector<double> values;
  double state = rng.normal();
  const double start = rng.uniform(std::log(1e3), std::log(1e9));
  for (std::size_t i = 0; i < length; ++i) {
    double level = history.slope * static_cast<double>(i) / static_cast<double>(length - 1);
    for (const KnownStep& step : history.steps) level += i >= step.at ? step.sigmas : 0;
    values.push_back(start + history.sigma * (level + draw_noise(kind, rng, state)));
  }
  return values;
}

// One to three steps with at least eight values before, between and behind them.
std::vector<KnownStep> draw_steps(std::size_t length, Rng& rng) {
  std::vector<KnownStep> steps;
  const std::size_t wanted = 1 + rng.below(std::min<std::size_t>(length / 24, 3)), room = length / wanted;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t from = i * room + (i == 0 ? 8 : 0), to = (i + 1) * room - 7;
    const double size = kSteps[rng.below(kSteps.size())];
    steps.push_back({from + rng.below(to - from), rng.below(2) == 0 ? size : -size});
  }
  return steps;
}

std::string number(double value, const char* format) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

}  // namespace

std::vector<KnownHistory> draw_corpus() {
  std::vector<KnownHistory> corpus;
  for (std::size_t i = 0; i < 240; ++i) {
    Rng rng(random_word(kCorpusSeed, i));
    const std::size_t kind = i % kNoises.size(), length = 30 + rng.below(91);
    KnownHistory history;
    history.noise = kNoises[kind];
    history.sigma = rng.uniform(0.003, 0.03);
    if (i / kNoises.size() % 4 != 3) {
      history.steps = draw_steps(length, rng);
    } else if (i / kNoises.size() % 8 == 7) {
      history.slope = rng.uniform(-8, 8);
    }
    history.log_values = draw_values(history, length, kind, rng);
    corpus.push_back(history);
  }
  return corpus;
}

KnownHistory draw_steady(std::uint64_t index) {
  Rng rng(random_word(kSteadySeed, index));
  const std::size_t kind = index % kNoises.size(), length = 20 + rng.below(101);
  KnownHistory history;
  history.noise = kNoises[kind];
  history.sigma = rng.uniform(0.003, 0.03);
  history.log_values = draw_values(history, length, kind, rng);
  return history;
}

KnownHistory draw_alike(std::uint64_t index, double lag1) {
  Rng rng(random_word(kSteadySeed + 1, index));
  KnownHistory history;
  history.noise = kNoises[5];
  history.sigma = 0.01;
  double state = rng.normal();
  for (std::size_t i = 0, length = 20 + rng.below(101); i < length; ++i) {
    history.log_values.push_back(history.sigma * state);
    state = lag1 * state + std::sqrt(1 - lag1 * lag1) * rng.normal();
  }
  return history;
}

std::string to_csv(const std::vector<KnownHistory>& histories) {
  std::string text = "noise,sigma,slope in sigmas,steps (place:sigmas),log values\n";
  for (const KnownHistory& history : histories) {
    text += history.noise + "," + number(history.sigma, "%.5f") + "," + number(history.slope, "%.2f") + ",";
    for (std::size_t i = 0; i < history.steps.size(); ++i)
      text += (i > 0 ? " " : "") + std::to_string(history.steps[i].at) + ":" +
              number(history.steps[i].sigmas, "%g");
    text += ",";
    for (std::size_t i = 0; i < history.log_values.size(); ++i)
      text += (i > 0 ? " " : "") + number(history.log_values[i], "%.4f");
    text += "\n";
  }
  return text;
}

std::vector<KnownHistory> from_csv(const std::string& text) {
  std::vector<KnownHistory> histories;
  std::istringstream lines(text);
  std::string line, field;
  std::getline(lines, line);  // the heading
  while (std::getline(lines, line)) {
    std::istringstream fields(line);
    KnownHistory history;
    std::getline(fields, history.noise, ',');
    std::getline(fields, field, ',');
    history.sigma = std::stod(field);
    std::getline(fields, field, ',');
    history.slope = std::stod(field);
    std::getline(fields, field, ',');
    std::istringstream steps(field);
    while (std::getline(steps, field, ' ')) {
      const std::size_t colon = field.find(':');
      history.steps.push_back({std::stoul(field.substr(0, colon)), std::stod(field.substr(colon + 1))});
    }
    std::getline(fields, field);
    std::istringstream values(field);
    for (double value = 0; values >> value;) history.log_values.push_back(value);
    histories.push_back(history);
  }
  return histories;
}

}  // namespace aisp::stats

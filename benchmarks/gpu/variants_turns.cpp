// SPDX-License-Identifier: Apache-2.0
// Variants of a GPU's ladders beside each other, of different ladders too, in one process: in a turn every
// one has two places, in random order, and in a place a few windows alone. Inputs, check and stopwatch are
// the harness's: a window is a call for each of several sets of tensors, queued behind a gate.
//   usage: variants_turns [--turns N] "LADDER VARIANT AXIS=VALUE..." "LADDER VARIANT AXIS=VALUE..."...
// Prints of each the time of a call, the ratio of its two places, which shows what this can tell, and the
// ratio of its time to the first one's: medians over turns, intervals by the sign test. Exit code 1: an
// answer is wrong; 2: no such ladder, variant or size, or not on this device; 4: no device, or it failed.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "aisp/core/configuration.h"
#include "aisp/core/registry.h"
#include "aisp/harness/date.h"
#include "aisp/harness/gpu_checker.h"
#include "aisp/harness/gpu_variant.h"
#include "aisp/harness/plan.h"
#include "aisp/stats/sign_interval.h"
#include "aisp/stats/summary.h"

namespace {
using namespace aisp;
using namespace aisp::harness;

constexpr int kTurns = 41, kFewestTurns = 8;  // with fewer there is no interval of 99 %
constexpr int kWindows = 5;                   // of a place, after one in which the device may be the others'
constexpr std::size_t kFewestCalls = 8, kMostCalls = 256;  // of a window, as with --cache steady
constexpr const char* kForm = "usage: variants_turns [--turns N] \"LADDER VARIANT AXIS=VALUE...\"...";

Error refusal(const std::string& message) { return {ErrorCode::usage, message, kForm}; }

template <class T>
T value_of(Result<T> result) {
  if (!result) throw Error(result.error());
  return *std::move(result);
}

template <class Range, class Name>
std::string names_in(const Range& range, Name name) {
  std::string names;
  for (const auto& each : range) names += (names.empty() ? "" : ", ") + std::invoke(name, each);
  return names;
}

Workload ladder_named(const std::string& id) {
  if (const Workload* found = Registry::instance().find(id, DeviceKind::cuda)) return *found;
  std::vector<const Workload*> known = Registry::instance().workloads();
  std::erase_if(known, [](const Workload* w) { return w->device != DeviceKind::cuda; });
  throw refusal("no ladder for a GPU is named '" + id + "'; there are " + names_in(known, &Workload::id));
}

/// One variant at one size, and its tensors. What is asked for is looked up before there is a device.
struct Side {
  explicit Side(std::istringstream asked) {
    std::string id, name;
    asked >> id >> name;
    ladder = value_of(with_configurations(ladder_named(id), std::array{name}));
    const auto found = std::ranges::find(ladder.variants, name, &Variant::name);
    if (found == ladder.variants.end())
      throw refusal(id + " has no variant '" + name + "', only " + names_in(ladder.variants, &Variant::name));
    if (found->host_sync) throw refusal(id + " " + name + " waits for the device: nothing can be queued");
    variant = &*found;
    RunConfig config;
    config.targets = {id};
    config.device = "cuda:0";
    for (std::string value; asked >> value;) config.parameters.push_back(value);
    const auto cells = value_of(plan_cells({describe(ladder)}, config, 1));
    if (cells.size() > 1)
      throw refusal(id + " needs one value for each of " + names_in(ladder.axes, &Axis::name));
    size = cells.front().params;
    text = id + " " + name + " " + size.text();
  }

  void open(device::Gpu& gpu, device::PinnedTeam& team) {
    if (const auto reason = why_unavailable(*variant, size)) throw refusal(text + ": " + *reason);
    problem = ladder.problem(size);
    runner.emplace(gpu, *variant, size, team, Instrument::steady).prepare();
    // So many that a call finds nothing of its own in the cache.
    const std::size_t count = 2 * gpu.timing().cache_bytes() / problem.bytes() + 2;
    const Seed seed = Seed::draw();
    for (std::size_t s = 0; s < std::clamp(count, kFewestCalls, kMostCalls); ++s) {
      sets.push_back(std::make_unique<GpuTensorSet>(gpu, ladder, problem, size));
      sets.back()->draw(seed, 0, static_cast<int>(s), 0);
      sets.back()->arm(seed.stream("poison", static_cast<int>(s)));
    }
  }

  /// Whether every answer of a window's calls is right: then they can be timed from here on.
  bool check(device::Gpu& gpu) {
    runner->run(sets);
    GpuChecker checker(gpu, ladder, problem, size);
    AnswerLedger ledger;
    for (std::size_t s = 0; s < sets.size(); ++s) {
      checker.find_answer(*sets[s]);
      ledger.record(checker.inspect(*sets[s]), s);
    }
    const AnswerEvidence& seen = ledger.evidence();
    const bool right = seen.wrong + seen.out_of_bounds + seen.inputs_changed == 0;
    if (!right) std::fprintf(stderr, "variants_turns: %s: %s\n", text.c_str(), seen.first_wrong.c_str());
    return right && runner->calibrate(sets);
  }

  double call_us(device::Gpu& gpu) {  // in one place of a turn
    std::vector<double> us;
    for (int w = 0; us.size() < kWindows; ++w) {
      gpu.timing().settle();
      const GpuWindow window = runner->time(sets);
      if (w > 0 && window.reading.held) us.push_back(1e-3 * window.ns / window.calls);
      if (w > 3 * kWindows) throw std::runtime_error(text + ": the device begins before a window is queued");
    }
    return stats::median(us);
  }

  std::string text;
  Workload ladder;
  const Variant* variant = nullptr;
  Params size;
  Problem problem;
  std::optional<GpuVariant> runner;
  std::vector<std::unique_ptr<GpuTensorSet>> sets;
};

using Turn = std::vector<std::array<double, 2>>;  ///< of each side the times in its two places

Turn take_turn(const std::vector<std::unique_ptr<Side>>& sides, device::Gpu& gpu, std::mt19937_64& random) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t s = 0; s < sides.size(); ++s) places.insert(places.end(), {{s, 0}, {s, 1}});
  std::ranges::shuffle(places, random);
  Turn turn(sides.size());
  for (const auto& [side, place] : places) turn[side][place] = sides[side]->call_us(gpu);
  return turn;
}

/// The median over turns of what `value` makes of one, with its interval.
template <class Value>
void print(const char* what, int digits, const std::vector<Turn>& turns, Value value) {
  std::vector<double> values;
  for (const Turn& turn : turns) values.push_back(value(turn));
  const auto [low, high, confidence] = stats::sign_interval(values, 0.01).value();
  std::printf("%s %.*f [%.*f, %.*f]", what, digits, stats::median(values), digits, low, digits, high);
}

int run(const std::vector<std::string>& words) {
  std::unique_ptr<device::Gpu> gpu;  // outlives the sides, which hold its memory
  std::vector<std::unique_ptr<Side>> sides;
  int count = kTurns;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--turns") {
      count = i + 1 < words.size() ? std::atoi(words[++i].c_str()) : 0;
    } else {
      sides.push_back(std::make_unique<Side>(std::istringstream(words[i])));
    }
  }
  if (count < kFewestTurns) throw refusal("--turns needs " + std::to_string(kFewestTurns) + " or more");
  if (sides.size() < 2) throw refusal("name two variants or more, each with its ladder and size in quotes");
  gpu = value_of(device::open_gpu("cuda:0"));
  device::PinnedTeam team(1);
  for (const auto& side : sides) side->open(*gpu, team);
  if (!std::ranges::all_of(sides, [&](const auto& side) { return side->check(*gpu); })) return 1;
  std::mt19937_64 random(std::random_device{}());
  take_turn(sides, *gpu, random);  // at the end of it the device has the clocks that this work leaves it
  std::vector<Turn> turns;
  for (int i = 0; i < count; ++i) turns.push_back(take_turn(sides, *gpu, random));
  std::printf("# %s  %s, %s  %d turns of two places each, %d windows a place; intervals of 99 %%\n",
              utc_now().c_str(), gpu->facts().name.c_str(), gpu->facts().driver.c_str(), count, kWindows);
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const auto both = [](const std::array<double, 2>& us) { return (us[0] + us[1]) / 2; };
    print((sides[i]->text + "  us").c_str(), 2, turns, [&](const Turn& t) { return both(t[i]); });
    print("  to itself", 4, turns, [&](const Turn& t) { return t[i][1] / t[i][0]; });
    if (i > 0) print("  to the first", 4, turns, [&](const Turn& t) { return both(t[i]) / both(t[0]); });
    std::printf("  calls a window %zu\n", sides[i]->sets.size());
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // loading a kernel waits for the device, which the gate holds
  return run({argv + 1, argv + argc});
} catch (const Error& error) {
  std::fprintf(stderr, "variants_turns: %s%s\n%s\n", error.code == ErrorCode::environment ? "no GPU: " : "",
               error.message.c_str(), error.hint.c_str());
  return static_cast<int>(error.code);
} catch (const std::exception& error) {
  std::fprintf(stderr, "variants_turns: %s\n", error.what());
  return static_cast<int>(ErrorCode::environment);
}

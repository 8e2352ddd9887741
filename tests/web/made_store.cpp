// SPDX-License-Identifier: Apache-2.0
// Adds to a store what no short run leaves there: levels that changed over many runs, teams of four, a GPU
// with a counter of energy, ratios known beforehand, and names that try to become markup. Nothing here was
// measured; every number follows from this file.
//
//   made_store results.db           what the tests of the dashboard expect to find
//   made_store results.db hostile   one more run of hostile names, while a page listens
//   made_store results.db tuned     one configuration that was tuned, while a page listens
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

#include "aisp/core/exit_code.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/store/store.h"

namespace aisp::web {
namespace {

constexpr const char* kHostile =
    "<img src=x onerror=\"window.hit=1\"></script><script>window.hit=1</script>{{7}}'\"&";

Estimate about(double value) { return {value, 0.99 * value, 1.01 * value}; }

VariantResult variant_of(const std::string& name, double ns) {
  VariantResult variant;
  variant.name = name;
  variant.validity = Validity::valid;
  variant.time_ns = variant.figure = about(ns);
  return variant;
}

CellResult cell_of(const std::string& workload, const std::string& parameters) {
  CellResult cell;
  cell.workload = workload;
  cell.title = workload;
  cell.parameters = parameters;
  cell.stopped = "precise";
  cell.validity = Validity::valid;
  return cell;
}

class MadeStore {
 public:
  explicit MadeStore(store::Store store) : store_(std::move(store)) {}

  bool keep(const std::vector<CellResult>& cells, const std::string& commit = "made",
            const std::string& hardware = device::hardware_key()) {
    char id[32], time[32];
    std::snprintf(id, sizeof id, "20260101-%06d-aaaa", number_);
    std::snprintf(time, sizeof time, "2026-%02d-%02dT10:00:00Z", 1 + number_ / 28 % 12, 1 + number_ % 28);
    ++number_;
    RunRecord run;
    run.id = id;
    run.started = run.finished = time;
    run.manifest.hardware = hardware;
    run.manifest.command = "aisp run " + commit;
    run.manifest.facts = {{"git", commit}, {"SHA-256 of aisp", commit}};
    bool kept = bool(store_.run_started(run));
    for (CellResult cell : cells) {
      cell.started = cell.finished = time;
      kept = kept && bool(store_.cell_finished(run.id, cell));
    }
    return kept && bool(store_.run_finished(run.id, "finished", time, {.exit_code = exit_code_of(cells)}));
  }
  bool tune(const Tuning& tuning) { return bool(store_.tuned(tuning)); }
  void go_on_from(int number) { number_ = number; }

 private:
  store::Store store_;
  int number_ = 0;
};

/// 12 results of one level, 12 of another; and 24 on a slope.
bool keep_history(MadeStore& store) {
  bool kept = true;
  for (int i = 0; i < 24 && kept; ++i) {
    const double noise = 1 + 0.002 * ((i * 7) % 5);
    CellResult cell = cell_of("made/levels", "n=64");
    cell.variants = {variant_of("slower", (i < 12 ? 1000 : 1500) * noise),
                     variant_of("faster", (i < 12 ? 1500 : 1000) * noise),
                     variant_of("drifting", 1000 * std::pow(1.5, i / 23.0) * noise)};
    CellResult rate = cell_of("made/rates", "n=64");
    rate.goal = Goal::throughput;
    rate.variants = {variant_of("slower", 1000 * noise)};
    rate.variants[0].figure = about((i < 12 ? 2e6 : 1e6) * noise);
    kept = store.keep({cell, rate}, i < 12 ? "aaaaaaaaaaaa" : "bbbbbbbbbbbb");
  }
  return kept;
}

/// Half of the work is serial: a team of two needs 3/4 of the time, one of four 5/8. And problems that grow
/// with the team from two sizes, so that one variant has two lines.
bool keep_teams(MadeStore& store) {
  std::vector<CellResult> cells;
  const auto add = [&](int n, int threads, double items, double half, double nearly) {
    CellResult cell = cell_of("made/team", "n=" + std::to_string(n) + " threads=" + std::to_string(threads));
    cell.work_items = items;
    cell.variants = {variant_of("half", half), variant_of("nearly", nearly)};
    cells.push_back(cell);
  };
  add(64, 1, 64, 80000, 80000);
  add(64, 2, 64, 60000, 40400);
  add(64, 4, 64, 50000, 20400);
  add(128, 1, 128, 160000, 160000);
  add(128, 2, 128, 120000, 80800);
  add(256, 2, 256, 170000, 161000);
  return store.keep(cells);
}

RatioEstimate gain_of(const std::string& against, double gain, double low, double high) {
  return {.against = against,
          .ratio = gain,
          .low = low,
          .high = high,
          .confidence = 0.95,
          .outcome = low > 1 ? Outcome::faster : Outcome::inconclusive};
}

/// A gain that would be the largest of all but may be a loss, and a variant that is slower than its baseline.
bool keep_unsure(MadeStore& store) {
  CellResult wide = cell_of("made/unsure", "n=64"), lost = cell_of("made/lost", "n=64");
  wide.variants = {variant_of("base", 1e6), variant_of("wide", 1)};
  wide.variants[1].speedup = gain_of("base", 1e6, 0.18, 1e9);
  lost.variants = {variant_of("base", 1000), variant_of("worse", 2000)};
  lost.variants[1].speedup = gain_of("base", 0.5, 0.49, 0.51);
  return store.keep({wide, lost});
}

/// In every round quick takes half of what plain takes; in the second run both take four fifths of the first.
bool keep_pair(MadeStore& store) {
  bool kept = true;
  for (const double share : {1.0, 0.8}) {
    CellResult cell = cell_of("made/pair", "n=64");
    cell.variants = {variant_of("plain", 1000 * share), variant_of("quick", 500 * share)};
    cell.variants[1].speedup = gain_of("plain", 2, 2, 2);
    for (int round = 0; round < 24; ++round) {
      cell.rounds.push_back({.attempt = 0, .round = round});
      for (VariantResult& variant : cell.variants) {
        variant.samples.attempt.push_back(0);
        variant.samples.round.push_back(round);
        variant.samples.pass.push_back(round % 2);
        variant.samples.calls.push_back(1);
        variant.samples.ns.push_back(variant.time_ns->value * (1 + 0.01 * (round % 7)));
      }
    }
    kept = kept && store.keep({cell});
  }
  return kept;
}

/// Bound by memory on an H100, 4096 items in 1 ms for 0.4 J; the other variant in 0.5 ms for 0.25 J.
bool keep_gpu(MadeStore& store) {
  CellResult cell = cell_of("made/energy", "n=4096");
  cell.device = "cuda:0";
  cell.work_items = 4096;
  cell.variants = {variant_of("plain", 1e6), variant_of("quick", 5e5)};
  // Calls that follow each other take longer than timed ones: 390 W, where 0.4 J in 1 ms would be 400.
  cell.variants[0].evidence.energy = {.joules_per_call = 0.4, .uncertainty = 0.02, .watts = 390};
  cell.variants[1].evidence.energy = {.joules_per_call = 0.25, .watts = 480};
  cell.variants[1].speedup = gain_of("plain", 2, 1.96, 2.04);
  cell.variants[1].percent_of_ceiling = 20;
  cell.variants[1].ceiling = "copy of memory, 1 thread";
  return store.keep({cell}, "made", "NVIDIA H100 80GB HBM3");
}

/// A workload whose every text is hostile: it leads, it is rejected, it changed its level.
bool keep_hostile(MadeStore& store, int runs) {
  const std::string text = kHostile;
  bool kept = true;
  for (int i = 0; i < runs && kept; ++i) {
    CellResult cell = cell_of("made/" + text, "n=" + text);
    cell.title = cell.stopped = text;
    cell.notes = {text};
    cell.attempts.emplace_back();
    cell.attempts[0].status = "crashed";
    cell.attempts[0].detail = "SIGSEGV; last output: " + text;
    const double ns = (i < runs / 2 ? 10 : 20) * (1 + 0.002 * ((i * 7) % 5));
    cell.variants = {variant_of("base" + text, 1e6), variant_of("best" + text, ns),
                     variant_of("bad" + text, 1)};
    for (VariantResult& variant : cell.variants) {
      variant.note = variant.ceiling = text;
      variant.samples.ns = {9, 10, 11};
      variant.samples.attempt = variant.samples.round = variant.samples.pass = {0, 1, 2};
      variant.samples.calls = {1, 1, 1};
      variant.metrics = {{text, 1}};
      variant.findings = {{.guard = "output_written", .level = Level::pass, .because = text, .hint = text}};
    }
    const double gain = 1e6 / ns;
    cell.variants[1].speedup = RatioEstimate{.against = cell.variants[0].name,
                                             .ratio = gain,
                                             .low = 0.99 * gain,
                                             .high = 1.01 * gain,
                                             .confidence = 0.95,
                                             .outcome = Outcome::faster};
    cell.variants[2].validity = Validity::invalid;
    cell.variants[2].findings = {{.guard = text, .level = Level::reject, .because = text, .hint = text}};
    kept = store.keep({cell}, (i < runs / 2 ? "old" : "new") + text);
  }
  return kept;
}

int made_store(const std::vector<std::string>& words) {
  if (words.empty() || words.size() > 2 ||
      (words.size() == 2 && words[1] != "hostile" && words[1] != "tuned")) {
    std::fprintf(stderr, "usage: made_store STORE [hostile | tuned]\n");
    return 2;
  }
  auto opened = store::Store::open(words[0], store::Access::read_write);
  if (!opened) {
    std::fprintf(stderr, "%s\n", opened.error().message.c_str());
    return 7;
  }
  MadeStore store(*std::move(opened));
  bool kept = true;
  if (words.size() == 1) {
    kept = keep_history(store) && keep_teams(store) && keep_unsure(store) && keep_pair(store) &&
           keep_gpu(store) && keep_hostile(store, 24);
  } else if (words[1] == "tuned") {
    kept = store.tune({.workload = "made/levels",
                       .variant = "slower",
                       .parameters = "n=64",
                       .device = "cpu",
                       .hardware = device::hardware_key(),
                       .chosen = "slower@tile=32",
                       .tuned_on = "n=64"});
  } else {
    store.go_on_from(100000 + static_cast<int>(std::time(nullptr) % 800000));
    kept = keep_hostile(store, 1);
  }
  if (!kept) std::fprintf(stderr, "the store took not everything\n");
  return kept ? 0 : 7;
}

}  // namespace
}  // namespace aisp::web

int main(int count, char** words) { return aisp::web::made_store({words + 1, words + count}); }

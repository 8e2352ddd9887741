// SPDX-License-Identifier: Apache-2.0
// Adds to a store what no short run leaves there: levels that changed over many runs, teams of four, and
// names that try to become markup. Nothing here was measured; every number follows from this file.
//
//   made_store results.db           what the tests of the dashboard expect to find
//   made_store results.db hostile   one more run of hostile names, while a page listens
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <vector>

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

  bool keep(const std::vector<CellResult>& cells, const std::string& commit = "made") {
    char id[32], time[32];
    std::snprintf(id, sizeof id, "20260101-%06d-aaaa", number_);
    std::snprintf(time, sizeof time, "2026-%02d-%02dT10:00:00Z", 1 + number_ / 28 % 12, 1 + number_ % 28);
    ++number_;
    RunRecord run;
    run.id = id;
    run.started = run.finished = time;
    run.manifest.hardware = device::hardware_key();
    run.manifest.command = "aisp run " + commit;
    run.manifest.facts = {{"git", commit}, {"SHA-256 of aisp", commit}};
    bool kept = bool(store_.run_started(run));
    for (CellResult cell : cells) {
      cell.started = cell.finished = time;
      kept = kept && bool(store_.cell_finished(run.id, cell));
    }
    return kept && bool(store_.run_finished(run.id, "finished", time));
  }
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
  if (words.empty() || words.size() > 2 || (words.size() == 2 && words[1] != "hostile")) {
    std::fprintf(stderr, "usage: made_store STORE [hostile]\n");
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
    kept = keep_history(store) && keep_teams(store) && keep_hostile(store, 24);
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

// SPDX-License-Identifier: Apache-2.0
// aisp's side: the kernels as workloads, measured by the same coordinator, workers and statistics as `aisp
// run`. This program is its own worker.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "aisp/core/registry.h"
#include "aisp/harness/coordinator.h"
#include "kernels.h"
#include "side.h"

namespace aisp::benchmarks {
namespace {

constexpr std::int64_t kElements = 8;

Problem problem(const Params&) {
  return {.tensors = {input<std::int64_t>("x", {kElements}, {integers(0, 1 << 30), integers(0, 1ll << 50)}),
                      output<std::int64_t>("y", {kElements}, exact())}};
}

void answer(const Call& call, std::uint64_t first) {
  const auto x = call.input<std::int64_t>(0);
  const auto y = call.output<std::int64_t>(0);
  for (std::int64_t i = 1; i < kElements; ++i) y[i] = x[i] + 1;
  y[0] = static_cast<std::int64_t>(first >> 12);  // exact in double, as the checker compares
}

void reference(const ReferenceCall& call, std::uint64_t first) {
  const auto x = call.input<std::int64_t>(0);
  for (std::int64_t i = 1; i < kElements; ++i) {
    call.outputs[0].value[static_cast<std::size_t>(i)] = static_cast<double>(x[i] + 1);
  }
  call.outputs[0].value[0] = static_cast<double>(static_cast<std::int64_t>(first >> 12));
}

/// Sizes as a plan: looking them up by name inside the call would be timed.
struct Sizes {
  std::int64_t length = 0, extra = 0;
};

std::shared_ptr<void> sizes_of(const Setup& setup) {
  const bool longer = setup.params.has("extra");
  return std::make_shared<Sizes>(Sizes{setup.params["length"], longer ? setup.params["extra"] : 0});
}

void spin_variant(const Call& call) {
  spin(call.plan<Sizes>().length);
  answer(call, 0);
}

void chain_variant(const Call& call) {
  answer(call, chain(static_cast<std::uint64_t>(call.input<std::int64_t>(0)[0]), call.plan<Sizes>().length));
}

/// The same work and then some: the extra links change no answer.
void longer_variant(const Call& call) {
  const auto x = static_cast<std::uint64_t>(call.input<std::int64_t>(0)[0]);
  const std::uint64_t result = chain(x, call.plan<Sizes>().length);
  chain(result, call.plan<Sizes>().extra);
  answer(call, result);
}

void spin_reference(const ReferenceCall& call) { reference(call, 0); }
void chain_reference(const ReferenceCall& call) {
  reference(call, chain(static_cast<std::uint64_t>(call.input<std::int64_t>(0)[0]), call.params["length"]));
}

Variant variant(const char* name, void (*run)(const Call&)) {
  return {.name = name, .run = CallFunction(run), .prepare = sizes_of};
}

const Registration spinning{{.id = "accuracy/spin",
                             .title = "Spin",
                             .idea = "A call takes the time it was told to take.",
                             .bound = Bound::latency,
                             .axes = {{"length", {1000}}},
                             .problem = problem,
                             .reference = spin_reference,
                             .variants = {variant("spin", spin_variant)}}};
// Both are one function: a second one that merely does the same is measurably different (0.07 % for one more
// call).
const Registration equal{{.id = "accuracy/equal",
                          .title = "Equal",
                          .idea = "A chain against itself.",
                          .bound = Bound::compute,
                          .axes = {{"length", {1000}}},
                          .problem = problem,
                          .reference = chain_reference,
                          .variants = {variant("base", chain_variant), variant("longer", chain_variant)}}};
const Registration chained{{.id = "accuracy/chain",
                            .title = "Chain",
                            .idea = "Dependent work of known length against the same with known extra work.",
                            .bound = Bound::compute,
                            .axes = {{"length", {1000}}, {"extra", {10}}},
                            .problem = problem,
                            .reference = chain_reference,
                            .variants = {variant("base", chain_variant), variant("longer", longer_variant)}}};

class AispSide : public Side {
 public:
  std::string name() const override { return "aisp"; }

  double time_of_spin(std::int64_t ns, double budget_seconds) override {
    RunConfig config;
    config.cell_seconds = budget_seconds;
    const Result<CellResult> cell = measure("accuracy/spin", Params{{"length", ns}}, config);
    return cell && cell->baseline()->time_ns ? cell->baseline()->time_ns->value : 0;
  }

  Verdict compare(const ChainPair& pair, double budget_seconds) override {
    RunConfig config;
    config.cell_seconds = budget_seconds;
    if (const char* precision = std::getenv("AISP_ACCURACY_PRECISION"))
      config.precision = std::atof(precision);
    const auto start = std::chrono::steady_clock::now();
    Params params{{"length", pair.length}};
    if (pair.extra > 0) params.set("extra", pair.extra);
    const Result<CellResult> cell =
        measure(pair.extra > 0 ? "accuracy/chain" : "accuracy/equal", params, config);
    Verdict verdict{.seconds =
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
    if (!cell || !cell->find("longer") || !cell->find("longer")->speedup) {
      return {.seconds = verdict.seconds, .known = false, .remark = cell ? "no ratio" : cell.error().message};
    }
    if (cell->validity != Validity::valid)
      return {.seconds = verdict.seconds, .known = false, .remark = "a guard rejected it"};
    const VariantResult& longer = *cell->find("longer");
    verdict.ratio = longer.speedup->ratio;
    verdict.called = longer.speedup->outcome == Outcome::faster || longer.speedup->outcome == Outcome::slower;
    verdict.remark = std::to_string(longer.speedup->rounds) + " rounds, " + longer.speedup->method +
                     ", stopped: " + cell->stopped;
    for (const VariantResult& v : cell->variants) {
      for (const Finding& finding : v.findings) {
        if (finding.level == Level::reject) verdict.remark += "; " + finding.guard + ": " + finding.because;
      }
    }
    return verdict;
  }

 private:
  static Result<CellResult> measure(const std::string& id, const Params& params, const RunConfig& config) {
    const harness::PlannedCell cell{harness::describe(*Registry::instance().find(id)), params};
    Ceilings none;
    return harness::measure_cell(
        {.cell = cell, .config = config, .ceilings = none, .config_hash = "accuracy"});
  }
};

}  // namespace

std::unique_ptr<Side> make_aisp_side() { return std::make_unique<AispSide>(); }

}  // namespace aisp::benchmarks

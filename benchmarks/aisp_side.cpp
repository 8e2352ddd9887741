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

void spin_variant(const Call& call) {
  spin(call.plan<std::int64_t>());
  answer(call, 0);
}

void chain_variant(const Call& call) {
  answer(call, chain(static_cast<std::uint64_t>(call.input<std::int64_t>(0)[0]), call.params()["length"]));
}

/// The same work and then some: the extra links change no answer.
void longer_variant(const Call& call) {
  const auto x = static_cast<std::uint64_t>(call.input<std::int64_t>(0)[0]);
  const std::uint64_t result = chain(x, call.params()["length"]);
  chain(result, call.params()["extra"]);
  answer(call, result);
}

const Registration spinning{{.id = "accuracy/spin",
                             .title = "Spin",
                             .idea = "A call takes the time it was told to take.",
                             .bound = Bound::latency,
                             .axes = {{"ns", {1000}}},
                             .problem = problem,
                             .reference = [](const ReferenceCall& call) { reference(call, 0); },
                             .variants = {{.name = "spin",
                                           .run = CallFunction(spin_variant),
                                           .prepare = [](const Setup& setup) -> std::shared_ptr<void> {
                                             return std::make_shared<std::int64_t>(setup.params["ns"]);
                                           }}}}};
const Registration chained{{.id = "accuracy/chain",
                            .title = "Chain",
                            .idea = "Dependent work of known length against the same with known extra work.",
                            .bound = Bound::compute,
                            .axes = {{"length", {1000}}, {"extra", {1}}},
                            .problem = problem,
                            .reference =
                                [](const ReferenceCall& call) {
                                  reference(call,
                                            chain(static_cast<std::uint64_t>(call.input<std::int64_t>(0)[0]),
                                                  call.params["length"]));
                                },
                            .variants = {{.name = "base", .run = CallFunction(chain_variant)},
                                         {.name = "longer", .run = CallFunction(longer_variant)}}}};

class AispSide : public Side {
 public:
  std::string name() const override { return "aisp"; }

  double time_of_spin(std::int64_t ns, double budget_seconds) override {
    RunConfig config;
    config.cell_seconds = budget_seconds;
    const Result<CellResult> cell = measure("accuracy/spin", Params{{"ns", ns}}, config);
    return cell && cell->baseline()->time_ns ? cell->baseline()->time_ns->value : 0;
  }

  Verdict compare(const ChainPair& pair, double budget_seconds) override {
    RunConfig config;
    config.cell_seconds = budget_seconds;
    if (const char* precision = std::getenv("AISP_ACCURACY_PRECISION"))
      config.precision = std::atof(precision);
    const auto start = std::chrono::steady_clock::now();
    const Result<CellResult> cell =
        measure("accuracy/chain", Params{{"length", pair.length}, {"extra", pair.extra}}, config);
    Verdict verdict{.seconds =
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
    if (!cell || !cell->find("longer") || !cell->find("longer")->speedup) {
      return {.seconds = verdict.seconds, .known = false, .remark = cell ? "no ratio" : cell.error().message};
    }
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
    const Ceilings none;
    return harness::measure_cell(
        {.cell = cell, .config = config, .ceilings = none, .config_hash = "accuracy"});
  }
};

}  // namespace

std::unique_ptr<Side> make_aisp_side() { return std::make_unique<AispSide>(); }

}  // namespace aisp::benchmarks

// SPDX-License-Identifier: Apache-2.0
// What nvbench says about the self-timed spin kernel in the cases of timer_accuracy, by its isolated ("cold")
// measurement with default settings, but for the number of samples. Prints lines
//   nvbench BLOCKS SPIN TRUTH ERROR_MEDIAN ERROR_P5 ERROR_P95 REPORTED        (ns)
// where REPORTED is the mean that nvbench shows as "GPU Time".  usage: nvbench_spin [SAMPLES]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <nvbench/nvbench.cuh>
#include <utility>
#include <vector>

#include "benchmarks/gpu/spin_cases.cuh"

namespace {

using namespace aisp::benchmarks;

/// Ends a measurement after so many samples. nvbench hands it the time of every launch that it keeps, right
/// after that launch: the moment to ask the launch for its truth.
class PairedSamples : public nvbench::stopping_criterion_base {
 public:
  explicit PairedSamples(std::size_t samples)
      : stopping_criterion_base("paired-samples", {}), samples_(samples) {}

  bool enough() const { return errors.size() >= samples_; }

  TruthMemory memory;
  std::vector<double> truth, errors;

 private:
  void do_initialize() override {
    truth.clear();
    errors.clear();
  }
  void do_add_measurement(nvbench::float64_t seconds) override {
    truth.push_back(memory.ns());
    errors.push_back(seconds * 1e9 - truth.back());
  }
  bool do_is_finished() override { return enough(); }

  std::size_t samples_;
};

struct Spins {
  PairedSamples* paired;

  void operator()(nvbench::state& state, nvbench::type_list<>) const {
    const auto blocks = static_cast<unsigned>(state.get_int64("blocks"));
    const auto ns = static_cast<unsigned long long>(state.get_int64("ns"));
    state.exec(nvbench::exec_tag::gpu | nvbench::exec_tag::timer, [&](nvbench::launch& launch, auto& timer) {
      paired->memory.forget();
      timer.start();
      spin<<<blocks, kThreads, 0, launch.get_stream()>>>(ns, paired->memory.get());
      timer.stop();
    });
    if (!paired->enough()) {
      state.skip("nvbench kept too few samples in its time");
      return;
    }
    std::printf("nvbench %u %llu %.0f %.0f %.0f %.0f %.0f\n", blocks, ns, quantile(paired->truth, 0.5),
                quantile(paired->errors, 0.5), quantile(paired->errors, 0.05), quantile(paired->errors, 0.95),
                state.get_summary("nv/cold/time/gpu/mean").get_float64("value") * 1e9);
  }
};

}  // namespace

int main(int argc, char** argv) {
  const int samples = argc > 1 ? std::max(5, std::atoi(argv[1])) : 300;
  try {
    auto criterion = std::make_unique<PairedSamples>(static_cast<std::size_t>(samples));
    nvbench::benchmark<Spins> benchmark(Spins{criterion.get()});
    nvbench::criterion_manager::get().add(std::move(criterion));
    benchmark.set_stopping_criterion("paired-samples");
    benchmark.set_devices(std::vector<int>{0});
    benchmark.add_int64_axis("ns", {std::begin(kSpins), std::end(kSpins)});
    benchmark.add_int64_axis("blocks", {std::begin(kGrids), std::end(kGrids)});
    benchmark.run();
    for (const nvbench::state& state : benchmark.get_states()) {
      if (!state.is_skipped()) continue;
      std::fprintf(stderr, "nvbench_spin: %s\n", state.get_skip_reason().c_str());
      return 4;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "nvbench_spin: %s\n", error.what());
    return 4;
  }
  return 0;
}

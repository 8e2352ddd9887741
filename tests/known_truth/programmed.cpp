// SPDX-License-Identifier: Apache-2.0
#include "programmed.h"

#include <unistd.h>

#include <cmath>
#include <memory>

#include "aisp/core/registry.h"
#include "aisp/core/rng.h"
#include "aisp/device/clock.h"

namespace aisp::known_truth {
namespace {

constexpr std::int64_t kElements = 16;

void answer(const Call& call) {
  const auto x = call.input<float>(0);
  const auto y = call.output<float>(0);
  for (std::int64_t i = 0; i < x.size; ++i) y[i] = 2 * x[i];
}

/// Counts rounds as a variant can see them: a new round brings new inputs.
class RoundCounter {
 public:
  std::int64_t see(float first) {
    if (first != last_) ++rounds_;
    last_ = first;
    return rounds_;
  }

 private:
  float last_ = 0;
  std::int64_t rounds_ = 0;
};

/// Draws the duration of each call and lets it pass.
class Spinner {
 public:
  Spinner(Programme programme, std::uint64_t stream, std::shared_ptr<RoundCounter> rounds)
      : programme_(programme), rng_(stream), rounds_(std::move(rounds)) {}

  void spin(float first) {
    const auto& clock = device::Clock::instance();
    const double start = clock.now_ns();
    const double drift = 1 + programme_.drift_per_round * static_cast<double>(rounds_->see(first));
    const double duration = draw() * drift * std::exp(programme_.round_sigma * first);
    while (clock.now_ns() - start < duration) {
    }
  }

 private:
  double draw() {
    const double noise = rng_.normal();
    double ns = programme_.ns * std::exp(programme_.sigma * (programme_.skewed ? std::fabs(noise) : noise));
    if (rng_.unit() < programme_.second_mode) ns *= programme_.second_factor;
    return ns;
  }

  Programme programme_;
  Rng rng_;
  std::shared_ptr<RoundCounter> rounds_;
};

}  // namespace

Workload programmed(std::string id, std::vector<std::pair<std::string, Programme>> variants) {
  Workload workload{
      .id = std::move(id),
      .title = "Programmed",
      .idea = "Each variant takes the time it was told to take.",
      .bound = Bound::latency,
      .axes = {{"n", {kElements}}},
      .problem =
          [](const Params& p) {
            return Problem{.tensors = {input<float>("x", {p["n"]}, {normal(0, 1), normal(0, 1)}),
                                       output<float>("y", {p["n"]}, exact())}};
          },
      .reference =
          [](const ReferenceCall& call) {
            for (std::size_t i = 0; i < call.outputs[0].value.size(); ++i) {
              call.outputs[0].value[i] = 2.0 * call.input<float>(0)[static_cast<std::int64_t>(i)];
            }
          }};
  // Draws of its own for every process: three that repeat the same ones are one process of a third the
  // rounds.
  std::uint64_t stream = static_cast<std::uint64_t>(getpid()) << 8U;
  const auto rounds = std::make_shared<RoundCounter>();
  for (auto& [name, programme] : variants) {
    const auto spinner = std::make_shared<Spinner>(programme, stream++, rounds);
    workload.variants.push_back({.name = name, .run = CallFunction([spinner](const Call& call) {
                                                 spinner->spin(call.input<float>(0)[0]);
                                                 answer(call);
                                               })});
  }
  return workload;
}

}  // namespace aisp::known_truth

// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/variant_runner.h"

#include <cstring>
#include <filesystem>

#include "aisp/core/check.h"
#include "aisp/device/clock.h"
#include "aisp/harness/trace_feed.h"

namespace aisp::harness {
namespace {

/// A directory that lives as long as one sample.
class SampleDirectory {
 public:
  explicit SampleDirectory(std::filesystem::path path) : path_(std::move(path)) {
    std::filesystem::create_directories(path_);
  }
  ~SampleDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  SampleDirectory(const SampleDirectory&) = delete;
  SampleDirectory& operator=(const SampleDirectory&) = delete;
  std::string text() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace

VariantRunner::VariantRunner(const Workload& workload, const Variant& variant, const Params& params,
                             device::PinnedTeam& team, std::string scratch)
    : workload_(workload),
      variant_(variant),
      params_(with_fallbacks(params, variant.tunables)),
      team_(team),
      scratch_(std::move(scratch)) {}

double VariantRunner::prepare() {
  if (!variant_.prepare) return 0;
  const auto& clock = device::Clock::instance();
  const double start = clock.now_ns();
  plan_ = variant_.prepare({params_, threads_of(params_), {}});
  return clock.now_ns() - start;
}

Call::Parts VariantRunner::parts(const TensorSet& set) {
  return {.params = &params_,
          .inputs = set.inputs(),
          .outputs = set.outputs(),
          .state = {},
          .plan = plan_.get(),
          .team = &team_,
          .metrics = &metrics_};
}

Window VariantRunner::run(std::span<const std::unique_ptr<TensorSet>> sets, probes::ProcessProbe& probe) {
  metrics_.clear();
  const probes::ProcessProbe::Turn turn(probe);
  switch (workload_.shape) {
    case Shape::call:
      return run_calls(std::get<CallFunction>(variant_.run.code), sets, probe);
    case Shape::stateful:
      return run_session(std::get<SessionFactory>(variant_.run.code), *sets.front(), probe);
    case Shape::trace:
      return run_trace(std::get<TraceFunction>(variant_.run.code), *sets.front(), probe);
    case Shape::collective:
      break;
  }
  throw std::logic_error("collective work reached a worker without ranks");
}

Window VariantRunner::run_calls(const CallFunction& function,
                                std::span<const std::unique_ptr<TensorSet>> sets,
                                probes::ProcessProbe& probe) {
  std::vector<Call> calls;
  calls.reserve(sets.size());
  for (const auto& set : sets) calls.emplace_back(parts(*set));
  const auto& clock = device::Clock::instance();
  // A library anchor brings threads of its own; ours would only take its cores.
  std::optional<device::ArmedTeam> armed;
  if (variant_.rung != Rung::anchor) armed.emplace(team_);
  probe.before_window();
  const double start = clock.now_ns();
  for (const Call& call : calls) function(call);
  const double end = clock.now_ns();
  probe.after_window();
  return {.ns = end - start, .calls = static_cast<int>(calls.size())};
}

Window VariantRunner::run_session(const SessionFactory& factory, TensorSet& set,
                                  probes::ProcessProbe& probe) {
  const auto& clock = device::Clock::instance();
  const SampleDirectory directory(std::filesystem::path(scratch_) / std::to_string(sessions_++));
  // While the state is loaded the operations stay out of sight, and out of the addresses that a variant knows
  // from the sample before: nothing can be computed ahead.
  set.hide_inputs();
  const std::unique_ptr<Session> session = factory({params_, threads_of(params_), directory.text()});
  Call::Parts loading = parts(set);
  loading.inputs = {};
  loading.outputs = {};
  loading.state = set.state();
  session->load(Call(loading));

  const Call call(parts(set));
  const std::int64_t operations = workload_.problem(params_).operations;
  Window window{.calls = 1};
  const device::ArmedTeam armed(team_);
  set.show_inputs();
  probe.before_window();
  const double start = clock.now_ns();
  if (workload_.per_operation) {
    window.items.reserve(static_cast<std::size_t>(operations));
    double before = start;
    for (std::int64_t i = 0; i < operations; ++i) {
      session->apply(call, i, 1);
      const double after = clock.now_ns();
      window.items.push_back(after - before);
      before = after;
    }
  } else {
    session->apply(call, 0, operations);
  }
  window.ns = clock.now_ns() - start;
  probe.after_window();
  window.finish_ns = finish(*session, set);
  return window;
}

/// Lets a session write its final state. Every other output is put back to what it held when the clock
/// stopped: an answer that came later is no answer to the timed operations. Returns how long it took.
double VariantRunner::finish(Session& session, const TensorSet& set) {
  const auto& clock = device::Clock::instance();
  std::vector<std::vector<std::byte>> timed;
  Call::Parts finishing = parts(set);
  finishing.inputs = {};
  for (std::size_t o = 0; o < set.outputs().size(); ++o) {
    const TensorView& output = set.outputs()[o];
    timed.emplace_back();
    if (!set.final_state(o)) timed.back().assign(output.data, output.data + output.bytes());
  }
  const double start = clock.now_ns();
  session.finish(Call(finishing));
  const double took = clock.now_ns() - start;
  for (std::size_t o = 0; o < timed.size(); ++o) {
    if (!timed[o].empty()) std::memcpy(set.outputs()[o].data, timed[o].data(), timed[o].size());
  }
  return took;
}

Window VariantRunner::run_trace(const TraceFunction& function, const TensorSet& set,
                                probes::ProcessProbe& probe) {
  std::vector<TensorView> requests;
  for (std::size_t i = 0; i < set.inputs().size(); ++i) {
    if (!set.shared(i)) requests.push_back(set.inputs()[i]);
  }
  AISP_CHECK(!requests.empty(), "the first input of a trace holds the arrivals");
  TimedTraceFeed feed(requests, set.outputs()[0]);
  Call::Parts serving = parts(set);
  serving.outputs = {};  // only answers that were stamped count
  TraceCall call(serving, feed);
  const device::ArmedTeam armed(team_);
  probe.before_window();
  feed.start();
  function(call);
  probe.after_window();
  feed.finish();
  if (workload_.latency_objective_ns > 0)
    metrics_.emplace_back("goodput", feed.goodput(workload_.latency_objective_ns));
  return {.ns = feed.makespan_ns(),
          .calls = 1,
          .items = feed.latencies(),
          .unanswered = feed.unanswered(),
          .improper_answers = feed.improper()};
}

}  // namespace aisp::harness

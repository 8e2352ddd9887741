// SPDX-License-Identifier: Apache-2.0
/// \file
/// One variant of a cell, ready to be timed. Knows the four shapes of work; nothing above it does.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "aisp/core/workload.h"
#include "aisp/device/cpu/pinned_team.h"
#include "aisp/harness/tensor_set.h"
#include "aisp/probes/process_probe.h"

namespace aisp::harness {

/// One timed window: a batch of calls, one per tensor set.
struct Window {
  double ns = 0;  ///< of the whole window
  int calls = 0;
  std::vector<double> items;  ///< trace: latency of each request; per-operation: of each operation
  double finish_ns = 0;       ///< stateful: of writing the final state, after the window
  std::uint64_t unanswered = 0;
  std::uint64_t improper_answers = 0;
};

class VariantRunner {
 public:
  VariantRunner(const Workload& workload, const Variant& variant, const Params& params,
                device::PinnedTeam& team, std::string scratch);

  /// Builds the plan; returns how long it took. May throw what the variant throws.
  double prepare();
  /// Times one call per set. May throw what the variant throws.
  Window run(std::span<const std::unique_ptr<TensorSet>> sets, probes::ProcessProbe& probe);

  const Variant& variant() const { return variant_; }
  const Metrics& metrics() const { return metrics_; }

 private:
  Call::Parts parts(const TensorSet& set);
  Window run_calls(const CallFunction& function, std::span<const std::unique_ptr<TensorSet>> sets,
                   probes::ProcessProbe& probe);
  Window run_session(const SessionFactory& factory, TensorSet& set, probes::ProcessProbe& probe);
  double finish(Session& session, const TensorSet& set);
  Window run_trace(const TraceFunction& function, const TensorSet& set, probes::ProcessProbe& probe);

  const Workload& workload_;
  const Variant& variant_;
  Params params_;  ///< the sizes, and the variant's tunables
  device::PinnedTeam& team_;
  std::string scratch_;
  int sessions_ = 0;
  std::shared_ptr<void> plan_;
  Metrics metrics_;
};

}  // namespace aisp::harness

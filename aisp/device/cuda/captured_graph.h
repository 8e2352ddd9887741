// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a call would do, captured as a graph instead of being done.
///
///   const CapturedGraph graph = CapturedGraph::of(call);
///   if (!graph.captured()) say(graph.why_not());
///   for (const LaunchShape& kernel : graph.kernels()) ...
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/launch_shape.h"

namespace aisp::cuda {

/// How much a graph makes the device do.
struct GraphContents {
  int kernels = 0;
  int pieces = 0;  ///< kernels, copies and sets
};

class CapturedGraph {
 public:
  /// Runs the call's host code once.
  static CapturedGraph of(const std::function<void(cudaStream_t)>& call);

  bool captured() const { return graph_ != nullptr; }
  /// Where it cannot be captured: it waits for the device, say, or uses the legacy stream.
  const std::string& why_not() const { return why_not_; }
  /// In the order in which they were captured.
  std::vector<LaunchShape> kernels() const;
  /// With what the graphs in it hold. Nothing where one of them decides while it runs.
  std::optional<GraphContents> contents() const;
  /// Ready to be launched, any number of times.
  std::shared_ptr<CUgraphExec_st> instantiate() const;

 private:
  std::shared_ptr<CUgraph_st> graph_;
  std::string why_not_;
};

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Graphs of launches for rungs that replay them: recording one, owning what became of it, and finding the
/// one that belongs to the buffers of a call.
///
///   gpu::Graphs graphs;                                                     // of the plan
///   graphs.of({x.data, y.data}, [&] { return gpu::record([&](cudaStream_t s) { queue(call, s); }); })
///       .launch(gpu::stream_of(call));
///
/// Arguments are part of a graph, addresses too, so there is one for each set of buffers that calls have
/// seen. Recording takes far longer than a call: it pays for what is repeated.
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <map>

#include "workloads/cuda_launch.cuh"

namespace aisp::gpu {

class Graph {
 public:
  /// Takes the recording.
  explicit Graph(cudaGraph_t recorded, unsigned long long flags = 0) {
    const cudaError_t made = cudaGraphInstantiate(&graph_, recorded, flags);
    static_cast<void>(cudaGraphDestroy(recorded));
    check(made, "making a graph executable");
  }
  ~Graph() { static_cast<void>(cudaGraphExecDestroy(graph_)); }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(graph_, stream), "launching a graph"); }
  cudaGraphExec_t get() const { return graph_; }

 private:
  cudaGraphExec_t graph_ = nullptr;
};

/// What queue(stream) queues, written down instead of done; on a stream of its own, so that the caller's goes
/// on. With `into`, it becomes part of that graph.
template <class Queue>
cudaGraph_t record(Queue queue, cudaGraph_t into = nullptr) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream");
  if (into == nullptr) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning to record");
  } else {
    check(cudaStreamBeginCaptureToGraph(stream, into, nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal),
          "beginning to record");
  }
  queue(stream);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "ending a recording");
  check(cudaStreamDestroy(stream), "giving a stream back");
  return graph;
}

/// One for each set of buffers, made when it is first asked for.
class Graphs {
 public:
  using Buffers = std::array<const void*, 3>;  ///< all that a call gets; fewer are filled up with nothing

  /// make() returns a cudaGraph_t.
  template <class Make>
  const Graph& of(const Buffers& buffers, Make make, unsigned long long flags = 0) {
    auto found = graphs_.find(buffers);
    if (found == graphs_.end()) found = graphs_.try_emplace(buffers, make(), flags).first;
    return found->second;
  }

 private:
  std::map<Buffers, Graph> graphs_;
};

}  // namespace aisp::gpu

// SPDX-License-Identifier: Apache-2.0
// What it costs to make the device do something: launches one after the other, a launch that is waited for, a
// node of a graph, and two events with nothing between them.
#include <chrono>
#include <memory>

#include "aisp/device/cuda/peak_sections.h"

namespace aisp::cuda {
namespace {

constexpr int kLaunches = 500;  // about a thousand fit into a stream's queue before the host has to wait
constexpr int kRoundTrips = 50;
constexpr int kNodes = 500;

__global__ void nothing() {}

double host_ns(const std::function<void()>& body) {
  const auto start = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// `early`: the next kernel may start before this one has ended, as far as the device allows.
void launch(cudaStream_t stream, bool early) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = early ? 1 : 0;
  cudaLaunchConfig_t config{};
  config.gridDim = 1;
  config.blockDim = 32;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = early ? 1 : 0;
  check(cudaLaunchKernelEx(&config, nothing), "launching an empty kernel");
}

using Graph = std::unique_ptr<CUgraphExec_st, cudaError_t (*)(cudaGraphExec_t)>;

/// A chain of empty kernels.
Graph chain(cudaStream_t stream, bool early) {
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning a graph");
  for (int i = 0; i < kNodes; ++i) launch(stream, early);
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "ending a graph");
  cudaGraphExec_t made = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&made, graph, 0);
  static_cast<void>(cudaGraphDestroy(graph));
  check(status, "making a graph of empty kernels");
  return {made, cudaGraphExecDestroy};
}

Candidate launches(cudaStream_t stream, const char* probe, bool early) {
  return {.probe = probe, .amount = kLaunches, .time_ns = [=] {
            return host_ns([&] {
              for (int i = 0; i < kLaunches; ++i) launch(stream, early);
              check(cudaStreamSynchronize(stream), "waiting for empty kernels");
            });
          }};
}

Candidate round_trips(cudaStream_t stream, const char* probe, const std::function<void()>& wait) {
  return {.probe = probe, .amount = kRoundTrips, .time_ns = [=] {
            return host_ns([&] {
              for (int i = 0; i < kRoundTrips; ++i) {
                launch(stream, false);
                wait();
              }
            });
          }};
}

void wait_by_asking(cudaStream_t stream) {
  cudaError_t state = cudaErrorNotReady;
  while (state == cudaErrorNotReady) state = cudaStreamQuery(stream);
  check(state, "asking for the end of an empty kernel");
}

}  // namespace

void measure_launches(PeakBench& bench) {
  const cudaStream_t stream = bench.watch().stream();
  // Kernels that may overlap need code for it, and Hopper or later.
  const bool early = bench.facts().code >= 900;

  std::vector<Candidate> one_after_the_other = {launches(stream, "empty kernels in a stream", false)};
  if (early) one_after_the_other.push_back(launches(stream, "empty kernels that may overlap", true));
  bench.settle({.name = "launch", .level = "host", .unit = "ns"}, one_after_the_other);

  bench.settle({.name = "launch_synchronise", .level = "host", .unit = "ns"},
               {round_trips(stream, "cudaStreamSynchronize",
                            [=] { check(cudaStreamSynchronize(stream), "waiting for an empty kernel"); }),
                round_trips(stream, "cudaDeviceSynchronize",
                            [] { check(cudaDeviceSynchronize(), "waiting for an empty kernel"); }),
                round_trips(stream, "cudaStreamQuery until done", [=] { wait_by_asking(stream); })});

  const Graph strict = chain(stream, false);
  const auto run = [](const Graph& graph) {
    return [&graph](cudaStream_t s) { check(cudaGraphLaunch(graph.get(), s), "launching a graph"); };
  };
  std::vector<Candidate> nodes = {{"chain of 500 empty kernels", kNodes, bench.on_device(run(strict))}};
  const Graph overlapping = early ? chain(stream, true) : Graph(nullptr, cudaGraphExecDestroy);
  if (early) nodes.push_back({"chain of 500 that may overlap", kNodes, bench.on_device(run(overlapping))});
  bench.settle({.name = "graph_node", .level = "device", .unit = "ns"}, nodes);

  bench.settle({.name = "event_pair", .level = "device", .unit = "ns"},
               {{"both queued behind a gate", 1, bench.on_device([](cudaStream_t) {})}});
}

}  // namespace aisp::cuda

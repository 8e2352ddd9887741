// SPDX-License-Identifier: Apache-2.0
// Conditional graph                                                      chapter 12, orchestration
//
// The idea:          put the loop into the graph: a node that repeats its body until the device says stop.
// What bounds it:    waiting. A sweep over 65,536 values takes the device some 3 µs; to copy a word to the
//                    host, wake it up and launch the next sweep takes several times that.
// What to look for:  the device between sweeps: idle while the host decides, or not.
// Where it stops:    sweeps of a millisecond, whose question costs nothing beside them. What only the host
//                    can decide stays with it; asking it less often is then the way.
#include <memory>

#include "workloads/ch12_orchestration/relaxation.cuh"
#include "workloads/cuda_graph.cuh"

namespace aisp::conditional_graph {
namespace {

using namespace relaxation;

// ---- The problem, the reference and a sweep: relaxation.cuh ----------------------------------------------
// ---- Baseline: the host asks after every sweep -----------------------------------------------------------
struct Asked {
  Solver solver;
  Question question;
};

std::shared_ptr<void> prepare_asked(const Setup& setup) {
  auto plan = std::make_shared<Asked>();
  plan->solver = solver_for(setup);
  return plan;
}

template <int kSweeps>
void asked_every(const Call& call) {
  const auto& plan = call.plan<Asked>();
  const cudaStream_t stream = gpu::stream_of(call);
  queue_guess(call, stream);
  do {
    for (int sweep = 0; sweep < kSweeps; ++sweep) queue_sweep(call, plan.solver, stream, KeepForHost{});
  } while (plan.question.again(plan.solver, stream));
}

// ---- The idea --------------------------------------------------------------------------------------------
// The device knows first whether anything has changed, and it is the device that has to go on. A host that
// asks makes it wait twice: for the answer to travel, and for the next launch. Asked after every eighth sweep
// only, it costs less, and up to seven sweeps too many are made.
//
// A graph may contain nodes with a condition: a word that a kernel sets. A WHILE node has a graph of its own
// for a body and repeats it as long as the word is not zero. The last block of each sweep sets it. The host
// launches once and is not needed again.

// ---- Optimised: a WHILE node -----------------------------------------------------------------------------
struct SetCondition {
  cudaGraphConditionalHandle handle;
  __device__ void operator()(bool again) const { cudaGraphSetConditional(handle, again ? 1 : 0); }
};

struct Looped {
  Solver solver;
  gpu::Graphs graphs;
};

std::shared_ptr<void> prepare_loop(const Setup& setup) {
  auto plan = std::make_shared<Looped>();
  plan->solver = solver_for(setup);
  return plan;
}

cudaGraph_t loop_of(const Call& call, const Solver& solver) {
  cudaGraph_t graph = gpu::record([&](cudaStream_t stream) { queue_guess(call, stream); });
  std::size_t count = 1;
  cudaGraphNode_t guess = nullptr, loop = nullptr;
  gpu::check(cudaGraphGetNodes(graph, &guess, &count), "finding the first guess");
  SetCondition decide{};
  // Set anew at every launch: the body runs at least once.
  gpu::check(cudaGraphConditionalHandleCreate(&decide.handle, graph, 1, cudaGraphCondAssignDefault),
             "making a condition");
  cudaGraphNodeParams repeat{};
  repeat.type = cudaGraphNodeTypeConditional;
  repeat.conditional.handle = decide.handle;
  repeat.conditional.type = cudaGraphCondTypeWhile;
  repeat.conditional.size = 1;
  gpu::check(cudaGraphAddNode(&loop, graph, &guess, nullptr, 1, &repeat), "adding a loop to a graph");
  gpu::record([&](cudaStream_t stream) { queue_sweep(call, solver, stream, decide); },
              repeat.conditional.phGraph_out[0]);
  return graph;
}

void while_node(const Call& call) {
  auto& plan = call.plan<Looped>();
  plan.graphs
      .of({call.input<float>(kB).data, call.output<float>(kX).data},
          [&] { return loop_of(call, plan.solver); })
      .launch(gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch12/conditional_graph",
    .title = "Conditional graph",
    .idea = "Put the loop into the graph: its body is repeated until the device says stop.",
    .bound = Bound::synchronisation,
    .tags = {"launch", "graphs"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 16, 1 << 20}, .quick = {1 << 16}, .small = 1027}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "host_asks",
                  .run = CallFunction(asked_every<1>),
                  .note = "a word to the host after every sweep",
                  .prepare = prepare_asked,
                  .host_sync = true},
                 {.name = "every_eighth",
                  .run = CallFunction(asked_every<8>),
                  .note = "a word to the host after every eighth sweep",
                  .prepare = prepare_asked,
                  .host_sync = true},
                 {.name = "while_node",
                  .run = while_node,
                  .note = "a WHILE node of a graph, its condition set by the last block",
                  .prepare = prepare_loop,
                  .host_sync = true}},
}};

}  // namespace
}  // namespace aisp::conditional_graph

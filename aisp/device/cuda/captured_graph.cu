// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/captured_graph.h"

#include <exception>

#include "aisp/device/cuda/driver_functions.h"

namespace aisp::cuda {
namespace {

/// Of the driver, not of the runtime: kernels of a plugin or a library belong to a runtime of their own, and
/// this one does not know them.
LaunchShape shape_of(CUgraphNode node) {
  const DriverFunctions& driver = DriverFunctions::instance();
  CUDA_KERNEL_NODE_PARAMS launch{};
  if (driver.graph_kernel_node_get_params(node, &launch) != CUDA_SUCCESS)
    throw CudaError(cudaErrorUnknown, "asking for a kernel's geometry");
  int fixed = 0;
  // Where only a handle of the library is given, its static part is left out.
  if (launch.func != nullptr)
    static_cast<void>(driver.func_get_attribute(&fixed, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, launch.func));
  return {.grid = dim3(launch.gridDimX, launch.gridDimY, launch.gridDimZ),
          .block = dim3(launch.blockDimX, launch.blockDimY, launch.blockDimZ),
          .shared_bytes = launch.sharedMemBytes + static_cast<unsigned>(fixed)};
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "counting what was captured");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "listing what was captured");
  return nodes;
}

cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type{};
  check(cudaGraphNodeGetType(node, &type), "asking what was captured");
  return type;
}

/// False: it holds a node that decides while it runs.
bool count(cudaGraph_t graph, GraphContents& found) {
  for (const cudaGraphNode_t node : nodes_of(graph)) {
    switch (type_of(node)) {
      case cudaGraphNodeTypeKernel:
        ++found.kernels;
        [[fallthrough]];
      case cudaGraphNodeTypeMemcpy:
      case cudaGraphNodeTypeMemset:
        ++found.pieces;
        break;
      case cudaGraphNodeTypeGraph: {
        cudaGraph_t child = nullptr;
        check(cudaGraphChildGraphNodeGetGraph(node, &child), "looking into a captured graph");
        if (!count(child, found)) return false;
        break;
      }
      case cudaGraphNodeTypeConditional:
        return false;
      default:
        break;
    }
  }
  return true;
}

void destroy(cudaGraph_t graph) {
  if (graph != nullptr) static_cast<void>(cudaGraphDestroy(graph));
}

}  // namespace

CapturedGraph CapturedGraph::of(const std::function<void(cudaStream_t)>& call) {
  CapturedGraph result;
  cudaStream_t stream = nullptr;
  // A blocking one: what uses the legacy stream meanwhile is refused, instead of running once uncaptured.
  check(cudaStreamCreate(&stream), "making a stream to capture");
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a call");
  try {
    call(stream);
  } catch (const std::exception& problem) {
    // What can be run need not be capturable: an event of work outside the graph, say.
    result.why_not_ = problem.what();
  }
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (ended != cudaSuccess && result.why_not_.empty()) result.why_not_ = cudaGetErrorString(ended);
  static_cast<void>(cudaGetLastError());  // a call that cannot be captured leaves its error behind
  check(cudaStreamDestroy(stream), "ending the captured stream");
  if (ended == cudaSuccess && result.why_not_.empty())
    result.graph_ = {graph, destroy};
  else
    destroy(graph);
  return result;
}

std::vector<LaunchShape> CapturedGraph::kernels() const {
  std::vector<LaunchShape> shapes;
  for (const cudaGraphNode_t node : nodes_of(graph_.get())) {
    if (type_of(node) == cudaGraphNodeTypeKernel) shapes.push_back(shape_of(node));
  }
  return shapes;
}

std::optional<GraphContents> CapturedGraph::contents() const {
  GraphContents found;
  return count(graph_.get(), found) ? std::optional(found) : std::nullopt;
}

std::shared_ptr<CUgraphExec_st> CapturedGraph::instantiate() const {
  cudaGraphExec_t ready = nullptr;
  check(cudaGraphInstantiate(&ready, graph_.get(), 0), "making a graph ready");
  return {ready, [](cudaGraphExec_t graph) { static_cast<void>(cudaGraphExecDestroy(graph)); }};
}

}  // namespace aisp::cuda

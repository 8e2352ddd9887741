// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/launch_shape.h"

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

std::vector<LaunchShape> kernels_in(cudaGraph_t graph) {
  std::size_t count = 0;
  check(cudaGraphGetNodes(graph, nullptr, &count), "counting what was captured");
  std::vector<cudaGraphNode_t> nodes(count);
  check(cudaGraphGetNodes(graph, nodes.data(), &count), "listing what was captured");
  std::vector<LaunchShape> shapes;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeType type{};
    check(cudaGraphNodeGetType(node, &type), "asking what was captured");
    if (type != cudaGraphNodeTypeKernel) continue;
    shapes.push_back(shape_of(node));
  }
  return shapes;
}

}  // namespace

std::optional<std::vector<LaunchShape>> launch_shapes(const std::function<void(cudaStream_t)>& call) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream to capture");
  std::optional<std::vector<LaunchShape>> shapes;
  cudaGraph_t graph = nullptr;
  bool returned = false;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a call");
  try {
    call(stream);
    returned = true;
  } catch (const std::exception&) {
    // What can be run need not be capturable: an event of work outside the graph, say.
  }
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr && returned)
    shapes = kernels_in(graph);
  static_cast<void>(cudaGetLastError());  // a call that cannot be captured leaves its error behind
  if (graph != nullptr) check(cudaGraphDestroy(graph), "forgetting what was captured");
  check(cudaStreamDestroy(stream), "ending the captured stream");
  return shapes;
}

}  // namespace aisp::cuda

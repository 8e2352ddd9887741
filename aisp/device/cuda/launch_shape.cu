// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/launch_shape.h"

namespace aisp::cuda {
namespace {

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
    cudaKernelNodeParams launch{};
    check(cudaGraphKernelNodeGetParams(node, &launch), "asking for a kernel's geometry");
    cudaFuncAttributes function{};
    // A kernel of another library may not be known to this runtime: its static part is then left out.
    if (cudaFuncGetAttributes(&function, launch.func) != cudaSuccess) static_cast<void>(cudaGetLastError());
    shapes.push_back(
        {.grid = launch.gridDim,
         .block = launch.blockDim,
         .shared_bytes = launch.sharedMemBytes + static_cast<unsigned>(function.sharedSizeBytes)});
  }
  return shapes;
}

}  // namespace

std::vector<LaunchShape> launch_shapes(const std::function<void(cudaStream_t)>& call) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream to capture");
  std::vector<LaunchShape> shapes;
  cudaGraph_t graph = nullptr;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a call");
  call(stream);
  if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr) shapes = kernels_in(graph);
  static_cast<void>(cudaGetLastError());  // a call that cannot be captured leaves its error behind
  if (graph != nullptr) check(cudaGraphDestroy(graph), "forgetting what was captured");
  check(cudaStreamDestroy(stream), "ending the captured stream");
  return shapes;
}

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/driver_functions.h"

#include <cstddef>
#include <exception>
#include <vector>

#include "aisp/device/cuda/cuda_error.h"

namespace aisp::cuda {
namespace {

/// The version whose functions the declarations in cuda.h describe.
constexpr unsigned kVersion = 12'000;

template <class Function>
void find(Function*& function, const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  check(cudaGetDriverEntryPointByVersion(name, &address, kVersion, cudaEnableDefault, &found), name);
  if (found != cudaDriverEntryPointSuccess || address == nullptr)
    throw CudaError(cudaErrorSymbolNotFound, name);
  function = reinterpret_cast<Function*>(address);
}

DriverFunctions load() {
  DriverFunctions driver;
  find(driver.ctx_get_current, "cuCtxGetCurrent");
  find(driver.stream_is_capturing, "cuStreamIsCapturing");
  find(driver.graph_get_nodes, "cuGraphGetNodes");
  find(driver.graph_node_get_type, "cuGraphNodeGetType");
  find(driver.graph_kernel_node_get_params, "cuGraphKernelNodeGetParams");
  find(driver.func_get_attribute, "cuFuncGetAttribute");
  find(driver.graph_child_graph_node_get_graph, "cuGraphChildGraphNodeGetGraph");
  return driver;
}

}  // namespace

const DriverFunctions& DriverFunctions::instance() {
  static const DriverFunctions loaded = load();
  return loaded;
}

CUcontext current_context() {
  check(cudaFree(nullptr), "making the device's context");
  CUcontext context = nullptr;
  if (DriverFunctions::instance().ctx_get_current(&context) != CUDA_SUCCESS || context == nullptr)
    throw CudaError(cudaErrorDeviceUninitialized, "asking for the device's context");
  return context;
}

bool has_context() noexcept {
  try {
    CUcontext context = nullptr;
    return DriverFunctions::instance().ctx_get_current(&context) == CUDA_SUCCESS && context != nullptr;
  } catch (const std::exception&) {
    return false;  // no driver
  }
}

bool is_capturing(CUstream stream) {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  const CUresult asked = DriverFunctions::instance().stream_is_capturing(stream, &status);
  return asked == CUDA_SUCCESS && status != CU_STREAM_CAPTURE_STATUS_NONE;
}

unsigned host_functions_in(CUgraph graph) {
  const DriverFunctions& driver = DriverFunctions::instance();
  std::size_t count = 0;
  if (driver.graph_get_nodes(graph, nullptr, &count) != CUDA_SUCCESS) return 0;
  std::vector<CUgraphNode> nodes(count);
  if (driver.graph_get_nodes(graph, nodes.data(), &count) != CUDA_SUCCESS) return 0;
  unsigned found = 0;
  for (const CUgraphNode node : nodes) {
    CUgraphNodeType type{};
    if (driver.graph_node_get_type(node, &type) != CUDA_SUCCESS) continue;
    if (type == CU_GRAPH_NODE_TYPE_HOST) ++found;
    CUgraph inner = nullptr;
    if (type == CU_GRAPH_NODE_TYPE_GRAPH &&
        driver.graph_child_graph_node_get_graph(node, &inner) == CUDA_SUCCESS)
      found += host_functions_in(inner);
  }
  return found;
}

}  // namespace aisp::cuda

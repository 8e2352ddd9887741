// SPDX-License-Identifier: Apache-2.0
/// \file
/// The few functions of the driver that the runtime has no equal of, or whose errors must not become the
/// runtime's latest error: asked of the runtime, so that nothing is linked.
#pragma once

#include <cuda.h>

namespace aisp::cuda {

struct DriverFunctions {
  /// Throws CudaError without a driver.
  static const DriverFunctions& instance();

  decltype(cuCtxGetCurrent)* ctx_get_current = nullptr;
  decltype(cuStreamIsCapturing)* stream_is_capturing = nullptr;
  decltype(cuGraphGetNodes)* graph_get_nodes = nullptr;
  decltype(cuGraphNodeGetType)* graph_node_get_type = nullptr;
  decltype(cuGraphKernelNodeGetParams)* graph_kernel_node_get_params = nullptr;
  decltype(cuFuncGetAttribute)* func_get_attribute = nullptr;
  decltype(cuGraphChildGraphNodeGetGraph)* graph_child_graph_node_get_graph = nullptr;
};

/// The context of the current device; it exists afterwards. Throws CudaError.
CUcontext current_context();

/// Whether this thread has a context already. Makes none.
bool has_context() noexcept;

/// Whether what is queued on this stream now becomes part of a graph instead of running.
bool is_capturing(CUstream stream);

/// Host functions in a graph and in the graphs that are nodes of it.
unsigned host_functions_in(CUgraph graph);

}  // namespace aisp::cuda

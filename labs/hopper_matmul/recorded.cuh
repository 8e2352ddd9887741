// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work recorded once and launched again with one call: what a library does on the host before it launches is
/// done when recording.
///
/// A recording of one kernel is not launched as a graph: the kernel is, with the arguments and attributes
/// that were recorded. So neither it nor what it is compared with pays for another way of launching.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <array>
#include <utility>

#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

/// Of the driver, not of the runtime: kernels of a library belong to a runtime of its own, and ours does not
/// know them.
template <class Function>
Function driver_function(const char* name) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found{};
  gpu::check(cudaGetDriverEntryPointByVersion(name, &address, 12'000, cudaEnableDefault, &found), name);
  if (found != cudaDriverEntryPointSuccess || address == nullptr)
    throw std::runtime_error(std::string("the driver has no ") + name);
  return reinterpret_cast<Function>(address);
}

class Recorded {
 public:
  /// `work(stream)` queues. On a stream of its own: the caller's goes on.
  template <class Work>
  explicit Recorded(Work work) {
    cudaStream_t stream = nullptr;
    gpu::check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "making a stream to record");
    gpu::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "beginning to record");
    try {
      work(stream);
    } catch (...) {
      static_cast<void>(cudaStreamEndCapture(stream, &recorded_));
      if (recorded_ != nullptr) static_cast<void>(cudaGraphDestroy(recorded_));
      static_cast<void>(cudaStreamDestroy(stream));
      throw;
    }
    gpu::check(cudaStreamEndCapture(stream, &recorded_), "ending a recording");
    gpu::check(cudaStreamDestroy(stream), "giving a stream back");
    if (!read_single_kernel())
      gpu::check(cudaGraphInstantiate(&graph_, recorded_, 0), "making a recording executable");
  }
  ~Recorded() {
    if (graph_ != nullptr) static_cast<void>(cudaGraphExecDestroy(graph_));
    if (recorded_ != nullptr) static_cast<void>(cudaGraphDestroy(recorded_));
  }
  Recorded(Recorded&& other) noexcept
      : recorded_(std::exchange(other.recorded_, nullptr)),
        graph_(std::exchange(other.graph_, nullptr)),
        kernel_(other.kernel_),
        attributes_(other.attributes_),
        attribute_count_(other.attribute_count_) {}
  Recorded(const Recorded&) = delete;
  Recorded& operator=(const Recorded&) = delete;
  Recorded& operator=(Recorded&&) = delete;

  /// Whether it is launched as a graph, not as its only kernel.
  bool is_graph() const { return graph_ != nullptr; }

  void launch(cudaStream_t stream) const {
    if (graph_ != nullptr) return gpu::check(cudaGraphLaunch(graph_, stream), "launching what was recorded");
    static const auto launch_kernel = driver_function<decltype(&cuLaunchKernelEx)>("cuLaunchKernelEx");
    auto attributes = attributes_;
    const CUlaunchConfig config{
        kernel_.gridDimX,  kernel_.gridDimY,       kernel_.gridDimZ, kernel_.blockDimX, kernel_.blockDimY,
        kernel_.blockDimZ, kernel_.sharedMemBytes, stream,           attributes.data(), attribute_count_};
    // The arguments lie in the recording, which is kept.
    if (launch_kernel(&config, kernel_.func, kernel_.kernelParams, kernel_.extra) != CUDA_SUCCESS)
      throw std::runtime_error("a kernel that was recorded cannot be launched");
  }

 private:
  bool read_single_kernel() {
    cudaGraphNode_t node = nullptr;
    std::size_t count = 0;
    gpu::check(cudaGraphGetNodes(recorded_, nullptr, &count), "counting what was recorded");
    if (count != 1) return false;
    gpu::check(cudaGraphGetNodes(recorded_, &node, &count), "looking at what was recorded");
    cudaGraphNodeType type{};
    gpu::check(cudaGraphNodeGetType(node, &type), "looking at what was recorded");
    if (type != cudaGraphNodeTypeKernel) return false;
    static const auto get_kernel =
        driver_function<decltype(&cuGraphKernelNodeGetParams)>("cuGraphKernelNodeGetParams");
    static const auto get_attribute =
        driver_function<decltype(&cuGraphKernelNodeGetAttribute)>("cuGraphKernelNodeGetAttribute");
    if (get_kernel(node, &kernel_) != CUDA_SUCCESS) return false;
    if (kernel_.func == nullptr) kernel_.func = reinterpret_cast<CUfunction>(kernel_.kern);
    CUlaunchAttribute cluster{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION};
    if (get_attribute(node, cluster.id, &cluster.value) != CUDA_SUCCESS) return false;
    if (cluster.value.clusterDim.x == 0) return true;
    attributes_[attribute_count_++] = cluster;
    CUlaunchAttribute policy{.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE};
    if (get_attribute(node, policy.id, &policy.value) == CUDA_SUCCESS)
      attributes_[attribute_count_++] = policy;
    return true;
  }

  cudaGraph_t recorded_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;  ///< of more than one kernel
  CUDA_KERNEL_NODE_PARAMS kernel_{};
  std::array<CUlaunchAttribute, 2> attributes_{};
  unsigned attribute_count_ = 0;
};

inline bool is_recording(cudaStream_t stream) {
  cudaStreamCaptureStatus status{};
  gpu::check(cudaStreamIsCapturing(stream, &status), "asking whether a stream is recorded");
  return status != cudaStreamCaptureStatusNone;
}

}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A launch of as many clusters as run at once, for kernels whose blocks stay.
#pragma once

#include <algorithm>
#include <type_traits>

#include "labs/hopper_matmul/ring.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

/// How many clusters of a kernel the device runs at once: not every multiprocessor finds a partner.
template <class Kernel>
int clusters_at_once(Kernel kernel, unsigned cluster, unsigned shared_bytes) {
  gpu::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  static_cast<int>(shared_bytes)),
             "allowing the ring of tiles its shared memory");
  cudaLaunchAttribute size{};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(gpu::processors() / cluster * cluster);
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = shared_bytes;
  config.attrs = &size;
  config.numAttrs = 1;
  int count = 0;
  gpu::check(cudaOccupancyMaxActiveClusters(&count, kernel, &config), "asking how many clusters run at once");
  return count;
}

template <class... Arguments>
void launch_clusters(int clusters, unsigned cluster, unsigned shared_bytes, cudaStream_t stream,
                     void (*kernel)(Arguments...), const std::type_identity_t<Arguments>&... arguments) {
  cudaLaunchAttribute size{};
  size.id = cudaLaunchAttributeClusterDimension;
  size.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters) * cluster);
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &size;
  config.numAttrs = 1;
  gpu::check(cudaLaunchKernelEx(&config, kernel, arguments...), "multiplying by clusters");
}

}  // namespace aisp::hopper_matmul

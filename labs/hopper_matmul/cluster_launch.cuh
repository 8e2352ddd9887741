// SPDX-License-Identifier: Apache-2.0
/// \file
/// Launches of clusters, and how many of them run at once.
#pragma once

#include <algorithm>
#include <type_traits>

#include "labs/hopper_matmul/ring.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::hopper_matmul {

struct ClusterLaunch {
  int clusters;
  unsigned blocks;  ///< of a cluster
  unsigned threads;
  unsigned shared_bytes;
  cudaStream_t stream = nullptr;

  /// The configuration refers to `size`, which is filled here.
  cudaLaunchConfig_t config(cudaLaunchAttribute& size) const {
    size = {};
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(clusters) * blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = shared_bytes;
    config.stream = stream;
    config.attrs = &size;
    config.numAttrs = blocks > 1 ? 1 : 0;
    return config;
  }
};

/// Throws where it cannot; else true, for a static that does it once.
template <class Kernel>
bool allow_shared_bytes(Kernel kernel, unsigned bytes) {
  gpu::check(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
      "allowing the ring of tiles its shared memory");
  return true;
}

/// How many clusters of a kernel the device runs at once: not every multiprocessor finds a partner.
template <class Kernel>
int clusters_at_once(Kernel kernel, unsigned blocks, unsigned threads, unsigned shared_bytes) {
  allow_shared_bytes(kernel, shared_bytes);
  const ClusterLaunch all{static_cast<int>(gpu::processors() / blocks), blocks, threads, shared_bytes};
  cudaLaunchAttribute size;
  cudaLaunchConfig_t config = all.config(size);
  config.numAttrs = 1;  // without the size, even of one, none are counted
  int count = 0;
  gpu::check(cudaOccupancyMaxActiveClusters(&count, kernel, &config), "asking how many clusters run at once");
  return count;
}

template <class... Arguments>
void launch_clusters(const ClusterLaunch& launch, void (*kernel)(Arguments...),
                     const std::type_identity_t<Arguments>&... arguments) {
  cudaLaunchAttribute size;
  const cudaLaunchConfig_t config = launch.config(size);
  gpu::check(cudaLaunchKernelEx(&config, kernel, arguments...), "multiplying by clusters");
}

}  // namespace aisp::hopper_matmul

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which ring takes a row of which length, and how it is launched.
///
///   using LongRows = gpu::Rings<gpu::RingTeam<32, 4, 2, 256, 16, 13>, gpu::RingTeam<32, 8, 2, 256, 16, 13>>;
///   LongRows::launch(cols * 2, [&]<class T>(T) {
///     gpu::launch_ring<T, kernel<T>>(rows, stream, x, y, rows, cols / 8);
///   });
#pragma once

#include <algorithm>
#include <cstdint>

#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_row_ring.cuh"

namespace aisp::gpu {

/// For rows of different lengths, the shortest first.
template <class... Each>
struct Rings {
  static constexpr std::int64_t kBytes = std::max({Each::kBytes...});
  /// Calls launch(RingTeam{}) for the first that holds a row of so many bytes; false when none does, or when
  /// rows do not begin and end at multiples of 16.
  template <class Launch>
  static bool launch(std::int64_t bytes, Launch launch) {
    return bytes % 16 == 0 && ((bytes <= Each::kBytes && (launch(Each{}), true)) || ...);
  }
};

template <class T>
cudaLaunchConfig_t ring_config(std::int64_t clusters, cudaStream_t stream, cudaLaunchAttribute& cluster) {
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {T::kCluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(clusters) * T::kCluster);
  config.blockDim = dim3(T::kBlock);
  config.dynamicSmemBytes = T::kSharedBytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = 1;  // without the size, even of one, no clusters are counted
  return config;
}

/// How many clusters of a kernel run at once: not every multiprocessor finds a partner.
template <class T, class Kernel>
std::int64_t clusters_at_once(Kernel kernel) {
  cudaLaunchAttribute cluster{};
  const auto config = ring_config<T>(processors() / T::kCluster, nullptr, cluster);
  int count = 0;
  check(cudaOccupancyMaxActiveClusters(&count, kernel, &config), "asking how many clusters run at once");
  return std::max(count, 1);
}

/// As many clusters as run at once, or fewer where that gives all of them equally many rows.
template <class T, auto kernel, class... Arguments>
void launch_ring(std::int64_t rows, cudaStream_t stream, Arguments... arguments) {
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::kSharedBytes),
        "allowing a ring its shared memory");
  if (T::kCluster > 8)  // any device has room for eight
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "allowing a ring more than eight blocks");
  static const std::int64_t at_once = clusters_at_once<T>(kernel);
  const std::int64_t each = (rows + at_once - 1) / at_once;
  cudaLaunchAttribute cluster{};
  const auto config = ring_config<T>((rows + each - 1) / each, stream, cluster);
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "launching a ring");
}

}  // namespace aisp::gpu

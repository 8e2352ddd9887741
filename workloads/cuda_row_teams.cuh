// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which team takes a row of which length, and how a team a row is launched.
///
///   using RowTeams = gpu::Teams<gpu::Team<32, 8>, gpu::Team<256, 8>>;
///   RowTeams::launch<float>(cols, [&]<class T>(T) { gpu::launch_rows<T>(rows, stream, kernel<T>, x, y); });
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "workloads/cuda_row.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::gpu {

/// For rows of different lengths, the shortest first.
template <class... Each>
struct Teams {
  /// Calls launch(Team{}) for the first team that holds a row of so many values; false when none does.
  template <class Value, class Launch>
  static bool launch(std::int64_t cols, Launch launch) {
    const auto bytes = cols * static_cast<std::int64_t>(sizeof(Value));
    return ((bytes <= Each::kBytes && (launch(Each{}), true)) || ...);
  }
  /// For Variant::unavailable, of rows of "cols" values.
  template <class Value>
  static std::optional<std::string> missing(const Params& size) {
    bool cluster = false;
    launch<Value>(size["cols"], [&]<class T>(T) { cluster = T::kCluster > 1; });
    return cluster ? lacks_sm_90(running_code()) : std::nullopt;
  }
};

template <class T, class... Arguments>
void launch_rows(std::int64_t rows, cudaStream_t stream, void (*kernel)(Arguments...),
                 std::type_identity_t<Arguments>... arguments) {
  if (T::kSharedBytes > 0)
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, T::kSharedBytes),
          "allowing a team its shared memory");
  if (T::kCluster > 8)  // any device has room for eight
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1),
          "allowing a team more than eight blocks");
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {T::kCluster, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(rows) * T::kCluster);
  config.blockDim = dim3(T::kThreads);
  config.dynamicSmemBytes = T::kSharedBytes;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = T::kCluster > 1 ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, arguments...), "launching a team a row");
}

}  // namespace aisp::gpu

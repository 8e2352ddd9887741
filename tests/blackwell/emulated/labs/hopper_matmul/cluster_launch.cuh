// SPDX-License-Identifier: Apache-2.0
/// \file
/// Launches on the emulated machine.
#pragma once

#include <stdexcept>
#include <type_traits>

#include "labs/hopper_matmul/product.cuh"

namespace aisp::hopper_matmul {

struct ClusterLaunch {
  int clusters;
  unsigned blocks, threads, shared_bytes;
  cudaStream_t stream;
};

template <class Kernel>
bool allow_shared_bytes(Kernel, unsigned) {
  return true;
}
template <class Kernel>
int clusters_at_once(Kernel, unsigned, unsigned, unsigned) {
  return emulated::kClustersAtOnce;
}

/// Returns when all is done; throws where something was wrong.
template <class... Arguments>
void launch_clusters(const ClusterLaunch& launch, void (*kernel)(Arguments...),
                     const std::type_identity_t<Arguments>&... arguments) {
  const std::string wrong = emulated::launch(
      {static_cast<unsigned>(launch.clusters), launch.blocks, launch.threads, launch.shared_bytes},
      [&] { kernel(arguments...); });
  if (!wrong.empty()) throw std::runtime_error(wrong);
}

}  // namespace aisp::hopper_matmul

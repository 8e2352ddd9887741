// SPDX-License-Identifier: Apache-2.0
/// \file
/// What CUDA adds to the language, for a compiler that does not have it: each thread of the machine is one of
/// the host's.
#pragma once

#include "tests/blackwell/machine.h"

#define __device__
#define __host__
#define __global__
#define __grid_constant__
#define __forceinline__ inline
#define __launch_bounds__(...)

struct EmulatedIndex {
  unsigned aisp::emulated::Self::* member;
  struct {
    unsigned aisp::emulated::Self::* member;
    operator unsigned() const { return aisp::emulated::self().*member; }
  } x{member};
};
inline const EmulatedIndex threadIdx{&aisp::emulated::Self::thread},
    blockIdx{&aisp::emulated::Self::block_index}, gridDim{&aisp::emulated::Self::grid};

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};

using cudaStream_t = void*;

inline void __syncwarp() {
  aisp::emulated::meet(aisp::emulated::self().block->warps[threadIdx.x / 32], "its warp");
}
inline void __syncthreads() {
  aisp::emulated::before_others("meeting the block");
  aisp::emulated::meet(aisp::emulated::self().block->meeting, "its block");
  aisp::emulated::after_others();
}
/// Only of values that are the same in all lanes.
inline int __shfl_sync(unsigned, int value, int) { return value; }

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Measures what a GPU can do at most: bandwidth by level, latency, arithmetic, launches and transfers. Each
/// ceiling is the best of several probes (grids, vector widths, unrolls, cache hints, the driver's own
/// copies, a library's algorithms) and names the one that won.
///
///   const Ceilings ceilings = measure_gpu_ceilings({}, [](double done, const std::string& what) {...});
///   const Ceiling* read = ceilings.find("read", "memory", 1);
///
/// Names, with levels: read, write, copy ("L2", "memory", and between them sets that the cache serves in
/// part: "L2+memory" up to two, "memory+L2" up to four cache sizes; read of "shared" too); latency ("L1",
/// "shared", "L2", "memory"); fma, the type, on the ordinary cores; matmul, the type, on the tensor cores,
/// and library_matmul, what cuBLASLt makes of whole matrices; launch, launch_synchronise, graph_node,
/// event_pair ("host" or "device"); h2d_pinned, h2d_pageable, d2h_pinned, d2h_pageable, bidirectional_pinned
/// ("bus"), peer_copy ("device 1"). Bandwidth counts useful bytes: a copy reads and writes, so twice its
/// array. Types are called as DType calls them; "tf32" is none of its members.
///
/// Rates of arithmetic are those of the clock that the load leaves: matrix instructions on random data lower
/// it at once (an H200's from 1980 to 1775 MHz, within 0.2 ms), and work that lasts for seconds lowers it
/// further. So matmul is a bound that a long product does not reach, and library_matmul what to compare with.
///
/// Takes about thirteen seconds on an H200 and a quarter of the free device memory, at most 8 GiB. Throws
/// CudaError or std::runtime_error that say what was attempted. Not for use beside other work on the device.
#pragma once

#include <functional>
#include <string>

#include "aisp/core/ceiling.h"

namespace aisp::cuda {

struct GpuPeakOptions {
  int device = 0;
  /// Every probe that was tried, with its own best value, as an entry of the ceiling it competed for.
  std::function<void(const Ceiling& tried)> tried = {};
};

/// `done` from 0 to 1, and what is measured now.
using GpuPeakProgress = std::function<void(double done, const std::string& what)>;

/// `hardware` is the name the driver gives to the device; the caller dates the result. `notes` has what could
/// not be measured, or not undisturbed: "library_matmul: libcublasLt.so.13 was not found in ...".
Ceilings measure_gpu_ceilings(const GpuPeakOptions& options = {}, const GpuPeakProgress& progress = {});

}  // namespace aisp::cuda

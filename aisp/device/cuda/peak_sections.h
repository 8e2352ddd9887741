// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of measure_gpu_ceilings(): each enters its ceilings into the bench and frees what it took.
#pragma once

#include "aisp/device/cuda/peak_bench.h"

namespace aisp::cuda {

void measure_memory_bandwidth(PeakBench& bench);   ///< read, write, copy of "memory"
void measure_cache_bandwidth(PeakBench& bench);    ///< read, write, copy of "L2" and what lies between
void measure_shared_bandwidth(PeakBench& bench);   ///< read of "shared"
void measure_latency(PeakBench& bench);            ///< of "L1", "shared", "L2", "memory"
void measure_arithmetic(PeakBench& bench);         ///< fma of f64 and f32
void measure_matrix_arithmetic(PeakBench& bench);  ///< matmul and library_matmul of every type
void measure_launches(PeakBench& bench);           ///< launch, launch_synchronise, graph_node, event_pair
void measure_transfers(PeakBench& bench);          ///< between host and device
void measure_peer_copies(PeakBench& bench);        ///< peer_copy, to every other device

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of the machine, for `aisp utils probe-hw`: memory by node, devices on PCIe, clocks, the limits
/// of this process, GPUs and the links between them. Topology of cores and caches: device/cpu/topology.h.
///
///   for (const Fact& fact : numa_facts()) ...   // "NUMA node0": "CPUs 0-15, 125 GiB, distances 10 21"
///
/// `root` is prepended to every path read. Takes milliseconds; nothing is changed, and no GPU is opened for
/// computing: its driver's library is asked.
#pragma once

#include <string>
#include <vector>

#include "aisp/core/record.h"

namespace aisp::probes {

std::vector<Fact> numa_facts(const std::string& root = "");
/// Displays, accelerators, networks and NVMe: what they are, the speed and width of their link now and at
/// most, and the NUMA node beside them.
std::vector<Fact> pcie_facts(const std::string& root = "");
std::vector<Fact> clock_facts(const std::string& root = "");
/// Of this process: files, locked memory, processes, CPU time by its control group.
std::vector<Fact> limit_facts(const std::string& root = "");
/// One line for each GPU's name, memory, clocks, power limit and PCIe link, and one for each peer it has
/// NVLinks to. One fact without a value where NVIDIA's library is missing.
std::vector<Fact> gpu_facts();
/// Of these what should be the same in every run: the driver and the power limits.
std::vector<Fact> lasting_gpu_facts();

}  // namespace aisp::probes

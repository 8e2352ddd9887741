// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which kernels of a module can launch kernels or graphs from the device. No record need show what they
/// launch (CUPTI 13.0 on Hopper shows nothing of it), so the code is asked: an ELF file with a graph of
/// calls, in which what launches is a function of the device's runtime.
///
///   if (const auto found = launching_kernels(cubin)) ...   // {"_Z6parentPf"}
///
/// Calls through pointers are not in that graph.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>

namespace aisp::device {

/// Functions, kernels among them, that call what launches or call somebody who does, as the linker knows
/// them. Nothing where the code cannot be read.
std::optional<std::set<std::string>> launching_kernels(std::span<const std::byte> code);

}  // namespace aisp::device

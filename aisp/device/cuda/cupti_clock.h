// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of CUPTI's records, counted from near the start of the process: nanoseconds since 1970 do not
/// fit a double to better than 256 ns.
#pragma once

#include <cstdint>

namespace aisp::cuda {

/// A time stamp of a record. 0, which is CUPTI's "unknown", stays 0; no other time becomes 0.
double on_cupti_clock(std::uint64_t stamp);

/// Now; 0 where CUPTI cannot tell.
double cupti_now_ns();

}  // namespace aisp::cuda

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Kernels of known truth, called by both harnesses through the same functions.
///
///   spin(50'000);                                 // returns after 50 us by the time-stamp counter
///   chain(x, chain_length(100e3));                // about 100 us of work that nothing can shorten
///
/// A slow-down is injected as extra links of the same chain, so its size is known exactly.
#pragma once

#include <cstdint>

namespace aisp::benchmarks {

/// Spins until `ns` have passed on the clock that both harnesses' times can be checked against.
void spin(std::int64_t ns);

/// `length` dependent multiply-adds: each waits for the one before, so time is proportional to length.
std::uint64_t chain(std::uint64_t x, std::int64_t length);

/// The length that takes about `ns` here, from the fastest of several trials.
std::int64_t chain_length(double ns);

}  // namespace aisp::benchmarks

// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device's own counts of what a call did: bytes to and from its memory, cache hits, occupancy, why warps
/// waited. Not every count fits the hardware at once, so the call is made once per pass.
///
///   if (auto why_not = reader.open({CounterGroup::traffic})) ...;
///   Counters seen = reader.measure(call, [&] { flush(); refill(); });
///   if (seen.dram_read_bytes) ...   // absent: unknown, never zero
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace aisp::device {

/// What is counted together. Fewer groups need fewer passes: traffic and time need one.
enum class CounterGroup : std::uint8_t {
  traffic,    ///< bytes read from and written to the device's memory
  time,       ///< how long the device took
  cache,      ///< hits in the last-level cache
  access,     ///< how well accesses of global memory coalesce
  occupancy,  ///< warps that were resident
  tensor,     ///< instructions, and those issued to the tensor pipe
  stalls      ///< why warps waited
};

struct Stall {
  std::string reason;
  double share = 0;  ///< of all cycles that resident warps spent, issuing included
};

struct Counters {
  std::optional<double> dram_read_bytes;
  std::optional<double> dram_write_bytes;  ///< what still lies in the cache has not been written
  std::optional<double> busy_ns;           ///< while the busiest multiprocessor held any warp
  std::optional<double> range_ns;     ///< from before the call until the device was idle: the host's part too
  std::optional<double> l2_hit_rate;  ///< 0 to 1, of sectors
  std::optional<double> load_sectors_per_request;  ///< 4: a warp reads 128 bytes in a row; 16: 512
  std::optional<double> store_sectors_per_request;
  std::optional<double> occupancy;  ///< 0 to 1, of the warps a multiprocessor can hold, while it held any
  std::optional<double> instructions;
  /// Issued to the tensor pipe. Not a count of products: plain single precision has one a warp and tile there
  /// too, 6.8e7 where wgmma needs 1.0e6 (`shared` and `one_wave` of labs/hopper_matmul, H200, 2026-11-18),
  /// presumably constants that the compiler moves by that pipe. So no report calls it use of tensor cores.
  std::optional<double> tensor_instructions;
  std::vector<Stall> stalls;  ///< largest first; empty: unknown
  int passes = 0;             ///< how often the call was made
};

/// Those that are known, by the names above, then "stall: REASON" with its share.
std::vector<std::pair<std::string, double>> named(const Counters& counters);

class CounterReader {
 public:
  virtual ~CounterReader() = default;

  /// Why these cannot be counted, or nothing.
  virtual std::optional<std::string> open(const std::vector<CounterGroup>& groups) = 0;

  /// Makes the call once per pass; whatever it queues, on any stream, is counted until the device is idle.
  /// `before_pass` runs before each and is not counted. Throws where the device refuses.
  virtual Counters measure(const std::function<void()>& call,
                           const std::function<void()>& before_pass = {}) = 0;
};

}  // namespace aisp::device

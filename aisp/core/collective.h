// SPDX-License-Identifier: Apache-2.0
/// \file
/// Collective work: every rank gets inputs the others cannot see, every rank's output is checked, and the
/// time is from the release of the first rank to the completion of the last. These are the types a collective
/// workload is written against; running one needs a rank launcher, and `aisp run` says so where there is
/// none.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "aisp/core/call.h"

namespace aisp {

/// What ranks exchange messages through; implemented by the launcher (MPI, NCCL, shared memory).
class Exchange {
 public:
  virtual ~Exchange() = default;
  virtual void send(int to, std::span<const std::byte> message) = 0;
  virtual void receive(int from, std::span<std::byte> message) = 0;
  virtual void barrier() = 0;
};

class CollectiveCall : public Call {
 public:
  CollectiveCall(const Parts& parts, int rank, int ranks, Exchange& exchange)
      : Call(parts), rank_(rank), ranks_(ranks), exchange_(exchange) {}
  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  Exchange& exchange() { return exchange_; }

 private:
  int rank_;
  int ranks_;
  Exchange& exchange_;
};

using CollectiveFunction = std::function<void(CollectiveCall&)>;

}  // namespace aisp

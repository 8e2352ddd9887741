// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/round_order.h"

#include <algorithm>
#include <utility>

#include "aisp/core/rng.h"

namespace aisp::harness {

std::vector<Slot> round_order(const Turns& turns, const Seed& seed, int local_round) {
  std::vector<Slot> order;
  for (const auto& contestant : turns.contestants) {
    if (local_round / 2 % contestant->opened->every != 0) continue;
    order.push_back({contestant.get(), false});
    if (contestant.get() == turns.twice) order.push_back({contestant.get(), true});
  }
  if (turns.ceiling) order.push_back({nullptr, false});
  Rng rng(seed.stream("order", local_round / 2));
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[rng.below(i)]);
  if (local_round % 2 == 1) std::ranges::reverse(order);
  return order;
}

}  // namespace aisp::harness

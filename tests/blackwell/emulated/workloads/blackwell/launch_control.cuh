// SPDX-License-Identifier: Apache-2.0
/// \file
/// Launch control, emulated: clusters that have not started yet are the machine's.
#pragma once

#include <cstring>

#include "workloads/blackwell/tensor_memory.cuh"
#include "workloads/hopper/cluster.cuh"

namespace aisp::blackwell {

constexpr unsigned kAnswerBytes = 16;
constexpr int kNothingLeft = -1;

struct alignas(16) Answer {
  std::uint64_t parts[2];
};

/// The answer comes by the engine that loads, to `blocks` blocks of the cluster.
inline void answer_later(unsigned blocks, Answer& answer, hopper::Barrier& given) {
  forbid(emulated::self().nothing_left, "asks after it was told that nothing is left");
  emulated::Block* block = emulated::self().block;
  block->loads->ask([=, to = hopper::shared_address(&answer), barrier = given.address()] {
    emulated::self().block = block;
    const int first = emulated::take_waiting_cluster();
    for (unsigned rank = 0; rank < blocks; ++rank) {
      std::memcpy(emulated::place_of((to & 0xffffff) | rank << 24), &first, sizeof first);
      emulated::monitor().change(
          [&] { hopper::counter_at((barrier & 0xffffff) | rank << 24).count(-std::int64_t{kAnswerBytes}); });
    }
  });
}
inline void ask_for_cluster(Answer& answer, hopper::Barrier& given) { answer_later(1, answer, given); }
inline void ask_for_all_blocks(Answer& answer, hopper::Barrier& given) { answer_later(2, answer, given); }

inline int given_block(const Answer& answer) {
  int first;
  std::memcpy(&first, &answer, sizeof first);
  emulated::self().nothing_left = first == kNothingLeft;
  return first;
}

}  // namespace aisp::blackwell

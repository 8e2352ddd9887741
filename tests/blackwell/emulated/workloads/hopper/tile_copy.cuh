// SPDX-License-Identifier: Apache-2.0
/// \file
/// The copy engine, emulated: it reads and writes when it comes to it.
#pragma once

#include <cstring>

#include "workloads/hopper/mbarrier.cuh"
#include "workloads/hopper/tensor_map.cuh"

namespace aisp::hopper {

inline void prefetch_map(const CUtensorMap&) {}

/// Into this block's memory, counted by a barrier anywhere in the cluster.
inline void load_tile_counted(void* to, const CUtensorMap& map, int row, int column, std::uint32_t barrier) {
  emulated::Self asked = emulated::self();
  asked.block->loads->ask([=, address = shared_address(to)] {
    emulated::self().block = asked.block;
    for_box(map, row, column, address, [](const std::uint16_t* from, std::uint32_t place) {
      const std::uint16_t value = from != nullptr ? *from : std::uint16_t{0};
      std::memcpy(emulated::place_of(place), &value, sizeof value);
    });
    emulated::monitor().change([&] { counter_at(barrier).count(-std::int64_t{map.box_rows} * 128); });
  });
}
inline void load_tile(void* to, const CUtensorMap& map, int row, int column, Barrier& arrived) {
  load_tile_counted(to, map, row, column, arrived.address());
}

/// One store is one group here, as the kernels have it.
inline void store_tile(const CUtensorMap& map, int row, int column, const void* from) {
  emulated::Self& asked = emulated::self();
  ++asked.stores_asked;
  asked.block->stores->ask(
      [=, block = asked.block, read = asked.stores_read, address = shared_address(from)] {
        emulated::self().block = block;
        for_box(map, row, column, address, [](std::uint16_t* to, std::uint32_t place) {
          if (to != nullptr) std::memcpy(to, emulated::place_of(place), sizeof *to);
        });
        emulated::monitor().change([&] {
          ++read->count;
          read->changed.notify_all();
        });
      });
}
inline void end_store_group() {}
template <int kGroups>
void wait_until_read() {
  const emulated::Self& mine = emulated::self();
  emulated::monitor().wait(
      mine.stores_read->changed, [&] { return mine.stores_read->count >= mine.stores_asked - kGroups; },
      "its stores");
}
inline void wait_until_stored() { wait_until_read<0>(); }

}  // namespace aisp::hopper

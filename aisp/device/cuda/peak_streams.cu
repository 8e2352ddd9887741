// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak_streams.h"

#include <utility>

#include "aisp/device/cuda/peak_bulk.cuh"

namespace aisp::cuda {
namespace {

const char* text(Hint hint) {
  if (hint == Hint::streaming) return ", streaming";
  return hint == Hint::past_l1 ? ", past L1" : "";
}

/// `waves`: how often the device can be filled with the grid's blocks; 0 = a block for every tile.
template <Way kWay, class Vector, Hint kHint, int kUnroll>
StreamProbe tiles(const DeviceFacts& facts, unsigned threads, unsigned waves) {
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, stream_tiles<kWay, Vector, kHint, kUnroll>,
                                                      static_cast<int>(threads), 0),
        "asking how many blocks fit on a multiprocessor");
  const unsigned grid = static_cast<unsigned>(facts.processors * resident) * waves;
  const std::string blocks = waves == 0 ? "a block a tile" : std::to_string(grid) + " blocks";
  return {.name = std::to_string(sizeof(Vector)) + " bytes, " + std::to_string(kUnroll) + " at once" +
                  text(kHint) + ", " + blocks + " of " + std::to_string(threads),
          .tile_bytes = sizeof(Vector) * kUnroll * threads,
          .run = [=](Stretch stretch, cudaStream_t stream) {
            const unsigned blocks = grid == 0 ? static_cast<unsigned>(stretch.tiles) : grid;
            stream_tiles<kWay, Vector, kHint, kUnroll><<<blocks, threads, 0, stream>>>(stretch);
            check_launch("launching a kernel that moves data");
          }};
}

template <Way kWay>
StreamProbe bulk(const DeviceFacts& facts, unsigned chunk_bytes, unsigned blocks_per_processor) {
  const unsigned blocks = static_cast<unsigned>(facts.processors) * blocks_per_processor;
  const unsigned shared = chunk_bytes * kBulkStages;
  return {.name = "bulk copies of " + std::to_string(chunk_bytes >> 10) + " KiB, " + std::to_string(blocks) +
                  " blocks",
          .tile_bytes = chunk_bytes,
          .run = [=](Stretch stretch, cudaStream_t stream) {
            check(cudaFuncSetAttribute(bulk_tiles<kWay>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(shared)),
                  "allowing bulk copies their shared memory");
            bulk_tiles<kWay><<<blocks, 128, shared, stream>>>(stretch, chunk_bytes);
            check_launch("launching a kernel of bulk copies");
          }};
}

template <Way kWay>
void add_bulk(std::vector<StreamProbe>& probes, const DeviceFacts& facts) {
  if (facts.code < 900) return;
  for (const auto& [kib, blocks] : {std::pair(8u, 4u), {8u, 6u}, {16u, 2u}, {16u, 3u}, {32u, 1u}})
    probes.push_back(bulk<kWay>(facts, kib << 10, blocks));
}

template <Way kWay, class Vector, Hint kHint, int... kUnrolls>
void add(std::vector<StreamProbe>& probes, const DeviceFacts& facts, std::initializer_list<unsigned> threads,
         std::initializer_list<unsigned> waves) {
  for (const unsigned block : threads) {
    for (const unsigned wave : waves) {
      (probes.push_back(tiles<kWay, Vector, kHint, kUnrolls>(facts, block, wave)), ...);
    }
  }
}

template <Way kWay>
std::vector<StreamProbe> for_memory(const DeviceFacts& facts) {
  std::vector<StreamProbe> probes;
  add<kWay, uint4, Hint::plain, 1, 2, 4, 8>(probes, facts, {256, 512}, {1, 4, 0});
  add<kWay, uint4, Hint::streaming, 1, 2, 4, 8>(probes, facts, {256, 512}, {1, 4, 0});
  add<kWay, uint4, Hint::past_l1, 2, 4, 8>(probes, facts, {256, 512}, {1, 0});
  add<kWay, uint2, Hint::plain, 4, 8>(probes, facts, {512}, {1, 0});
  add<kWay, std::uint32_t, Hint::plain, 8>(probes, facts, {512}, {1, 0});
  add_bulk<kWay>(probes, facts);
  return probes;
}

template <Way kWay>
std::vector<StreamProbe> for_cache(const DeviceFacts& facts) {
  std::vector<StreamProbe> probes;
  // All blocks at once: those of a second wave would begin when the first have made all passes over their
  // half.
  add<kWay, uint4, Hint::past_l1, 1, 2, 4, 8>(probes, facts, {256, 512, 1024}, {1});
  add_bulk<kWay>(probes, facts);
  return probes;
}

}  // namespace

std::vector<StreamProbe> memory_probes(Way way, const DeviceFacts& facts) {
  if (way == Way::read) return for_memory<Way::read>(facts);
  return way == Way::write ? for_memory<Way::write>(facts) : for_memory<Way::copy>(facts);
}

std::vector<StreamProbe> cache_probes(Way way, const DeviceFacts& facts) {
  if (way == Way::read) return for_cache<Way::read>(facts);
  return way == Way::write ? for_cache<Way::write>(facts) : for_cache<Way::copy>(facts);
}

Candidate candidate(PeakBench& bench, const StreamProbe& probe, Way way, Stretch stretch, std::size_t bytes) {
  stretch.tiles = bytes / probe.tile_bytes;
  stretch.rotation %= stretch.tiles;
  const double moved = static_cast<double>(stretch.tiles * probe.tile_bytes) * stretch.passes;
  return {
      .probe = probe.name,
      .amount = way == Way::copy ? 2 * moved : moved,
      .time_ns = bench.on_device([run = probe.run, stretch](cudaStream_t stream) { run(stretch, stream); })};
}

}  // namespace aisp::cuda

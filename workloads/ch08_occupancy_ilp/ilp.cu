// SPDX-License-Identifier: Apache-2.0
// Instruction-level parallelism on a GPU                     chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          a thread should have several independent instructions on their way: loads that do not
//                    wait for the chain, then pieces of the chain itself.
// What bounds it:    12 bytes and one multiply-add a step. 16,384 channels x 1000 steps are 197 MB: 46 µs at
//                    the 4.32 TB/s an H200 copies. 16,384 threads are 4 warps a multiprocessor: when each
//                    waits for memory before its next step, nobody works.
// What to look for:  loads in flight for each warp, and sectors for each request: 32 for a warp whose lanes
//                    are 4000 bytes apart.
// Where it stops:    at memory. A channel can also be cut into stretches whose products are combined later,
//                    but that rounds in another order: where drives nearly cancel it was off by 1.3 times
//                    what the reference allows.
#include "workloads/ch08_occupancy_ilp/ilp.h"

#include <cuda_pipeline.h>

#include "aisp/core/ladder.h"
#include "workloads/cuda_launch.cuh"
#include "workloads/cuda_reduce.cuh"

namespace aisp::ilp {
namespace {

constexpr int kThreads = 128;

// ---- The problem and the reference: ilp.h; reference on the device ---------------------------------
__global__ void recur_in_double(const float* decay, const float* drive, double* state, double* scale,
                                std::int64_t channels, std::int64_t steps) {
  const std::int64_t channel = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (channel >= channels) return;
  double h = 0, bound = 0;
  for (std::int64_t i = channel * steps; i < (channel + 1) * steps; ++i) {
    const double kept = decay[i] * h;
    h = kept + drive[i];
    bound = fabs(decay[i]) * bound + fabs(kept) + fabs(h);
    state[i] = h;
    scale[i] = bound;
  }
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto channels = call.params["channels"];
  recur_in_double<<<gpu::blocks_for(channels, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kDecay).data, call.input<float>(kDrive).data, call.outputs[kState].value,
      call.outputs[kState].scale, channels, call.params["steps"]);
  gpu::check_launch("recurrences by reference");
}

// ---- Baseline: a thread a channel, step after step -------------------------------------------------
// The compiler cannot ask for the next step's inputs before this step's state is stored: for all it knows
// that is where they lie.
__global__ void __launch_bounds__(kThreads)
    recur_by_steps(const float* decay, const float* drive, float* state, std::int64_t channels, int steps) {
  const std::int64_t channel = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (channel >= channels) return;
  const std::int64_t first = channel * steps;
  float h = 0;
  for (int t = 0; t < steps; ++t) {
    h = fmaf(decay[first + t], h, drive[first + t]);
    state[first + t] = h;
  }
}

// ---- The idea --------------------------------------------------------------------------------------
// Only the multiply-adds of a channel depend on each other; its inputs do not. So ask for those of the next
// eight steps, 16 bytes at a time, before the eight at hand are worked off: the chain then never waits for
// memory, and a quarter of the requests does.
//
// A thread's requests still go to 32 different lines a warp, and what it may have on its way is limited by
// its registers. Shared memory has room for more: a warp asks for tiles of 32 channels by 32 steps, three
// tiles ahead, in whole lines and behind its back (cp.async). Its lanes then walk along the tile's rows, each
// with its own channel, leave the states there, and the warp writes them in whole lines. Every channel is
// still worked off in order: the results are the baseline's bit by bit.

// ---- Optimised 1: eight steps ahead ----------------------------------------------------------------
template <class Piece>
constexpr int kWidth = sizeof(Piece) / sizeof(float);

__device__ float advanced(float decay, float drive, float& h) { return h = fmaf(decay, h, drive); }
__device__ float4 advanced(float4 decay, float4 drive, float& h) {
  float4 states;
  states.x = h = fmaf(decay.x, h, drive.x);
  states.y = h = fmaf(decay.y, h, drive.y);
  states.z = h = fmaf(decay.z, h, drive.z);
  states.w = h = fmaf(decay.w, h, drive.w);
  return states;
}

template <class Piece>
__global__ void __launch_bounds__(kThreads)
    recur_ahead(const Piece* decay, const Piece* drive, Piece* state, std::int64_t channels, int steps) {
  constexpr int kAhead = 8 / kWidth<Piece>;
  const int pieces = steps / kWidth<Piece>;
  const std::int64_t channel = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (channel >= channels) return;
  decay += channel * pieces, drive += channel * pieces, state += channel * pieces;
  Piece next_decay[kAhead], next_drive[kAhead];
  const auto ask = [&](int from) {
#pragma unroll
    for (int k = 0; k < kAhead; ++k) {
      if (from + k >= pieces) continue;
      next_decay[k] = decay[from + k];
      next_drive[k] = drive[from + k];
    }
  };
  ask(0);
  float h = 0;
  for (int p = 0; p < pieces; p += kAhead) {
    Piece at_decay[kAhead], at_drive[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) at_decay[k] = next_decay[k], at_drive[k] = next_drive[k];
    ask(p + kAhead);
#pragma unroll
    for (int k = 0; k < kAhead; ++k)
      if (p + k < pieces) state[p + k] = advanced(at_decay[k], at_drive[k], h);
  }
}

// ---- Optimised 2: tiles through shared memory, three ahead -----------------------------------------
constexpr int kSide = gpu::kLanes;  ///< channels and steps of a tile
constexpr int kTiles = 4;           ///< of a warp: one at work, three on their way

/// Rows of 36 words, or 33: lanes that walk along rows, 16 bytes or one word at a time, find different banks.
template <class Piece>
struct Tile {
  static constexpr int kPieces = kSide / kWidth<Piece>, kPitch = kPieces + 1;
  Piece decay[kSide][kPitch], drive[kSide][kPitch];
};

/// A warp a block, 32 channels.
template <class Piece>
__global__ void __launch_bounds__(gpu::kLanes)
    recur_in_tiles(const Piece* decay, const Piece* drive, Piece* state, std::int64_t channels, int steps) {
  using Of = Tile<Piece>;
  __shared__ Of tiles[kTiles];
  const int lane = gpu::lane_index(), pieces = steps / kWidth<Piece>;
  const std::int64_t first = std::int64_t{blockIdx.x} * kSide;
  const int rows = static_cast<int>(min(std::int64_t{kSide}, channels - first));
  const int count = (pieces + Of::kPieces - 1) / Of::kPieces;
  decay += first * pieces, drive += first * pieces, state += first * pieces;
  // Which piece of a tile is this lane's i-th when the warp goes through it in whole lines.
  const auto each = [&](int number, auto f) {
#pragma unroll 8
    for (int i = lane; i < kSide * Of::kPieces; i += gpu::kLanes) {
      const int row = i / Of::kPieces, column = i % Of::kPieces, at = number * Of::kPieces + column;
      if (row < rows && at < pieces) f(row, column, std::int64_t{row} * pieces + at);
    }
  };
  const auto ask = [&](int number) {
    Of& tile = tiles[number % kTiles];
    if (number < count) {
      each(number, [&](int row, int column, std::int64_t at) {
        __pipeline_memcpy_async(&tile.decay[row][column], decay + at, sizeof(Piece));
        __pipeline_memcpy_async(&tile.drive[row][column], drive + at, sizeof(Piece));
      });
    }
    __pipeline_commit();
  };
  for (int t = 0; t < kTiles - 1; ++t) ask(t);
  float h = 0;
  for (int t = 0; t < count; ++t) {
    ask(t + kTiles - 1);
    __pipeline_wait_prior(kTiles - 1);
    __syncwarp();
    Of& tile = tiles[t % kTiles];
#pragma unroll
    for (int p = 0; p < Of::kPieces; ++p)
      tile.drive[lane][p] = advanced(tile.decay[lane][p], tile.drive[lane][p], h);
    __syncwarp();
    each(t, [&](int row, int column, std::int64_t at) { state[at] = tile.drive[row][column]; });
    __syncwarp();  // before the tile is filled again
  }
}

template <class Piece>
using Kernel = void (*)(const Piece*, const Piece*, Piece*, std::int64_t, int);
/// A thread a channel. Sixteen bytes at a time where all rows begin and end at multiples of that, else value
/// by value.
template <Kernel<float4> wide, Kernel<float> narrow, int kChannels>
void by_pieces(const Call& call) {
  const auto channels = call.params()["channels"], steps = call.params()["steps"];
  const float *decay = call.input<float>(kDecay).data, *drive = call.input<float>(kDrive).data;
  float* state = call.output<float>(kState).data;
  const unsigned blocks = gpu::blocks_for(channels, kChannels);
  const cudaStream_t stream = gpu::stream_of(call);
  if constexpr (wide != nullptr) {
    if (steps % 4 == 0) {
      wide<<<blocks, kChannels, 0, stream>>>(
          reinterpret_cast<const float4*>(decay), reinterpret_cast<const float4*>(drive),
          reinterpret_cast<float4*>(state), channels, static_cast<int>(steps));
      return gpu::check_launch("recurrences, four steps a piece");
    }
  }
  narrow<<<blocks, kChannels, 0, stream>>>(decay, drive, state, channels, static_cast<int>(steps));
  gpu::check_launch("recurrences");
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch08/ilp",
    .device = DeviceKind::cuda,
    .axes = {{.name = "channels", .values = {16384}, .small = 19},
             {.name = "steps", .values = {1000, 4000}, .quick = {1000}, .small = 37}},
    .reference = reference_on_device,
    .variants = {{.name = "one_step",
                  .run = CallFunction(by_pieces<nullptr, recur_by_steps, kThreads>),
                  .note = "a thread a channel, step after step"},
                 {.name = "ahead",
                  .run = CallFunction(by_pieces<recur_ahead<float4>, recur_ahead<float>, kThreads>),
                  .note = "inputs of eight steps asked for ahead, 16 bytes at a time"},
                 {.name = "tiles",
                  .run = CallFunction(by_pieces<recur_in_tiles<float4>, recur_in_tiles<float>, kSide>),
                  .note = "tiles of 32 channels by 32 steps, three ahead in shared memory"}},
}};

}  // namespace
}  // namespace aisp::ilp

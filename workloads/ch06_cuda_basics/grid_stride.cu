// SPDX-License-Identifier: Apache-2.0
// Grid stride on a GPU                                                   chapter 6, CUDA basics
//
// The idea:          as many blocks as the device holds at once, each walking through the data in steps of
//                    the whole grid: what a block sets up is set up once.
// What bounds it:    5 bytes a value: a code read, a float written. 256 M values are 1.34 GB: 285 µs at
//                    the 4.71 TB/s an H200 writes.
// What to look for:  instructions and barriers a value. A block that decodes 256 values and fetches a table
//                    of 256 for it does as much for the table as for the values.
// Where it stops:    not between 16 M and 256 M values (2.8 and 2.6 times). Blocks with nothing to set up
//                    have only the wider accesses to gain.
#include "workloads/ch06_cuda_basics/grid_stride.h"

#include <cstdint>

#include "aisp/core/ladder.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::grid_stride {
namespace {

constexpr int kThreads = 256;

// ---- The problem and the reference: grid_stride.h; the reference on the device ---------------------
__global__ void decode_in_double(const std::uint8_t* codes, const float* table, double* y, std::int64_t n) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < n) y[i] = table[codes[i]];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto codes = call.input<std::uint8_t>(kCodes);
  decode_in_double<<<gpu::blocks_for(codes.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      codes.data, call.input<float>(kTable).data, call.outputs[kY].value, codes.size);
  gpu::check_launch("decoding by reference");
}

// ---- Baseline: a value a thread, the table in shared memory ----------------------------------------
/// The same kernel for both: the grid decides how far a thread has to walk.
__global__ void __launch_bounds__(kThreads)
    decode(const std::uint8_t* codes, const float* table, float* y, std::int64_t n) {
  __shared__ float entries[kEntries];
  entries[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < n; i += step)
    y[i] = entries[codes[i]];
}

void launch_decode(const Call& call, unsigned blocks) {
  const auto codes = call.input<std::uint8_t>(kCodes);
  decode<<<blocks, kThreads, 0, gpu::stream_of(call)>>>(codes.data, call.input<float>(kTable).data,
                                                        call.output<float>(kY).data, codes.size);
  gpu::check_launch("decoding");
}

void block_a_tile(const Call& call) {
  launch_decode(call, gpu::blocks_for(call.input<std::uint8_t>(kCodes).size, kThreads));
}

// ---- The idea --------------------------------------------------------------------------------------
// Nothing says that a grid must have a thread for each value. Ask how many blocks a multiprocessor holds,
// launch exactly these, and let each thread go on by the width of the grid until the data ends. Neighbours
// stay neighbours in every step, any grid is right for any n, and the table is fetched a thousand times
// instead of a million. Once a thread does several values anyway, it can take four of them in one access.

// ---- Optimised 1: blocks that fit, in strides of the grid ------------------------------------------
/// As many blocks of the kernel as run at the same time, on all multiprocessors together.
template <class Kernel>
unsigned full_wave(Kernel kernel) {
  int resident = 0;
  gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kThreads, 0),
             "asking how many blocks fit on a multiprocessor");
  return gpu::processors() * static_cast<unsigned>(resident);
}

void wave(const Call& call) {
  static const unsigned blocks = full_wave(decode);
  launch_decode(call, blocks);
}

// ---- Optimised 2: four codes an access, four accesses at once --------------------------------------
__global__ void __launch_bounds__(kThreads)
    decode_vectors(const std::uint8_t* codes, const float* table, float* y, std::int64_t n) {
  __shared__ float entries[kEntries];
  entries[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads, count = n / 4;
  const std::int64_t first = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  constexpr int kAtOnce = 4;
  for (std::int64_t i = first; i < count; i += kAtOnce * step) {
    uchar4 four[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * step < count) four[k] = __ldcs(reinterpret_cast<const uchar4*>(codes) + i + k * step);
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k)
      if (i + k * step < count)
        __stcs(reinterpret_cast<float4*>(y) + i + k * step,
               float4{entries[four[k].x], entries[four[k].y], entries[four[k].z], entries[four[k].w]});
  }
  if (first < n % 4) y[4 * count + first] = entries[codes[4 * count + first]];
}

void wave_vectors(const Call& call) {
  static const unsigned blocks = full_wave(decode_vectors);
  const auto codes = call.input<std::uint8_t>(kCodes);
  decode_vectors<<<blocks, kThreads, 0, gpu::stream_of(call)>>>(codes.data, call.input<float>(kTable).data,
                                                                call.output<float>(kY).data, codes.size);
  gpu::check_launch("decoding vectors");
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch06/grid_stride",
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {1 << 28}, .small = 34571}},
    .reference = reference_on_device,
    .variants = {{.name = "block_a_tile", .run = block_a_tile, .note = "a value a thread, a table a block"},
                 {.name = "wave", .run = wave, .note = "as many blocks as fit, in strides of the grid"},
                 {.name = "wave_vectors",
                  .run = wave_vectors,
                  .note = "four codes an access, four accesses at once"}},
}};

}  // namespace
}  // namespace aisp::grid_stride

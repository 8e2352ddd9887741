// SPDX-License-Identifier: Apache-2.0
// Matrix product on a GPU                                        chapter 9, arithmetic intensity
//
// The idea:          use every number that is fetched as often as possible: in registers first, then in
//                    shared memory.
// What bounds it:    2 n^3 flops on 12 n^2 bytes. n = 4096 is 137 GFlop: 2.1 ms at the 66 TFLOP/s an H200
//                    has in single precision; its 201 MB take 46 µs.
// What to look for:  multiply-adds for each load: one for two loads in the baseline; 64 for four loads of 16
//                    bytes with 8 x 8 elements a thread, 128 for six with 16 x 8. Then "dispatch" among what
//                    warps wait for: operands that are not read from their registers in time.
// Where it stops:    at 0.94 to 0.97 of the speed of cuBLASLt on an H200, which waits for operands half as
//                    often. ch09/tf32x3 does the same sums on the tensor cores, with a smaller error.
#include "workloads/ch09_arithmetic_intensity/sgemm.h"

#include "aisp/core/ladder.h"
#include "workloads/ch09_arithmetic_intensity/sgemm_cublaslt.cuh"
#include "workloads/ch09_arithmetic_intensity/sgemm_reference.cuh"
#include "workloads/ch09_arithmetic_intensity/sgemm_tiles.cuh"
#include "workloads/cuda_launch.cuh"

namespace aisp::sgemm {
namespace {

// ---- The problem and the reference: sgemm.h; the reference on the device: sgemm_reference.cuh ------
void reference_on_device(const DeviceReferenceCall& call) {
  multiply_by_reference(call.input<float>(kA).data, call.input<float>(kB).data, call.outputs[kC],
                        call.params["n"], gpu::stream_of(call));
}

Matrices matrices_of(const Call& call) {
  return {call.input<float>(kA).data, call.input<float>(kB).data, call.output<float>(kC).data,
          static_cast<int>(call.params()["n"])};
}

// ---- Baseline: a thread an element of C, operands from the caches ----------------------------------
constexpr int kSide = 32;  ///< of a block: a warp has a row of it

__global__ void __launch_bounds__(kSide* kSide) multiply_elements(const Matrices m) {
  const int i = static_cast<int>(blockIdx.y * kSide + threadIdx.y);
  const int j = static_cast<int>(blockIdx.x * kSide + threadIdx.x);
  if (i >= m.n || j >= m.n) return;
  float sum = 0;
  for (int k = 0; k < m.n; ++k) sum += m.a[std::int64_t{i} * m.n + k] * m.b[std::int64_t{k} * m.n + j];
  m.c[std::int64_t{i} * m.n + j] = sum;
}

// ---- The idea --------------------------------------------------------------------------------------
// Shared memory gives a multiprocessor 32 values a clock, its multipliers take 256. So what a thread has read
// must serve many multiply-adds: with r x c elements of C in registers, r + c values serve r c of them. 8 x 8
// gives 4 for a value; 16 x 8 gives 5.3, at the price of 128 registers for sums: half as many threads, each
// with twice as much to do while it waits.
//
// With so few threads nobody may wait for memory. Stages of 8 or 16 steps along k are asked for two or three
// stages ahead and arrive in shared memory behind the threads' backs (cp.async), and the values of the next
// step are loaded before those of this one are used. One barrier a stage.
//
// Then registers are what is short: a multiply-add takes three operands, and they can be read at two a clock,
// one of an even and one of an odd number. But an operand that the instruction before had in the same place
// need not be read again. Going down the columns of its share, a thread keeps a value of B for sixteen
// multiply-adds, and the compiler finds registers for the other two operands that do not meet.

// ---- Optimised 1: tiles in shared memory -----------------------------------------------------------
__global__ void __launch_bounds__(kSide* kSide) multiply_shared(const Matrices m) {
  __shared__ float of_a[kSide][kSide], of_b[kSide][kSide];
  const int x = static_cast<int>(threadIdx.x), y = static_cast<int>(threadIdx.y), n = m.n;
  const int i = static_cast<int>(blockIdx.y) * kSide + y, j = static_cast<int>(blockIdx.x) * kSide + x;
  float sum = 0;
  for (int first = 0; first < n; first += kSide) {
    of_a[y][x] = i < n && first + x < n ? m.a[std::int64_t{i} * n + first + x] : 0;
    of_b[y][x] = first + y < n && j < n ? m.b[std::int64_t{first + y} * n + j] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kSide; ++k) sum += of_a[y][k] * of_b[k][x];
    __syncthreads();  // all have used the tile
  }
  if (i < n && j < n) m.c[std::int64_t{i} * n + j] = sum;
}

template <void (*kernel)(Matrices)>
void thread_an_element(const Call& call) {
  const Matrices m = matrices_of(call);
  const dim3 grid(gpu::blocks_for(m.n, kSide), gpu::blocks_for(m.n, kSide)), block(kSide, kSide);
  kernel<<<grid, block, 0, gpu::stream_of(call)>>>(m);
  gpu::check_launch("multiplying, a thread an element");
}

// ---- Optimised 2 and 3: 8 x 8 elements a thread, then 16 x 8 ---------------------------------------
template <class S>
void tiles(const Call& call) {
  multiply_in_tiles<S>(matrices_of(call), gpu::stream_of(call));
}

/// Which tile is best depends on the device: `aisp tune` tries.
void tiles_16x8(const Call& call) {
  const bool deep = call.params()["depth"] == 16;
  if (call.params()["rows"] == 128) {
    if (deep) return tiles<Shape<128, 128, 16, 16, 3>>(call);
    return tiles<Shape<128, 128, 16, 8, 4>>(call);
  }
  if (deep) return tiles<Shape<256, 128, 16, 16, 3>>(call);
  return tiles<Shape<256, 128, 16, 8, 4>>(call);
}

// ---- Anchor: cuBLASLt ------------------------------------------------------------------------------
std::shared_ptr<void> prepare_library(const Setup& setup) {
  return std::make_shared<LibrarySgemm>(setup.params["n"]);
}
void library(const Call& call) {
  const Matrices m = matrices_of(call);
  call.plan<LibrarySgemm>().run(m.a, m.b, m.c, gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: a multiple of four, as 16-byte accesses need, and of no tile.
const LadderRegistration registered{{
    .workload = "ch09/sgemm",
    .device = DeviceKind::cuda,
    .axes = {{.name = "n", .values = {2048, 4096, 8192}, .quick = {4096}, .small = 204}},
    .reference = reference_on_device,
    .variants = {{.name = "element",
                  .run = CallFunction(thread_an_element<multiply_elements>),
                  .note = "a thread an element, operands from the caches"},
                 {.name = "shared",
                  .run = CallFunction(thread_an_element<multiply_shared>),
                  .note = "32 x 32 tiles in shared memory"},
                 {.name = "tile_8x8",
                  .run = CallFunction(tiles<Shape<128, 128, 8, 8, 4>>),
                  .note = "8 x 8 elements a thread, stages by cp.async"},
                 {.name = "tile_16x8",
                  .run = CallFunction(tiles_16x8),
                  .note = "16 x 8 elements a thread: fewer loads, and two registers read for a multiply-add",
                  .tunables = {{.name = "rows", .values = {128, 256}, .fallback = 256},
                               {.name = "depth", .values = {8, 16}, .fallback = 16}}},
                 {.name = "cublasLt",
                  .run = library,
                  .note = "cuBLASLt in single precision throughout, the fastest it proposes",
                  .prepare = prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = no_cublaslt}},
}};

}  // namespace
}  // namespace aisp::sgemm

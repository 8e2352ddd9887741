// SPDX-License-Identifier: Apache-2.0
// Coalescing                                                            chapter 7, memory access
//
// The idea:          neighbouring threads touch neighbouring addresses: a warp's access is then a few lines.
// What bounds it:    8 bytes a value, read once and written once. 16384 x 4096 values are 537 MB: 124 µs at
//                    the 4.32 TB/s an H200 copies.
// What to look for:  sectors for each request. A warp that walks down a column touches 32 lines with every
//                    instruction and uses 4 of each sector's 32 bytes; the rest must survive in a cache until
//                    a neighbour comes for it.
// Where it stops:    not between 2 M and 67 M values (12 and 11 times). A cache that keeps the lines saves
//                    bytes from memory, not accesses to that cache.
#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::coalescing {
namespace {

enum { kX, kBias };
enum { kY };
constexpr int kThreads = 256;

// ---- The problem: y[r][c] = x[r][c] + bias[c] ------------------------------------------------------
Problem problem(const Params& p) {
  const auto rows = p["rows"], cols = p["cols"];
  const auto count = static_cast<double>(rows * cols);
  return {
      .tensors = {input<float>("x", {rows, cols}, {uniform(-1, 1), wide_range(-20, 20)}),
                  input<float>("bias", {cols}, {uniform(-1, 1), wide_range(-20, 20)}),
                  output<float>("y", {rows, cols}, roundings(DType::f32, 1))},
      .work = {.bytes = 8 * count + 4 * static_cast<double>(cols), .items = count, .traffic = Traffic::copy}};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX), bias = call.input<float>(kBias);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = double{x[i]} + bias[i % bias.size];
}

__global__ void add_in_double(const float* x, const float* bias, double* y, std::int64_t count,
                              std::int64_t cols) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) y[i] = double{x[i]} + bias[i % cols];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX), bias = call.input<float>(kBias);
  add_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, bias.data, call.outputs[kY].value, x.size, bias.size);
  gpu::check_launch("adding a bias by reference");
}

// ---- Baseline: a thread a value, column after column -----------------------------------------------
// As the loops would stand in a language that stores columns; here rows are contiguous.
__global__ void add_down_columns(const float* x, const float* bias, float* y, unsigned rows, unsigned cols) {
  const unsigned blocks = (rows + kThreads - 1) / kThreads;  // to a column
  const unsigned r = blockIdx.x % blocks * kThreads + threadIdx.x, c = blockIdx.x / blocks;
  if (r < rows) y[std::int64_t{r} * cols + c] = x[std::int64_t{r} * cols + c] + bias[c];
}

// ---- The idea --------------------------------------------------------------------------------------
// The 32 threads of a warp run one instruction, and memory serves it in sectors of 32 bytes and lines of
// 128. Threads 4 bytes apart need one line for all; threads a row apart need 32 lines, for the same 128
// bytes. Only the assignment of values to threads changes: the row index moves to the block, the column to
// the thread. Since every thread now has a fixed neighbourhood, four values fit one access of 16 bytes.

// ---- Optimised 1: along the rows -------------------------------------------------------------------
__global__ void add_along_rows(const float* x, const float* bias, float* y, unsigned rows, unsigned cols) {
  const unsigned c = blockIdx.y * kThreads + threadIdx.x, r = blockIdx.x;
  if (c < cols) y[std::int64_t{r} * cols + c] = x[std::int64_t{r} * cols + c] + bias[c];
}

void columns(const Call& call) {
  const auto rows = call.params()["rows"], cols = call.params()["cols"];
  const unsigned blocks = gpu::blocks_for(rows, kThreads) * static_cast<unsigned>(cols);
  add_down_columns<<<blocks, kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.input<float>(kBias).data, call.output<float>(kY).data,
      static_cast<unsigned>(rows), static_cast<unsigned>(cols));
  gpu::check_launch("adding a bias down the columns");
}

void rows(const Call& call) {
  const auto cols = call.params()["cols"];
  const dim3 grid(static_cast<unsigned>(call.params()["rows"]), gpu::blocks_for(cols, kThreads));
  add_along_rows<<<grid, kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.input<float>(kBias).data, call.output<float>(kY).data, grid.x,
      static_cast<unsigned>(cols));
  gpu::check_launch("adding a bias along the rows");
}

// ---- Optimised 2: sixteen bytes a thread -----------------------------------------------------------
__global__ void add_vectors(const float4* x, const float4* bias, float4* y, unsigned vectors) {
  const unsigned c = blockIdx.y * kThreads + threadIdx.x;
  if (c >= vectors) return;
  const std::int64_t at = std::int64_t{blockIdx.x} * vectors + c;
  const float4 a = x[at], b = __ldg(bias + c);
  y[at] = {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w};
}

void vectors(const Call& call) {
  const auto cols = call.params()["cols"];
  if (cols % 4 != 0) return rows(call);  // rows do not begin at multiples of 16 bytes
  const dim3 grid(static_cast<unsigned>(call.params()["rows"]), gpu::blocks_for(cols / 4, kThreads));
  add_vectors<<<grid, kThreads, 0, gpu::stream_of(call)>>>(
      reinterpret_cast<const float4*>(call.input<float>(kX).data),
      reinterpret_cast<const float4*>(call.input<float>(kBias).data),
      reinterpret_cast<float4*>(call.output<float>(kY).data), static_cast<unsigned>(cols / 4));
  gpu::check_launch("adding a bias in vectors");
}

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch07/coalescing",
    .title = "Coalescing",
    .idea = "Let neighbouring threads touch neighbouring addresses.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "coalescing"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {16384}, .small = 67},
             {.name = "cols", .values = {4096}, .small = 205}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "columns", .run = columns, .note = "a warp down a column: 32 lines an access"},
                 {.name = "rows", .run = rows, .note = "a warp along a row: one line an access"},
                 {.name = "vectors",
                  .run = vectors,
                  .note = "16 bytes a thread (cols a multiple of 4, else rows)"}},
}};

}  // namespace
}  // namespace aisp::coalescing

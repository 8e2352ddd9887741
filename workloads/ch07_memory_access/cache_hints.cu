// SPDX-License-Identifier: Apache-2.0
// Cache hints                                                           chapter 7, memory access
//
// The idea:          tell the cache what will be needed again and what will not, so that a stream does not
//                    wash out a table.
// What bounds it:    36 bytes of stream for each row: an index and four floats read, four written. 16 M rows
//                    are 604 MB: 140 µs at the 4.32 TB/s an H200 copies. The table, 34 MB, needs to come from
//                    memory once: 7 µs. Each lookup that misses brings a sector of 32 bytes again: 16 M of
//                    them are 537 MB, as much as x and y together.
// What to look for:  the hit rate of the L2, and bytes read from memory beyond x, the indices and the table.
// Where it stops:    a table of a few MB stays by itself, it is used so often; one of more than the L2 (60 MB
//                    on an H200) cannot stay whatever it is told. And what is told to leave last is still
//                    there after the call, in the way of whoever comes next.
#include <algorithm>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::cache_hints {
namespace {

enum { kX, kIndices, kTable };
enum { kY };
constexpr int kThreads = 256, kCols = 4;

// ---- The problem: y[r][c] = table[index[r]] * x[r][c], rows of four scaled by what they belong to --
Problem problem(const Params& p) {
  const auto rows = p["rows"], entries = p["entries"];
  const auto count = static_cast<double>(rows);
  return {
      .tensors = {input<float>("x", {rows, kCols}, {uniform(-1, 1), wide_range(-20, 20)}),
                  input<std::int32_t>("indices", {rows}, {integers(0, entries - 1)}),
                  input<float>("table", {entries}, {uniform(0.5, 2), wide_range(-20, 20)}),
                  output<float>("y", {rows, kCols}, roundings(DType::f32, 1))},
      .work = {
          .bytes = 36 * count + 4 * static_cast<double>(entries), .items = count, .traffic = Traffic::copy}};
}

// ---- Reference -------------------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<float>(kX), table = call.input<float>(kTable);
  const auto indices = call.input<std::int32_t>(kIndices);
  for (std::int64_t i = 0; i < x.size; ++i)
    call.outputs[kY].value[static_cast<std::size_t>(i)] = double{table[indices[i / kCols]]} * x[i];
}

__global__ void scale_in_double(const float* x, const std::int32_t* indices, const float* table, double* y,
                                std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) y[i] = double{table[indices[i / kCols]]} * x[i];
}

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  scale_in_double<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, call.input<std::int32_t>(kIndices).data, call.input<float>(kTable).data, call.outputs[kY].value,
      x.size);
  gpu::check_launch("scaling rows by reference");
}

// ---- What all rungs share: a row a thread; they differ in how memory is asked ----------------------
/// Access has load(stream), look_up(table) and store(stream).
template <class Access>
__global__ void __launch_bounds__(kThreads) scale_rows(const float4* x, const std::int32_t* indices,
                                                       const float* table, float4* y, std::int64_t rows) {
  const std::int64_t r = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (r >= rows) return;
  const Access access;
  const std::int32_t index = access.load(indices + r);
  const float4 a = access.load(x + r);
  const float factor = access.look_up(table + index);
  access.store(y + r, float4{factor * a.x, factor * a.y, factor * a.z, factor * a.w});
}

template <class Access>
void scale(const Call& call) {
  const auto indices = call.input<std::int32_t>(kIndices);
  scale_rows<Access><<<gpu::blocks_for(indices.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      reinterpret_cast<const float4*>(call.input<float>(kX).data), indices.data,
      call.input<float>(kTable).data, reinterpret_cast<float4*>(call.output<float>(kY).data), indices.size);
  gpu::check_launch("scaling rows");
}

// ---- Baseline: no hints ----------------------------------------------------------------------------
struct Plain {
  template <class T>
  __device__ T load(const T* from) const {
    return *from;
  }
  __device__ float look_up(const float* from) const { return *from; }
  __device__ void store(float4* to, float4 value) const { *to = value; }
};

// ---- The idea --------------------------------------------------------------------------------------
// A cache keeps what was used last, and to it a sector of x that nobody will ask for again is as good as one
// of the table. Between two uses of a sector of the table (one of 1 M), 1 M rows go by on average: 38 MB of
// stream beside the 34 MB of the table itself, more than the L2 has room for.
//
// A load or a store can say what it is. `cs`, for streaming: let this go first. Lookups then find the table,
// since the stream only turns out itself. Finer: a policy, a number made by an instruction of its own, goes
// along with each access and says in which order lines leave the L2. First for the stream, last for the
// table; and the stream takes no place in the L1 either.

// ---- Optimised 1: streaming accesses ---------------------------------------------------------------
struct Streaming {
  template <class T>
  __device__ T load(const T* from) const {
    return __ldcs(from);
  }
  __device__ float look_up(const float* from) const { return *from; }
  __device__ void store(float4* to, float4 value) const { __stcs(to, value); }
};

// ---- Optimised 2: policies for the L2 --------------------------------------------------------------
struct Policies {
  std::uint64_t first, last;  ///< to leave the L2

  __device__ Policies() {
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(last));
  }
  __device__ std::int32_t load(const std::int32_t* from) const {
    std::int32_t value;
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.s32 %0, [%1], %2;"
        : "=r"(value)
        : "l"(from), "l"(first));
    return value;
  }
  __device__ float4 load(const float4* from) const {
    float4 value;
    asm("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
        : "=f"(value.x), "=f"(value.y), "=f"(value.z), "=f"(value.w)
        : "l"(from), "l"(first));
    return value;
  }
  __device__ float look_up(const float* from) const {
    float value;
    asm("ld.global.nc.L2::cache_hint.f32 %0, [%1], %2;" : "=f"(value) : "l"(from), "l"(last));
    return value;
  }
  __device__ void store(float4* to, float4 value) const {
    asm volatile("st.global.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;"
                 :
                 : "l"(to), "f"(value.x), "f"(value.y), "f"(value.z), "f"(value.w), "l"(first)
                 : "memory");
  }
};

// ---- Registration ----------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch07/cache_hints",
    .title = "Cache hints",
    .idea = "Tell the cache what will be needed again and what will not.",
    .bound = Bound::memory,
    .tags = {"bandwidth", "cache", "gather"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {1 << 24}, .small = 10007},
             {.name = "entries", .values = {1 << 23}, .small = 1021}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "plain", .run = CallFunction(scale<Plain>), .note = "all accesses alike"},
                 {.name = "streaming",
                  .run = CallFunction(scale<Streaming>),
                  .note = "the stream is marked as not needed again"},
                 {.name = "policies",
                  .run = CallFunction(scale<Policies>),
                  .note = "the stream leaves the L2 first, the table last"}},
}};

}  // namespace
}  // namespace aisp::cache_hints

// SPDX-License-Identifier: Apache-2.0
// Attention of one query: decoding                                    chapter 18, decode kernels, KV cache
//
// The idea:          read the keys and values once, with all of memory's bandwidth: cut them into equal parts
//                    for all blocks, and let the queries that share them share the reading.
// What bounds it:    bytes. A token's keys and values are 4 KB (8 heads of 128, bf16); 32 sequences of 4096
//                    are 537 MB, 124 µs at the 4.32 TB/s an H200 copies. The arithmetic, 2 flops a byte and
//                    query, is small.
// What to look for:  bytes in flight. A multiprocessor must have some 40 KB on their way at all times; and
//                    every block must end at the same time.
// Where it stops:    at what does not shrink with the work: starting, the first answer of memory, and putting
//                    parts together are some 10 µs.
#include <algorithm>
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/ch18_decode_kernels/decode_packed.cuh"
#include "workloads/ch18_decode_kernels/decode_ring.cuh"
#include "workloads/ch18_decode_kernels/flash_decode.h"
#include "workloads/cuda_reduce.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::decode {
namespace {

// ---- The problem and the reference: flash_decode.h -------------------------------------------------------

/// A block a query, a thread a dimension: scores by sums over the block, key after key. Two passes, the first
/// for the maximum.
__global__ void __launch_bounds__(kDim) decode_in_double(Decode d, double* value, double* scale) {
  __shared__ double q[kDim];
  __shared__ double scores[kDim];
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t query = blockIdx.x, head = query / d.group * d.context * kDim;
  q[t] = __bfloat162float(d.q[query * kDim + t]);
  double max = -1e300, total = 0, sum = 0, squares = 0;
  for (int first = 0; first < d.context; first += kDim) {
    __syncthreads();
    if (first + t < d.context) {  // a thread has a key
      double score = 0;
      for (int i = 0; i < kDim; ++i)
        score += q[i] * __bfloat162float(d.k[head + std::int64_t{first + t} * kDim + i]);
      scores[t] = score / sqrt(double{kDim});
    }
    __syncthreads();
    const int count = min(kDim, d.context - first);
    double most = max;
    for (int j = 0; j < count; ++j) most = fmax(most, scores[j]);
    const double keep = exp(max - most);
    max = most;
    total *= keep;
    sum *= keep;
    squares *= keep * keep;
    __syncthreads();
    if (t < count) scores[t] = exp(scores[t] - max);
    __syncthreads();
    for (int j = 0; j < count; ++j) {
      const double term = scores[j] * __bfloat162float(d.v[head + std::int64_t{first + j} * kDim + t]);
      total += scores[j];
      sum += term;
      squares += term * term;
    }
  }
  value[query * kDim + t] = sum / total;
  scale[query * kDim + t] = sqrt(squares) / total;
}

const Bf16* values_of(const BFloat16* x) { return reinterpret_cast<const Bf16*>(x); }

void reference_on_device(const DeviceReferenceCall& call) {
  const Decode d{values_of(call.input<BFloat16>(kQ).data), values_of(call.input<BFloat16>(kK).data),
                 values_of(call.input<BFloat16>(kV).data), nullptr,
                 static_cast<int>(items_of(call.params)),  static_cast<int>(call.params["group"]),
                 static_cast<int>(call.params["context"])};
  decode_in_double<<<static_cast<unsigned>(d.items * d.group), kDim, 0, gpu::stream_of(call)>>>(
      d, call.outputs[kO].value, call.outputs[kO].scale);
  gpu::check_launch("attention of one query by reference");
}

// ---- What the rungs keep between calls -------------------------------------------------------------------
using Shape = RingShape<6, 1>;

struct Plan {
  int split, packed;  ///< parts of an item for the second and the third rung
  gpu::Memory<float> values;
  gpu::Memory<Softened> softened;
  gpu::Memory<unsigned> finished;
};

Decode sizes_of(const Params& p) {
  return {nullptr,
          nullptr,
          nullptr,
          nullptr,
          static_cast<int>(items_of(p)),
          static_cast<int>(p["group"]),
          static_cast<int>(p["context"])};
}

std::shared_ptr<void> prepare(const Setup& setup) {
  const Decode d = sizes_of(setup.params);
  Plan plan{};
  plan.split = parts_for(d, std::int64_t{d.items} * d.group, 8);
  plan.packed = parts_for(d, d.items, 6);
  const std::int64_t slots = std::max<std::int64_t>({std::int64_t{d.items} * d.group * plan.split,
                                                     std::int64_t{d.items} * d.group * plan.packed,
                                                     std::int64_t{2} * ranges_of<Shape>(d).blocks * d.group});
  plan.values = gpu::memory_for<float>(static_cast<std::size_t>(slots * kDim));
  plan.softened = gpu::memory_for<Softened>(static_cast<std::size_t>(slots));
  plan.finished = gpu::memory_for<unsigned>(static_cast<std::size_t>(d.items));
  return std::make_shared<Plan>(std::move(plan));
}

Decode decode_of(const Call& call) {
  Decode d = sizes_of(call.params());
  d.q = values_of(call.input<BFloat16>(kQ).data);
  d.k = values_of(call.input<BFloat16>(kK).data);
  d.v = values_of(call.input<BFloat16>(kV).data);
  d.o = reinterpret_cast<Bf16*>(call.output<BFloat16>(kO).data);
  return d;
}
Parts parts_of(const Plan& plan) { return {plan.values.get(), plan.softened.get()}; }

// ---- Baseline: a block a head ----------------------------------------------------------------------------
void block_a_head(const Call& call) { launch_by_lanes(decode_of(call), 1, {}, gpu::stream_of(call)); }

// ---- The idea --------------------------------------------------------------------------------------------
// 1. One new token a sequence is few queries, and a block a query may leave most of the chip idle. Parts of a
//    softmax can be put together afterwards (Softened), so the keys of one head may be cut for many blocks.
// 2. Four queries share a head of keys and values. In one block they read it once; the products of four
//    queries by a tile are work for tensor cores, which have nothing else to do here.
// 3. What remains is memory: a warp that does nothing but ask for tiles keeps a ring of six of them, 192 KB a
//    multiprocessor, on their way or in use. All tiles of all heads are one row, cut into equal ranges, so
//    all blocks end together however many heads there are. The last block of a head puts its parts together,
//    as in ch07/reduction, instead of a second launch.

// ---- Optimised 1: parts of the keys, combined by a second launch -----------------------------------------
void split(const Call& call) {
  const auto& plan = call.plan<Plan>();
  launch_by_lanes(decode_of(call), plan.split, parts_of(plan), gpu::stream_of(call));
}

// ---- Optimised 2: the queries of a head of keys together, on tensor cores --------------------------------
void packed(const Call& call) {
  const auto& plan = call.plan<Plan>();
  launch_packed(decode_of(call), plan.packed, parts_of(plan), gpu::stream_of(call));
}

// ---- Optimised 3: a ring of tiles, equal ranges, one launch ----------------------------------------------
void ring(const Call& call) {
  const auto& plan = call.plan<Plan>();
  launch_ring<Shape>(decode_of(call), parts_of(plan), plan.finished.get(), gpu::stream_of(call));
}

// ---- Registration ----------------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch18/flash_decode",
    .device = DeviceKind::cuda,
    .axes = {{.name = "tokens",
              .values = {1 << 16, 1 << 17, 1 << 18, 1 << 19},
              .quick = {1 << 17},
              .small = 3 * 777},
             {.name = "context", .values = {4096, 8192, 65536}, .quick = {4096}, .small = 777},
             {.name = "kv_heads", .values = {8}, .small = 2},
             {.name = "group", .values = {4}, .small = 3, .most = kGroup}},
    .reference = reference_on_device,
    .variants = {{.name = "block_a_head", .run = block_a_head, .note = "a block a query, half a warp a key"},
                 {.name = "split",
                  .run = split,
                  .note = "parts of the keys for many blocks, combined by a second launch",
                  .prepare = prepare},
                 {.name = "packed",
                  .run = packed,
                  .note = "queries that share keys in one block, by mma.sync",
                  .prepare = prepare},
                 {.name = "ring",
                  .run = ring,
                  .note = "TMA ring, equal ranges for all blocks, the last one combines",
                  .prepare = prepare,
                  .unavailable = gpu::needs_sm_90}},
}};

}  // namespace
}  // namespace aisp::decode

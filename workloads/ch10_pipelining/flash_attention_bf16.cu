// SPDX-License-Identifier: Apache-2.0
// Flash attention of bf16 on Hopper                                     chapter 10, pipelining and tiles
//
// The idea:          never hold the score matrix, and have one warpgroup soften while another multiplies.
// What bounds it:    4 dim flops a query and key on tensor cores, and one exp on units that do 16 a clock and
//                    multiprocessor: with 128 dimensions products take twice as long as exps, with 64 equally
//                    long. 16384 tokens in 2 sequences, 16 heads of 128, are 1.1 TFlop: 1.4 ms at the
//                    790 TFLOP/s that an H200 does within its power.
// What to look for:  how busy the tensor cores are while scores are softened.
// Where it stops:    at the chip's power with 128 dimensions; at exps, maxima and sums with 64.
//
// What the rungs do is in headers beside this file: attention_plain, attention_mma, attention_wgmma.
#include <cstdint>

#include "aisp/aisp.h"
#include "workloads/anchors/cudnn_attention.h"
#include "workloads/ch10_pipelining/attention_mma.cuh"
#include "workloads/ch10_pipelining/attention_plain.cuh"
#include "workloads/ch10_pipelining/attention_problem.h"
#include "workloads/ch10_pipelining/attention_reference.cuh"
#include "workloads/ch10_pipelining/attention_wgmma.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::attention {
namespace {

// ---- The problem and the reference: attention_problem.h, attention_reference.cuh -------------------------
const Bf16* values_of(const BFloat16* x) { return reinterpret_cast<const Bf16*>(x); }

Attention sizes_of(const Params& p) {
  return {nullptr,
          nullptr,
          nullptr,
          nullptr,
          static_cast<int>(batch_of(p)),
          static_cast<int>(heads_of(p)),
          static_cast<int>(p["kv_heads"]),
          static_cast<int>(p["seq"]),
          static_cast<int>(p["dim"]),
          p["causal"] != 0};
}

void reference_on_device(const DeviceReferenceCall& call) {
  Attention a = sizes_of(call.params);
  a.q = values_of(call.input<BFloat16>(kQ).data);
  a.k = values_of(call.input<BFloat16>(kK).data);
  a.v = values_of(call.input<BFloat16>(kV).data);
  launch_in_double(a, call.outputs[kO].value, call.outputs[kO].scale, gpu::stream_of(call));
}

Attention attention_of(const Call& call) {
  Attention a = sizes_of(call.params());
  a.q = values_of(call.input<BFloat16>(kQ).data);
  a.k = values_of(call.input<BFloat16>(kK).data);
  a.v = values_of(call.input<BFloat16>(kV).data);
  a.o = reinterpret_cast<Bf16*>(call.output<BFloat16>(kO).data);
  return a;
}

/// All but the baseline fetch pieces of 16 bytes.
std::optional<std::string> unaligned(const Params& size) {
  if (size["dim"] % 8 != 0) return "takes heads whose rows begin at multiples of 16 bytes only";
  return std::nullopt;
}

// ---- Baseline: three kernels, scores in memory -----------------------------------------------------------
std::shared_ptr<void> prepare_scores(const Setup& setup) {
  return std::make_shared<Scores>(
      scores_for(setup.params["seq"], batch_of(setup.params) * heads_of(setup.params)));
}
void three_kernels(const Call& call) {
  const Attention a = attention_of(call);
  const auto run = a.dim % 8 != 0 ? (a.dim > 64 ? launch_plain<128, false> : launch_plain<64, false>)
                                  : (a.dim > 64 ? launch_plain<128, true> : launch_plain<64, true>);
  run(a, call.plan<Scores>(), gpu::stream_of(call));
}

// ---- The idea --------------------------------------------------------------------------------------------
// 1. The scores of a tile are sums in registers, and as weights they are at once the input of the second
//    product: nothing of them is written anywhere (ch10/flash_attention has why that can be right).
// 2. wgmma reads keys and values from where the copy engine put them, for 64 queries at once, and weights
//    from the registers that hold them.
// 3. Products and exps are done by different units. To have both busy, a warpgroup queues the next tile's
//    scores before this tile's values and softens the first while the second runs; and two warpgroups take
//    turns, so that between them there is always a product to do.
// 4. With a mask tiles of queries differ in length. Blocks stay and take the longest left, and only the
//    tiles on the diagonal are masked at all.

// ---- Optimised 1: online softmax, by mma.sync ------------------------------------------------------------
void tiled(const Call& call) {
  const Attention a = attention_of(call);
  (a.dim > 64 ? launch_tiled<128> : launch_tiled<64>)(a, gpu::stream_of(call));
}

// ---- Optimised 2 to 4: wgmma, overlapped, in turns -------------------------------------------------------
/// With 64 dimensions three warpgroups: the exps of two do not keep up with their products.
using Wide = Shape<128, 2, 128, 2>;
using Narrow = Shape<64, 3, 128, 4>;

std::shared_ptr<void> prepare_count(const Setup&) {
  return std::make_shared<gpu::Memory<unsigned>>(gpu::memory_for<unsigned>(1));
}

template <Steps kSteps, bool kStay>
void by_wgmma(const Call& call) {
  const Attention a = attention_of(call);
  unsigned* taken = kStay ? call.plan<gpu::Memory<unsigned>>().get() : nullptr;
  (a.dim > 64 ? launch<Wide, kSteps, kStay> : launch<Narrow, kSteps, kStay>)(a, taken, gpu::stream_of(call));
}

// ---- Anchor: the library ---------------------------------------------------------------------------------
std::shared_ptr<void> prepare_library(const Setup& setup) {
  const Params& p = setup.params;
  return std::make_shared<anchors::CudnnAttention>(anchors::CudnnAttention::Size{
      batch_of(p), heads_of(p), p["kv_heads"], p["seq"], p["dim"], p["causal"] != 0});
}
void library(const Call& call) {
  const Attention a = attention_of(call);
  call.plan<anchors::CudnnAttention>().run(a.q, a.k, a.v, a.o, call.stream());
}
std::optional<std::string> no_library(const Params& size) {
  if (const auto reason = unaligned(size)) return reason;
  return anchors::cudnn_missing();
}

// ---- Registration ----------------------------------------------------------------------------------------
const Registration registered{{
    .id = "ch10/flash_attention_bf16",
    .title = "Flash attention of bf16 on Hopper",
    .idea = "Never hold the score matrix; one warpgroup softens while another multiplies.",
    .bound = Bound::compute,
    .tags = {"attention", "tensor cores", "pipelining"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "tokens", .values = {1 << 14}, .small = 2 * 333},
             {.name = "seq", .values = {2048, 8192, 16384}, .quick = {8192}, .small = 333},
             {.name = "kv_heads", .values = {16}, .small = 2},
             {.name = "group", .values = {1}, .small = 3},
             {.name = "dim", .values = {64, 128}, .quick = {128}, .small = 72, .most = 128},
             {.name = "causal", .values = {0, 1}, .quick = {1}, .small = 1, .least = 0, .most = 1}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "three_kernels",
                  .run = three_kernels,
                  .note = "scores, softmax, weighted sum: each through memory",
                  .prepare = prepare_scores},
                 {.name = "tiled",
                  .run = tiled,
                  .note = "online softmax over tiles, by mma.sync (this and all below: dim a multiple of 8)",
                  .unavailable = unaligned},
                 {.name = "wgmma",
                  .run = CallFunction(by_wgmma<Steps::in_order, false>),
                  .note = "wgmma, TMA, a warp that fetches",
                  .unavailable = gpu::first_reason(gpu::needs_sm_90a, unaligned)},
                 {.name = "overlapped",
                  .run = CallFunction(by_wgmma<Steps::overlapped, false>),
                  .note = "softens while values are multiplied",
                  .unavailable = gpu::first_reason(gpu::needs_sm_90a, unaligned)},
                 {.name = "in_turns",
                  .run = CallFunction(by_wgmma<Steps::in_turns, true>),
                  .note = "warpgroups take turns, blocks stay and take the longest tile left",
                  .prepare = prepare_count,
                  .unavailable = gpu::first_reason(gpu::needs_sm_90a, unaligned)},
                 {.name = "cudnn",
                  .run = library,
                  .note = "cuDNN, the engine its heuristic proposes first",
                  .prepare = prepare_library,
                  .rung = Rung::anchor,
                  .unavailable = no_library}},
}};

}  // namespace
}  // namespace aisp::attention

// SPDX-License-Identifier: Apache-2.0
// Attention of one query: decoding                                    chapter 18, decode kernels, KV cache
//
// The idea:          read the keys and values once: the queries that share them are answered together, by
//                    vectors wide enough to keep up with memory, which is kept asked.
// What bounds it:    bytes, once arithmetic keeps up. A token's keys and values are 4 KB (8 heads of 128,
//                    bf16); 32768 tokens are 134 MB, 3 ms at the 45 GB/s that one core of an EPYC (Zen 5)
//                    reads. Four queries make four flops of every byte: 180 Gflop/s at that pace.
// What to look for:  instructions a key: AVX2 has 128 multiply-adds and 64 that widen keys and values,
//                    AVX-512 half of both; and whether memory is asked all the time.
// Where it stops:    at 0.64 of the speed of reading memory on one thread, 0.73 on two. Sharing alone gains
//                    nothing. Cutting one head's keys for many workers, the second rung of the GPU's ladder,
//                    is not needed: there are more heads than threads.
#include "workloads/ch18_decode_kernels/flash_decode_avx2.h"
#include "workloads/ch18_decode_kernels/flash_decode_avx512.h"
#include "workloads/ch18_decode_kernels/flash_decode_tile.h"

namespace aisp::decode {
namespace {

// ---- The problem and the reference: flash_decode.h ------------------------------------------------------
/// A head of keys and values, and the queries that share it.
struct Item {
  const BFloat16 *q, *k, *v;
  BFloat16* o;
  std::int64_t group, context;
};

struct Scratch {
  std::vector<float> scores;
  FourQueries four;
};
std::shared_ptr<void> prepare(const Setup& setup) {
  std::vector<Scratch> of_threads(static_cast<std::size_t>(setup.threads));
  for (Scratch& s : of_threads) s.scores.resize(static_cast<std::size_t>(setup.params["context"]));
  return std::make_shared<std::vector<Scratch>>(std::move(of_threads));
}

/// Every item, an equal share of them on each thread.
template <void (*answer)(const Item&, Scratch&)>
void each_item(const Call& call) {
  const auto group = call.params()["group"], context = call.params()["context"];
  const BFloat16 *q = call.input<BFloat16>(kQ).data, *k = call.input<BFloat16>(kK).data,
                 *v = call.input<BFloat16>(kV).data;
  BFloat16* o = call.output<BFloat16>(kO).data;
  const std::int64_t items = items_of(call.params());
  auto& scratch = call.plan<std::vector<Scratch>>();
  call.team().run([&](int thread, int threads) {
    for (std::int64_t i = items * thread / threads; i < items * (thread + 1) / threads; ++i) {
      const std::int64_t queries = i * group * kDim, keys = i * context * kDim;
      answer({q + queries, k + keys, v + keys, o + queries, group, context},
             scratch[static_cast<std::size_t>(thread)]);
    }
  });
}

// ---- Baseline: a query after the other ------------------------------------------------------------------
// The formula as it is written: scores, softmax, weighted sum. Each query reads all keys and values again.
void query_by_query(const Item& item, Scratch& scratch) {
  constexpr int kLanes = PlainKernels::kLanes;
  float* weight = scratch.scores.data();
  for (std::int64_t query = 0; query < item.group; ++query) {
    const BFloat16* q = item.q + query * kDim;
    float max = -HUGE_VALF, total = 0, values[kDim] = {};
    for (std::int64_t j = 0; j < item.context; ++j) {
      const BFloat16* key = item.k + j * kDim;
      float lanes[kLanes] = {};
      for (int d = 0; d < kDim; d += kLanes) {
        for (int lane = 0; lane < kLanes; ++lane)
          lanes[lane] += to_float(q[d + lane]) * to_float(key[d + lane]);
      }
      float sum = 0;
      for (const float lane : lanes) sum += lane;
      weight[j] = sum / std::sqrt(float{kDim});
      max = std::max(max, weight[j]);
    }
    for (std::int64_t j = 0; j < item.context; ++j) total += weight[j] = std::exp(weight[j] - max);
    for (std::int64_t j = 0; j < item.context; ++j) {
      for (int d = 0; d < kDim; ++d) values[d] += weight[j] * to_float(item.v[j * kDim + d]);
    }
    for (int d = 0; d < kDim; ++d) item.o[query * kDim + d] = to_bfloat16(values[d] / total);
  }
}

// ---- The idea -------------------------------------------------------------------------------------------
// 1. Four queries share a head of keys and values. Taken together, a tile of 32 keys is read from memory
//    once, widened to floats once, and multiplied by four queries.
// 2. The softmax is corrected from tile to tile, as in ch10/flash_attention. With the four weights of a key
//    side by side a query is a lane, and the largest score and the sum need no step across lanes.
// 3. While keys are scored the next ones are asked for, while values are added up the next values: memory is
//    never without a question. With both asked for during the scores alone AVX-512 took a third longer.
// A detour: an instruction that multiplies 32 pairs of 16-bit floats, so that nothing is widened and half as
// many products are left. On an EPYC (Zen 5) it is no faster than multiply-adds of floats.

void begin(FourQueries& s, const BFloat16* q, int count) {
  for (int i = 0; i < kFour; ++i) {
    for (int d = 0; d < kDim; ++d) {
      s.q_bits[i][d] = i < count ? q[i * kDim + d] : BFloat16{};
      s.q[i][d] = to_float(s.q_bits[i][d]);
    }
    std::fill_n(s.values[i], kDim, 0.0f);
    s.max[i] = -1e30f;  // finite, so that differences are numbers
    s.sum[i] = 0;
  }
}

// ---- Optimised: four queries together -------------------------------------------------------------------
template <class Kernels>
void together(const Item& item, Scratch& scratch) {
  FourQueries& s = scratch.four;
  for (std::int64_t query = 0; query < item.group; query += kFour) {
    const int count = static_cast<int>(std::min<std::int64_t>(kFour, item.group - query));
    begin(s, item.q + query * kDim, count);
    for (std::int64_t j = 0; j < item.context; j += kTileKeys) {
      const std::int64_t left = item.context - j;
      const Tile tile{item.k + j * kDim, item.v + j * kDim,
                      static_cast<int>(std::min<std::int64_t>(kTileKeys, left))};
      Kernels::score(s, tile);
      Kernels::soften(s);
      Kernels::gather(s, tile);
    }
    for (int i = 0; i < count; ++i) {
      for (int d = 0; d < kDim; ++d) item.o[(query + i) * kDim + d] = to_bfloat16(s.values[i][d] / s.sum[i]);
    }
  }
}

#if defined(__x86_64__)
std::optional<std::string> without_bf16(const Params& size) {
  if (const auto missing = simd::without_vnni(size)) return missing;
  if (__builtin_cpu_supports("avx512bf16")) return std::nullopt;
  return "this CPU has no AVX-512 BF16";
}
#endif

// ---- Registration ---------------------------------------------------------------------------------------
std::vector<Variant> variants() {
  std::vector<Variant> ladder = {{.name = "query_by_query",
                                  .run = CallFunction(each_item<query_by_query>),
                                  .note = "each query reads all keys and values",
                                  .prepare = prepare},
                                 {.name = "together",
                                  .run = CallFunction(each_item<together<PlainKernels>>),
                                  .note = "four queries read a tile of keys once",
                                  .prepare = prepare}};
#if defined(__x86_64__)
  ladder.push_back({.name = "avx2",
                    .run = CallFunction(each_item<together<Avx2Kernels>>),
                    .note = "eight lanes, memory asked ahead",
                    .prepare = prepare,
                    .unavailable = simd::without_avx2});
  ladder.push_back({.name = "avx512",
                    .run = CallFunction(each_item<together<Avx512Kernels>>),
                    .note = "sixteen lanes, 16 sums in registers",
                    .prepare = prepare,
                    .unavailable = simd::without_avx512});
  ladder.push_back({.name = "bf16",
                    .run = CallFunction(each_item<together<Bf16Kernels>>),
                    .note = "products of 16-bit floats, nothing widened",
                    .prepare = prepare,
                    .rung = Rung::informational,
                    .unavailable = without_bf16});
#endif
  return ladder;
}

const Registration registered{{
    .id = "ch18/flash_decode",
    .title = "Attention of one query: decoding",
    .idea = "Read the keys and values once, for all queries that share them, at the speed of memory.",
    .bound = Bound::memory,
    .tags = {"attention", "decode", "simd"},
    .axes = {{.name = "tokens", .values = {32768}, .quick = {4096}, .small = 3 * 77},
             {.name = "context", .values = {4096, 32768}, .quick = {4096}, .small = 77},
             {.name = "kv_heads", .values = {8}, .small = 2},
             {.name = "group", .values = {4}, .small = 3, .most = 8},
             {.name = "threads", .values = {1, 2}, .quick = {2}, .small = 2}},
    .problem = problem,
    .reference = reference,
    .variants = variants(),
}};

}  // namespace
}  // namespace aisp::decode

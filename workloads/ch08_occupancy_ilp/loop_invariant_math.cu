// SPDX-License-Identifier: Apache-2.0
// Loop-invariant mathematics on a GPU                        chapter 8, occupancy, warp efficiency, ILP
//
// The idea:          compute once what does not change, and divide by multiplying with what is known before.
// What bounds it:    8 bytes a value. 16,384 tokens x 32 heads x 128 values are 537 MB: 124 µs at the 4.32
//                    TB/s an H200 copies. A power, a sine, a cosine and two divisions of 64 bits for each
//                    pair keep its arithmetic busy for twice as long.
// What to look for:  instructions for each byte, and which pipe is busy: arithmetic in the baseline, memory
//                    in the end.
// Where it stops:    at the speed of a copy.
#include "workloads/ch08_occupancy_ilp/loop_invariant_math.h"

#include "aisp/core/ladder.h"
#include "workloads/ch08_occupancy_ilp/fast_division.h"
#include "workloads/cuda_launch.cuh"

namespace aisp::loop_invariant_math {
namespace {

constexpr int kThreads = 256;

// ---- The problem and the reference: loop_invariant_math.h; reference on the device -----------------
__global__ void turn_in_double(const float2* x, const std::int32_t* positions, double* value, double* scale,
                               std::int64_t count, std::int64_t heads, std::int64_t pairs) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const double angle = positions[i / (heads * pairs)] *
                       pow(kBase, -static_cast<double>(i % pairs) / static_cast<double>(pairs));
  const double a = x[i].x, b = x[i].y, c = cos(angle), s = sin(angle);
  value[2 * i] = a * c - b * s;
  value[2 * i + 1] = a * s + b * c;
  scale[2 * i] = scale[2 * i + 1] = (fabs(a) + fabs(b)) * (1 + angle);
}

const float2* pairs_of(const float* values) { return reinterpret_cast<const float2*>(values); }
float2* pairs_of(float* values) { return reinterpret_cast<float2*>(values); }

void reference_on_device(const DeviceReferenceCall& call) {
  const auto x = call.input<float>(kX);
  turn_in_double<<<gpu::blocks_for(x.size / 2, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      pairs_of(x.data), call.input<std::int32_t>(kPositions).data, call.outputs[kY].value,
      call.outputs[kY].scale, x.size / 2, call.params["heads"], call.params["pairs"]);
  gpu::check_launch("turning by reference");
}

__device__ float2 turned(float2 x, float angle) {
  float sine = 0, cosine = 0;
  sincosf(angle, &sine, &cosine);
  return {x.x * cosine - x.y * sine, x.x * sine + x.y * cosine};
}

// ---- Baseline: the formula for every pair, a thread each -------------------------------------------
__global__ void __launch_bounds__(kThreads)
    turn_each(const float2* x, const std::int32_t* positions, float2* y, std::int64_t count,
              std::int64_t heads, std::int64_t pairs) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::int64_t token = i / (heads * pairs), pair = i % pairs;
  const float exponent = -static_cast<float>(pair) / static_cast<float>(pairs);
  y[i] = turned(x[i], static_cast<float>(positions[token]) * powf(static_cast<float>(kBase), exponent));
}

void per_element(const Call& call) {
  const auto x = call.input<float>(kX);
  turn_each<<<gpu::blocks_for(x.size / 2, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      pairs_of(x.data), call.input<std::int32_t>(kPositions).data, pairs_of(call.output<float>(kY).data),
      x.size / 2, call.params()["heads"], call.params()["pairs"]);
  gpu::check_launch("turning pairs");
}

// ---- The idea --------------------------------------------------------------------------------------
// A GPU has no instruction that divides. By a number that is the same for all threads it need not: a
// multiplication by its reciprocal, scaled to a whole number, and a shift give the same quotient, and the two
// constants are found once on the host (fast_division.h). A power of a constant is exp2 of a product.
// Frequencies depend on the pair alone: a table of 64, which stays in the L1 cache. And the angle is that of
// the token and the pair: a thread that turns the same pair in all heads takes one sine and one cosine.

/// Where index i of `count` pairs belongs.
struct Places {
  FastDivision of_token, of_pair;  ///< by heads * pairs, by pairs
};

struct Plan {
  Places places;
  gpu::Memory<float> frequency;
};

std::shared_ptr<void> prepare(const Setup& setup) {
  const auto heads = static_cast<std::uint32_t>(setup.params["heads"]),
             pairs = static_cast<std::uint32_t>(setup.params["pairs"]);
  const std::vector<float> all = frequencies(pairs);
  Plan plan{.places = {FastDivision(heads * pairs), FastDivision(pairs)},
            .frequency = gpu::memory_for<float>(all.size())};
  gpu::check(cudaMemcpy(plan.frequency.get(), all.data(), all.size() * sizeof(float), cudaMemcpyHostToDevice),
             "storing frequencies");
  return std::make_shared<Plan>(std::move(plan));
}

/// Indices of 31 bits.
std::optional<std::string> too_many_pairs(const Params& size) {
  if (size["tokens"] * size["heads"] * size["pairs"] < std::int64_t{1} << 31) return std::nullopt;
  return "takes fewer than 2^31 pairs";
}

// ---- Optimised 1 and 2: multiplications for divisions, then exp2 for pow ---------------------------
/// `slope`: of the exponent, by pair; to the base 2 with kExp2.
template <bool kExp2>
__global__ void __launch_bounds__(kThreads)
    turn_divided(const float2* x, const std::int32_t* positions, float2* y, unsigned count, Places places,
                 float slope) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const float exponent = static_cast<float>(places.of_pair.remainder(i)) * slope;
  const float frequency = kExp2 ? exp2f(exponent) : powf(static_cast<float>(kBase), exponent);
  y[i] = turned(x[i], static_cast<float>(positions[places.of_token.quotient(i)]) * frequency);
}

template <bool kExp2>
void divided(const Call& call) {
  const auto x = call.input<float>(kX);
  const float slope = (kExp2 ? -kLogOfBase : -1) / static_cast<float>(call.params()["pairs"]);
  turn_divided<kExp2><<<gpu::blocks_for(x.size / 2, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      pairs_of(x.data), call.input<std::int32_t>(kPositions).data, pairs_of(call.output<float>(kY).data),
      static_cast<unsigned>(x.size / 2), call.plan<Plan>().places, slope);
  gpu::check_launch("turning pairs without divisions");
}

// ---- Optimised 3: one sine and cosine for all heads, frequencies from a table ----------------------
constexpr unsigned kAtOnce = 8;  ///< loads on their way

/// The cosine and sine of one pair, or of two neighbours.
struct Turn {
  float cosine, sine;
  __device__ Turn(float position, const float* frequency) {
    sincosf(position * __ldg(frequency), &sine, &cosine);
  }
  __device__ float2 operator()(float2 v) const {
    return {v.x * cosine - v.y * sine, v.x * sine + v.y * cosine};
  }
};
struct Turns {
  Turn first, second;
  __device__ Turns(float position, const float* frequency)
      : first(position, frequency), second(position, frequency + 1) {}
  __device__ float4 operator()(float4 v) const {
    const float2 low = first({v.x, v.y}), high = second({v.z, v.w});
    return {low.x, low.y, high.x, high.y};
  }
};

/// A thread a piece (a pair, or two) of a token; `pieces` of them in a head, `count` in all tokens.
template <class Piece, class Turning>
__global__ void __launch_bounds__(kThreads)
    turn_heads(const Piece* x, const std::int32_t* positions, Piece* y, unsigned count, unsigned heads,
               unsigned pieces, FastDivision by_pieces, const float* frequency) {
  const unsigned i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  const unsigned token = by_pieces.quotient(i), piece = i - token * pieces;
  const std::size_t first = std::size_t{token} * heads * pieces + piece;
  const Turning turning(static_cast<float>(positions[token]), frequency + piece * (sizeof(Piece) / 8));
  unsigned h = 0;
  for (; h + kAtOnce <= heads; h += kAtOnce) {
    Piece values[kAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k) values[k] = __ldcs(x + first + std::size_t{h + k} * pieces);
#pragma unroll
    for (unsigned k = 0; k < kAtOnce; ++k)
      __stcs(y + first + std::size_t{h + k} * pieces, turning(values[k]));
  }
  for (; h < heads; ++h) y[first + std::size_t{h} * pieces] = turning(x[first + std::size_t{h} * pieces]);
}

template <class Piece, class Turning>
void turn_all_heads(const Call& call) {
  const auto& plan = call.plan<Plan>();
  const auto tokens = call.params()["tokens"], heads = call.params()["heads"];
  const auto pieces = static_cast<unsigned>(call.params()["pairs"] / (sizeof(Piece) / 8));
  turn_heads<Piece, Turning>
      <<<gpu::blocks_for(tokens * pieces, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
          reinterpret_cast<const Piece*>(call.input<float>(kX).data),
          call.input<std::int32_t>(kPositions).data, reinterpret_cast<Piece*>(call.output<float>(kY).data),
          static_cast<unsigned>(tokens) * pieces, static_cast<unsigned>(heads), pieces, FastDivision(pieces),
          plan.frequency.get());
  gpu::check_launch("turning a pair of all heads");
}

/// Two pairs at a time where rows begin at multiples of 16 bytes.
void reused(const Call& call) {
  if (call.params()["pairs"] % 2 == 0) return turn_all_heads<float4, Turns>(call);
  turn_all_heads<float2, Turn>(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch08/loop_invariant_math",
    .device = DeviceKind::cuda,
    .axes = {{.name = "tokens", .values = {16384}, .small = 5},
             {.name = "heads", .values = {32}, .small = 11},
             {.name = "pairs", .values = {64}, .small = 19, .least = 8}},
    .reference = reference_on_device,
    .variants = {{.name = "per_element",
                  .run = per_element,
                  .note = "divisions, power, sine and cosine for every pair"},
                 {.name = "divided",
                  .run = CallFunction(divided<false>),
                  .note = "multiplications for divisions",
                  .prepare = prepare,
                  .unavailable = too_many_pairs},
                 {.name = "exp2",
                  .run = CallFunction(divided<true>),
                  .note = "and exp2 for pow",
                  .prepare = prepare,
                  .unavailable = too_many_pairs},
                 {.name = "reused",
                  .run = reused,
                  .note = "one sine and cosine for all heads, frequencies from a table",
                  .prepare = prepare,
                  .unavailable = too_many_pairs}},
}};

}  // namespace
}  // namespace aisp::loop_invariant_math

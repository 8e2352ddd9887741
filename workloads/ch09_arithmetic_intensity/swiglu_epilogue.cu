// SPDX-License-Identifier: Apache-2.0
// SwiGLU in a product's epilogue                                 chapter 9, arithmetic intensity
//
// The idea:          apply what follows a product to its sums while they are in registers; arrange the tiles
//                    so that what belongs together meets in one thread.
// What bounds it:    4 t w h flops for t tokens of width w and h hidden values. 8192 x 4096 x 8192 is 1.1
//                    TFlop: 1.4 ms at the 790 TFLOP/s an H200 does within its power. Two products that store
//                    h values of bf16 each, and a kernel that reads both and writes one, move 671 MB more:
//                    160 µs.
// What to look for:  bytes from and to memory after the products, and launches.
// Where it stops:    at the product itself: on an H200 the fused kernel takes 1.01 times as long as a
//                    product alone that stores both halves. Two exponentials a result, 16 a clock and
//                    multiprocessor, are what is left of the gate.
#include <cmath>
#include <cstdint>

#include "aisp/aisp.h"
#include "labs/hopper_matmul/rungs.cuh"
#include "workloads/ch09_arithmetic_intensity/swiglu_tiles.cuh"
#include "workloads/cuda_launch.cuh"
#include "workloads/hopper/needs.h"

namespace aisp::swiglu_epilogue {
namespace {

enum { kX, kGate, kUp };
enum { kY };
using Bf16 = __nv_bfloat16;
constexpr int kThreads = 256, kEach = 8;

// ---- The problem: y = silu(x gate^T) * (x up^T), the first half of a gated MLP ---------------------
// x is tokens x width, gate and up are hidden x width, all row-major. Weights are as large as leaves sums of
// about one.
Problem problem(const Params& p) {
  const auto tokens = p["tokens"], width = p["width"], hidden = p["hidden"];
  const double t = static_cast<double>(tokens), w = static_cast<double>(width),
               h = static_cast<double>(hidden);
  const double largest = 3 / std::sqrt(w), half = unit_roundoff(DType::bf16);
  // The reference's scale has what a rounding of either sum to bf16 does to the result.
  const Tolerance tolerance = {.relative = half,
                               .scaled = 1.5 * half,
                               .reason = "both sums and the result rounded to bf16, sums kept in f32"};
  return {.tensors = {input<BFloat16>("x", {tokens, width}, {uniform(-1, 1), wide_range(-6, 1)}),
                      input<BFloat16>("gate", {hidden, width}, {uniform(-largest, largest)}),
                      input<BFloat16>("up", {hidden, width}, {uniform(-largest, largest)}),
                      output<BFloat16>("y", {tokens, hidden}, tolerance)},
          .work = {.bytes = 2 * (t * w + 2 * h * w + t * h), .flops = 4 * t * w * h, .math = DType::bf16},
          .workspace_bytes = static_cast<std::size_t>(tokens * hidden) * 2 * sizeof(Bf16)};
}

/// One result and its scale, from both sums and the magnitudes of what was added.
struct Gated {
  double value, scale;
};
__host__ __device__ inline Gated gated(double gate, double gate_size, double up, double up_size,
                                       double width) {
  const double share = 1 / (1 + exp(-gate)), silu = gate * share;
  const double slope = fabs(share * (1 + gate * (1 - share)));
  // Sums in f32 are off by 6 sqrt(width) units of 2^-24 of what was added; in units of bf16's 2^-9:
  const double units = 6 * sqrt(width) * 0x1p-15;
  return {silu * up,
          slope * fabs(up) * (fabs(gate) + units * gate_size) + fabs(silu) * (fabs(up) + units * up_size)};
}

// ---- Reference: in double --------------------------------------------------------------------------
void reference(const ReferenceCall& call) {
  const auto x = call.input<BFloat16>(kX), gate = call.input<BFloat16>(kGate), up = call.input<BFloat16>(kUp);
  const auto width = call.params["width"], hidden = call.params["hidden"], tokens = call.params["tokens"];
  WideTensor& y = call.outputs[kY];
  y.scale.resize(y.value.size());
  for (std::int64_t t = 0; t < tokens; ++t) {
    for (std::int64_t h = 0; h < hidden; ++h) {
      double g = 0, g_size = 0, u = 0, u_size = 0;
      for (std::int64_t k = 0; k < width; ++k) {
        const double value = to_float(x[t * width + k]);
        g += value * to_float(gate[h * width + k]);
        g_size += std::fabs(value * to_float(gate[h * width + k]));
        u += value * to_float(up[h * width + k]);
        u_size += std::fabs(value * to_float(up[h * width + k]));
      }
      const Gated result = gated(g, g_size, u, u_size, static_cast<double>(width));
      y.value[static_cast<std::size_t>(t * hidden + h)] = result.value;
      y.scale[static_cast<std::size_t>(t * hidden + h)] = result.scale;
    }
  }
}

constexpr int kSide = 32;

__global__ void __launch_bounds__(kSide* kSide)
    multiply_in_double(const Bf16* x, const Bf16* gate, const Bf16* up, double* value, double* scale,
                       int tokens, int width, int hidden) {
  __shared__ float of_x[kSide][kSide + 1], of_gate[kSide][kSide + 1], of_up[kSide][kSide + 1];
  const int c = static_cast<int>(threadIdx.x), r = static_cast<int>(threadIdx.y);
  const int row = static_cast<int>(blockIdx.y) * kSide, column = static_cast<int>(blockIdx.x) * kSide;
  double g = 0, g_size = 0, u = 0, u_size = 0;
  for (int first = 0; first < width; first += kSide) {
    const auto at = [&](const Bf16* from, int line, int lines) {
      const bool inside = line < lines && first + c < width;
      return inside ? __bfloat162float(from[std::int64_t{line} * width + first + c]) : 0;
    };
    of_x[r][c] = at(x, row + r, tokens);
    of_gate[r][c] = at(gate, column + r, hidden);
    of_up[r][c] = at(up, column + r, hidden);
    __syncthreads();
    for (int k = 0; k < kSide; ++k) {
      const double by_gate = double{of_x[r][k]} * of_gate[c][k], by_up = double{of_x[r][k]} * of_up[c][k];
      g += by_gate;
      g_size += fabs(by_gate);
      u += by_up;
      u_size += fabs(by_up);
    }
    __syncthreads();
  }
  if (row + r >= tokens || column + c >= hidden) return;
  const Gated result = gated(g, g_size, u, u_size, width);
  value[std::int64_t{row + r} * hidden + column + c] = result.value;
  scale[std::int64_t{row + r} * hidden + column + c] = result.scale;
}

const Bf16* values_of(const BFloat16* values) { return reinterpret_cast<const Bf16*>(values); }

void reference_on_device(const DeviceReferenceCall& call) {
  const auto tokens = call.params["tokens"], width = call.params["width"], hidden = call.params["hidden"];
  const dim3 grid(gpu::blocks_for(hidden, kSide), gpu::blocks_for(tokens, kSide)), block(kSide, kSide);
  multiply_in_double<<<grid, block, 0, gpu::stream_of(call)>>>(
      values_of(call.input<BFloat16>(kX).data), values_of(call.input<BFloat16>(kGate).data),
      values_of(call.input<BFloat16>(kUp).data), call.outputs[kY].value, call.outputs[kY].scale,
      static_cast<int>(tokens), static_cast<int>(width), static_cast<int>(hidden));
  gpu::check_launch("gating by reference");
}

// ---- Baseline: two products, then a kernel that gates ----------------------------------------------
struct Halves {
  gpu::Memory<Bf16> gate, up;
};
std::shared_ptr<void> prepare_halves(const Setup& setup) {
  const auto count = static_cast<std::size_t>(setup.params["tokens"] * setup.params["hidden"]);
  return std::make_shared<Halves>(Halves{gpu::memory_for<Bf16>(count), gpu::memory_for<Bf16>(count)});
}

/// Eight values a thread, 16 bytes of each; the last ones one by one.
__global__ void __launch_bounds__(kThreads)
    apply_gate(const Bf16* gate, const Bf16* up, Bf16* y, std::int64_t count) {
  const auto apply = [](Bf16 g, Bf16 u) {
    return __float2bfloat16_rn(silu(__bfloat162float(g)) * __bfloat162float(u));
  };
  const std::int64_t first = (std::int64_t{blockIdx.x} * kThreads + threadIdx.x) * kEach;
  if (first + kEach <= count) {
    const uint4 of_gate = *reinterpret_cast<const uint4*>(gate + first);
    const uint4 of_up = *reinterpret_cast<const uint4*>(up + first);
    uint4 results;
#pragma unroll
    for (int i = 0; i < kEach; ++i)
      reinterpret_cast<Bf16*>(&results)[i] =
          apply(reinterpret_cast<const Bf16*>(&of_gate)[i], reinterpret_cast<const Bf16*>(&of_up)[i]);
    *reinterpret_cast<uint4*>(y + first) = results;
    return;
  }
  for (std::int64_t i = first; i < count; ++i) y[i] = apply(gate[i], up[i]);
}

struct Sizes {
  int tokens, width, hidden;
  explicit Sizes(const Params& p)
      : tokens(static_cast<int>(p["tokens"])),
        width(static_cast<int>(p["width"])),
        hidden(static_cast<int>(p["hidden"])) {}
};

/// All rows begin at multiples of 16 bytes, as the copy engine needs.
std::optional<std::string> not_aligned(const Params& p) {
  if (p["width"] % 8 == 0 && p["hidden"] % 8 == 0) return std::nullopt;
  return "takes rows that begin at multiples of 16 bytes only";
}

void separate(const Call& call) {
  const Sizes s(call.params());
  const auto& halves = call.plan<Halves>();
  const cudaStream_t stream = gpu::stream_of(call);
  const Bf16* x = values_of(call.input<BFloat16>(kX).data);
  gemm::l2_order(
      {x, values_of(call.input<BFloat16>(kGate).data), halves.gate.get(), s.tokens, s.hidden, s.width},
      stream);
  gemm::l2_order({x, values_of(call.input<BFloat16>(kUp).data), halves.up.get(), s.tokens, s.hidden, s.width},
                 stream);
  const std::int64_t count = std::int64_t{s.tokens} * s.hidden;
  apply_gate<<<gpu::blocks_for(count, kThreads * kEach), kThreads, 0, stream>>>(
      halves.gate.get(), halves.up.get(), reinterpret_cast<Bf16*>(call.output<BFloat16>(kY).data), count);
  gpu::check_launch("gating");
}

// ---- The idea --------------------------------------------------------------------------------------
// The products end with sums in registers, in single precision. Everything that needs one of them alone could
// be done there; but a result needs two, of different products. So make them one: a tile's 256 columns are
// 128 of the gate and 128 of `up`, for the same 128 columns of the result. How the columns of a tile are
// numbered is nobody's business but the kernel's: it fetches rows of both weights into one tile of B, and in
// the end column c and column c + 128 are in the same thread, 64 registers apart. One launch, and half of the
// stores of one product.

// ---- Optimised: gate and up in one tile ------------------------------------------------------------
void fused(const Call& call) {
  const Sizes s(call.params());
  constexpr unsigned kBytes = sizeof(Memory);
  static_assert(kBytes <= 227 * 1024);
  static const int at_once = gemm::clusters_at_once(multiply_gated, Sums::kCluster, gemm::kThreads, kBytes);
  const int tiles = hopper::tiles_for(s.tokens, Sums::kCluster * gemm::kTileRows) *
                    hopper::tiles_for(s.hidden, Result::kColumns);
  const auto map = [](const BFloat16* data, int rows, int columns, int box_rows) {
    return hopper::matrix_map(reinterpret_cast<const Bf16*>(data), rows, columns, box_rows);
  };
  gemm::launch_clusters(
      {std::min(tiles, at_once), Sums::kCluster, gemm::kThreads, kBytes, gpu::stream_of(call)},
      multiply_gated, map(call.input<BFloat16>(kX).data, s.tokens, s.width, gemm::kTileRows),
      map(call.input<BFloat16>(kGate).data, s.hidden, s.width, Result::kColumns),
      map(call.input<BFloat16>(kUp).data, s.hidden, s.width, Result::kColumns),
      map(call.output<BFloat16>(kY).data, s.tokens, s.hidden, gemm::kGroupRows), s.tokens, s.hidden, s.width);
}

// ---- Registration ----------------------------------------------------------------------------------
// Small: multiples of eight, as the copy engine needs, and of no tile.
const Registration registered{{
    .id = "ch09/swiglu_epilogue",
    .title = "SwiGLU in a product's epilogue",
    .idea = "Apply what follows a product to its sums while they are in registers.",
    .bound = Bound::compute,
    .tags = {"gemm", "fusion", "tensor cores"},
    .device = DeviceKind::cuda,
    .axes = {{.name = "tokens", .values = {8192}, .small = 141},
             {.name = "width", .values = {2048, 4096}, .quick = {4096}, .small = 136},
             {.name = "hidden", .values = {8192}, .small = 200}},
    .problem = problem,
    .reference = reference,
    .device_reference = reference_on_device,
    .variants = {{.name = "separate",
                  .run = separate,
                  .note = "two products, then a kernel that gates",
                  .prepare = prepare_halves,
                  .unavailable = gpu::needs_sm_90a},
                 {.name = "fused",
                  .run = fused,
                  .note = "gate and up in one tile, gated in registers",
                  .unavailable = gpu::first_reason(gpu::needs_sm_90a, not_aligned)}},
}};

}  // namespace
}  // namespace aisp::swiglu_epilogue

// SPDX-License-Identifier: Apache-2.0
// Fused residual, norm and quantisation on a GPU                 chapter 9, arithmetic intensity
//
// The idea:          do everything a row needs while it is in registers, instead of sending the whole tensor
//                    through memory once for each operation.
// What bounds it:    13 bytes a value: two floats read, one float and one byte written. 64 M values are 872
//                    MB: 202 µs at the 4.32 TB/s an H200 copies. Four kernels move at least 29 bytes a value:
//                    1.95 GB and 450 µs.
// What to look for:  bytes from memory for each kernel, and launches: a tensor of 268 MB has left the L2 when
//                    the next kernel asks for it.
// Where it stops:    rows of more than 16,384 values are read again from the caches; see ch09/softmax for
//                    teams that hold longer ones.
#include "workloads/ch09_arithmetic_intensity/fused_norm_quant.h"

#include "aisp/core/ladder.h"
#include "workloads/cuda_draw.cuh"
#include "workloads/cuda_row_teams.cuh"

namespace aisp::fused_norm_quant {
namespace {

constexpr int kThreads = 256;

// ---- The problem and the reference: fused_norm_quant.h; reference and inputs on the device ---------
/// Every thread looks at what all others found.
__device__ double block_max_in_double(double value) {
  __shared__ double all[kThreads];
  all[threadIdx.x] = value;
  __syncthreads();
  for (const double other : all) value = fmax(value, other);
  return value;
}

/// The definition, a block a row. `quantised` is left unrounded, as on the host.
__global__ void fuse_in_double(const float* x, const float* residual, const float* gain, std::int64_t cols,
                               double* hidden, double* quantised, double* scales) {
  const std::int64_t row = blockIdx.x * cols;
  double squares = 0, largest = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) {
    const double h = double{x[row + c]} + residual[row + c];
    hidden[row + c] = h;
    squares += h * h;
  }
  const double inverse = 1 / sqrt(gpu::block_sum<kThreads>(squares) / static_cast<double>(cols) + kEpsilon);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) {
    quantised[row + c] = gain[c] * hidden[row + c] * inverse;
    largest = fmax(largest, fabs(quantised[row + c]));
  }
  largest = block_max_in_double(largest);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) quantised[row + c] *= 127 / largest;
  if (threadIdx.x == 0) scales[blockIdx.x] = largest / 127;
}

void reference_on_device(const DeviceReferenceCall& call) {
  fuse_in_double<<<static_cast<unsigned>(call.params["rows"]), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.input<float>(kResidual).data, call.input<float>(kGain).data,
      call.params["cols"], call.outputs[kHidden].value, call.outputs[kQuantised].value,
      call.outputs[kScales].value);
  gpu::check_launch("norm and quantisation by reference");
}

__global__ void fill_outliers(float* x, std::int64_t count, std::int64_t cols, std::uint64_t seed) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i >= count) return;
  const std::int64_t of_row = i / cols * (cols + 1);  // the row's own word stands before those of its values
  const double row_size = exp2(gpu::uniform_at(seed, of_row, -6, 6));
  x[i] = static_cast<float>(row_size * gpu::uniform_at(seed, of_row + 1 + i % cols, -1, 1) *
                            (i % cols % 97 == 3 ? 100 : 1));
}

void draw_outliers_on_device(const DeviceDrawCall& call) {
  const auto x = call.tensor.as<float>();
  fill_outliers<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, gpu::stream_of(call)>>>(
      x.data, x.size, call.params["cols"], call.seed);
  gpu::check_launch("drawing outliers");
}

// ---- Baseline: a kernel an operation, as a graph of layers runs them -------------------------------
std::shared_ptr<void> prepare_normalised(const Setup& setup) {
  const auto count = static_cast<std::size_t>(setup.params["rows"] * setup.params["cols"]);
  return std::make_shared<gpu::Memory<float>>(gpu::memory_for<float>(count));
}

__device__ float inverse_root(float squares, std::int64_t cols) {
  return rsqrtf(squares / static_cast<float>(cols) + static_cast<float>(kEpsilon));
}
__device__ std::int8_t rounded(float value) { return static_cast<std::int8_t>(__float2int_rn(value)); }

/// A thread a value.
__global__ void add_residual(const float* x, const float* residual, float* hidden, std::int64_t count) {
  const std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) hidden[i] = x[i] + residual[i];
}

/// A block a row; so is the next one.
__global__ void normalise(const float* hidden, const float* gain, float* normalised, std::int64_t cols) {
  const std::int64_t row = blockIdx.x * cols;
  float mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) mine += hidden[row + c] * hidden[row + c];
  const float inverse = inverse_root(gpu::block_sum<kThreads>(mine), cols);
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)
    normalised[row + c] = hidden[row + c] * inverse * gain[c];
}

__global__ void find_scales(const float* normalised, float* scales, std::int64_t cols) {
  float mine = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)
    mine = fmaxf(mine, fabsf(normalised[blockIdx.x * cols + c]));
  const float largest = gpu::block_max<kThreads>(mine);
  if (threadIdx.x == 0) scales[blockIdx.x] = largest / 127;
}

/// A thread a value again: blockIdx.x is the row.
__global__ void quantise(const float* normalised, const float* scales, std::int8_t* quantised,
                         std::int64_t cols) {
  const std::int64_t c = std::int64_t{blockIdx.y} * kThreads + threadIdx.x;
  const std::int64_t at = blockIdx.x * cols + c;
  if (c < cols) quantised[at] = rounded(normalised[at] * (1 / scales[blockIdx.x]));
}

void separate(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto rows = static_cast<unsigned>(call.params()["rows"]);
  const auto x = call.input<float>(kX);
  float* hidden = call.output<float>(kHidden).data;
  float* scales = call.output<float>(kScales).data;
  float* normalised = call.plan<gpu::Memory<float>>().get();
  const cudaStream_t stream = gpu::stream_of(call);

  add_residual<<<gpu::blocks_for(x.size, kThreads), kThreads, 0, stream>>>(
      x.data, call.input<float>(kResidual).data, hidden, x.size);
  gpu::check_launch("adding the residual");
  normalise<<<rows, kThreads, 0, stream>>>(hidden, call.input<float>(kGain).data, normalised, cols);
  gpu::check_launch("normalising");
  find_scales<<<rows, kThreads, 0, stream>>>(normalised, scales, cols);
  gpu::check_launch("finding scales");
  quantise<<<dim3(rows, gpu::blocks_for(cols, kThreads)), kThreads, 0, stream>>>(
      normalised, scales, call.output<std::int8_t>(kQuantised).data, cols);
  gpu::check_launch("quantising");
}

// ---- The idea --------------------------------------------------------------------------------------
// Nothing here looks beyond its own row. So a block finishes one: it reads x and residual once, and the
// normalised values never see memory. Then a little algebra: the norm multiplies the whole row by one number,
// and quantising divides it by another that contains it, so it cancels. Only the scale needs the norm, the
// maximum can be taken of |gain * h| in the same sweep as the squares, and two sweeps remain.
//
// The second sweep still asks the caches for h. A row of 4096 floats is 1024 float4: four for each of 256
// threads, which stay in registers until the maximum is known. The squares and the maxima of all warps meet
// behind one barrier.

// ---- Optimised 1: a block a row, two sweeps --------------------------------------------------------
__global__ void two_sweeps(const float* x, const float* residual, const float* gain, float* hidden,
                           std::int8_t* quantised, float* scales, std::int64_t cols) {
  const std::int64_t row = blockIdx.x * cols;
  float my_squares = 0, my_largest = 0;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads) {
    const float h = x[row + c] + residual[row + c];
    hidden[row + c] = h;
    my_squares += h * h;
    my_largest = fmaxf(my_largest, fabsf(h * gain[c]));
  }
  const float squares = gpu::block_sum<kThreads>(my_squares);
  const float largest = gpu::block_max<kThreads>(my_largest);
  if (threadIdx.x == 0) scales[blockIdx.x] = largest * inverse_root(squares, cols) / 127;
  const float factor = 127 / largest;
  for (std::int64_t c = threadIdx.x; c < cols; c += kThreads)  // each thread reads what it wrote itself
    quantised[row + c] = rounded(hidden[row + c] * gain[c] * factor);
}

void fused(const Call& call) {
  two_sweeps<<<static_cast<unsigned>(call.params()["rows"]), kThreads, 0, gpu::stream_of(call)>>>(
      call.input<float>(kX).data, call.input<float>(kResidual).data, call.input<float>(kGain).data,
      call.output<float>(kHidden).data, call.output<std::int8_t>(kQuantised).data,
      call.output<float>(kScales).data, call.params()["cols"]);
  gpu::check_launch("norm and quantisation, a block a row");
}

// ---- Optimised 2: one sweep, the row in registers --------------------------------------------------
__device__ float total(float a, float b) { return a + b; }
__device__ float4 total(float4 a, float4 b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__device__ std::int8_t rounded_piece(float a) { return rounded(a); }
__device__ char4 rounded_piece(float4 a) { return {rounded(a.x), rounded(a.y), rounded(a.z), rounded(a.w)}; }
template <class Piece>
using Bytes = decltype(rounded_piece(Piece{}));

/// A thread has every T::kThreads-th piece of its row, at most kPieces.
template <class T, class Piece>
__global__ void __launch_bounds__(T::kThreads)
    one_sweep(const float* x, const float* residual, const float* gain, float* hidden, std::int8_t* quantised,
              float* scales, int cols) {
  constexpr int kPieces = T::kVectors * (sizeof(float4) / sizeof(Piece));
  const std::int64_t row = std::int64_t{blockIdx.x} * cols;
  const auto *from_x = reinterpret_cast<const Piece*>(x + row),
             *from_residual = reinterpret_cast<const Piece*>(residual + row),
             *factors = reinterpret_cast<const Piece*>(gain);
  auto* to_hidden = reinterpret_cast<Piece*>(hidden + row);
  auto* to_quantised = reinterpret_cast<Bytes<Piece>*>(quantised + row);
  const int count = cols / static_cast<int>(sizeof(Piece) / sizeof(float));
  const auto place = [](int piece) { return piece * T::kThreads + static_cast<int>(threadIdx.x); };

  Piece h[kPieces], added[kPieces];
#pragma unroll
  for (int p = 0; p < kPieces; ++p) {  // all loads leave before the first is needed
    h[p] = place(p) < count ? from_x[place(p)] : gpu::filled<Piece>(0);
    added[p] = place(p) < count ? from_residual[place(p)] : gpu::filled<Piece>(0);
  }
  float squares = 0, largest = 0;
#pragma unroll
  for (int p = 0; p < kPieces; ++p) {
    if (place(p) >= count) continue;
    h[p] = total(h[p], added[p]);
    to_hidden[place(p)] = h[p];
    squares += gpu::sum_of(gpu::product(h[p], h[p]));
    h[p] = gpu::product(h[p], __ldg(factors + place(p)));
    largest = fmaxf(largest, gpu::largest_of(gpu::each_of(h[p], [](float value) { return fabsf(value); })));
  }

  const float2* of_warp = gpu::share<T>(float2{gpu::warp_sum(squares), gpu::warp_max(largest)});
  squares = largest = 0;
  for (int w = 0; w < T::kWarps; ++w) {
    squares += of_warp[w].x;
    largest = fmaxf(largest, of_warp[w].y);
  }
  if (threadIdx.x == 0) scales[blockIdx.x] = largest * inverse_root(squares, cols) / 127;
  const float factor = 127 / largest;
#pragma unroll
  for (int p = 0; p < kPieces; ++p) {
    if (place(p) < count)
      to_quantised[place(p)] = rounded_piece(gpu::each_of(h[p], [&](float value) { return value * factor; }));
  }
}

using gpu::Team;
using RowTeams = gpu::Teams<Team<64, 4>, Team<128, 4>, Team<256, 4>, Team<512, 4>, Team<1024, 4>>;

void one_read(const Call& call) {
  const auto cols = call.params()["cols"];
  const auto launch = [&]<class T>(T) {
    gpu::launch_rows<T>(
        call.params()["rows"], gpu::stream_of(call),
        cols % 4 == 0 ? one_sweep<T, float4> : one_sweep<T, float>, call.input<float>(kX).data,
        call.input<float>(kResidual).data, call.input<float>(kGain).data, call.output<float>(kHidden).data,
        call.output<std::int8_t>(kQuantised).data, call.output<float>(kScales).data, static_cast<int>(cols));
  };
  if (!RowTeams::launch<float>(cols, launch)) fused(call);
}

// ---- Registration ----------------------------------------------------------------------------------
const LadderRegistration registered{{
    .workload = "ch09/fused_norm_quant",
    .device = DeviceKind::cuda,
    .axes = {{.name = "rows", .values = {16384}, .small = 5},
             {.name = "cols", .values = {4096, 8192}, .quick = {4096}, .small = 205}},
    .reference = reference_on_device,
    .draws = {{"outliers", draw_outliers_on_device}},
    .variants = {{.name = "separate",
                  .run = separate,
                  .note = "four kernels over the whole tensor",
                  .prepare = prepare_normalised},
                 {.name = "fused", .run = fused, .note = "a block a row, two sweeps"},
                 {.name = "one_read",
                  .run = one_read,
                  .note = "the row in registers (up to 16,384 values, else fused)"}},
}};

}  // namespace
}  // namespace aisp::fused_norm_quant

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/draw_kernels.h"

#include <numbers>

#include "aisp/core/rng.h"
#include "aisp/device/cuda/cuda_error.h"
#include "aisp/device/cuda/element.cuh"
#include "aisp/device/cuda/grid.cuh"

namespace aisp::cuda {
namespace {

// The host multiplies and adds in two roundings; the compiler would make one of them here. These intrinsics
// are never fused.
__device__ double scaled(double offset, double factor, double value) {
  return __dadd_rn(offset, __dmul_rn(factor, value));
}
__device__ float scaled(float offset, float factor, float value) {
  return __fadd_rn(offset, __fmul_rn(factor, value));
}

/// Rng::unit, uniform, below and the sign, of the word at a position.
struct Words {
  std::uint64_t stream;

  __device__ std::uint64_t word(std::uint64_t at) const { return random_word(stream, at); }
  __device__ double unit(std::uint64_t at) const { return static_cast<double>(word(at) >> 11) * 0x1p-53; }
  __device__ double uniform(std::uint64_t at, double low, double high) const {
    return scaled(low, high - low, unit(at));
  }
  __device__ double below(std::uint64_t at, double n) const {
    return static_cast<double>(__umul64hi(word(at), static_cast<std::uint64_t>(n)));
  }
  __device__ double sign(std::uint64_t at) const { return (word(at) >> 63) != 0 ? -1.0 : 1.0; }
};

struct Uniform {
  double low, high;
  __device__ double operator()(Words w, std::uint64_t i) const { return w.uniform(i, low, high); }
};
struct Normal {
  double mean, deviation;
  __device__ double operator()(Words w, std::uint64_t i) const {
    const double radius = sqrt(-2.0 * log(1.0 - w.unit(2 * i)));
    return scaled(mean, deviation, radius * cos(2.0 * std::numbers::pi * w.unit(2 * i + 1)));
  }
};
struct Integers {
  double low, high;
  __device__ double operator()(Words w, std::uint64_t i) const { return low + w.below(i, high - low + 1); }
};
struct WideRange {
  double low, high;
  __device__ double operator()(Words w, std::uint64_t i) const {
    return w.sign(2 * i + 1) * exp2(w.uniform(2 * i, low, high));
  }
};
/// Pairs take three words: value and sign of the first, how far the second misses its negative.
struct Cancelling {
  double magnitude;
  __device__ double operator()(Words w, std::uint64_t i) const {
    const std::uint64_t at = i / 2 * 3;
    const double first = w.uniform(at, 0.5, 1.0) * (w.sign(at + 1) * magnitude);
    return i % 2 == 0 ? first : -first * (1 + w.uniform(at + 2, -1e-3, 1e-3));
  }
};
struct Ties {
  double low, step;
  int levels;
  __device__ double operator()(Words w, std::uint64_t i) const {
    return scaled(low, step, w.below(i, levels));
  }
};
struct Skewed {
  double n, log_n;
  __device__ double operator()(Words w, std::uint64_t i) const {
    return fmin(floor(exp(w.unit(i) * log_n)) - 1, n - 1);
  }
};

template <class Value>
__global__ void fill(std::byte* data, DType type, std::uint64_t count, Words words, Value value) {
  for (std::uint64_t i = first_index(); i < count; i += index_step())
    set_element(data, type, i, value(words, i));
}

/// Two floats a word, as the host draws them.
__global__ void fill_uniform_floats(float* data, std::uint64_t count, Words words, float offset,
                                    float scale) {
  for (std::uint64_t i = first_index(); i < count; i += index_step()) {
    const std::uint64_t word = words.word(i / 2);
    const auto bits = static_cast<std::uint32_t>(i % 2 == 0 ? word >> 40 : (word >> 8) & 0xffffffu);
    data[i] = scaled(offset, scale, static_cast<float>(bits));
  }
}

template <class Value>
bool launch(const TensorView& tensor, std::uint64_t stream, Value value) {
  const auto count = static_cast<std::uint64_t>(tensor.size);
  fill<<<grid_blocks(count), kGridThreads>>>(tensor.data, tensor.dtype, count, Words{stream}, value);
  check_launch("drawing inputs");
  return true;
}

bool launch_uniform(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) {
  if (tensor.dtype != DType::f32) return launch(tensor, stream, Uniform{form.first, form.second});
  const auto count = static_cast<std::uint64_t>(tensor.size);
  fill_uniform_floats<<<grid_blocks(count), kGridThreads>>>(
      reinterpret_cast<float*>(tensor.data), count, Words{stream}, static_cast<float>(form.first),
      static_cast<float>((form.second - form.first) * 0x1p-24));
  check_launch("drawing inputs");
  return true;
}

}  // namespace

bool draw(const DrawForm& form, std::uint64_t stream, const TensorView& tensor) {
  switch (form.kind) {
    case DrawForm::Kind::by_host:
      return false;
    case DrawForm::Kind::uniform:
      return launch_uniform(form, stream, tensor);
    case DrawForm::Kind::normal:
      return launch(tensor, stream, Normal{form.first, form.second});
    case DrawForm::Kind::integers:
      return launch(tensor, stream, Integers{form.first, form.second});
    case DrawForm::Kind::wide_range:
      return launch(tensor, stream, WideRange{form.first, form.second});
    case DrawForm::Kind::cancelling:
      return launch(tensor, stream, Cancelling{form.first});
    case DrawForm::Kind::ties:
      return launch(tensor, stream,
                    Ties{form.first, form.levels > 1 ? (form.second - form.first) / (form.levels - 1) : 0,
                         form.levels});
    case DrawForm::Kind::skewed:
      return launch(tensor, stream, Skewed{form.first, std::log(form.first + 1)});
  }
  return false;
}

}  // namespace aisp::cuda

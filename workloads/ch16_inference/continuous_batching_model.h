// SPDX-License-Identifier: Apache-2.0
/// \file
/// The small model that the variants of continuous_batching serve: one square integer layer whose weights are
/// read from memory once per step, however many requests share the step.
///
///   TinyModel model(dim, batch);                       // rows for at most `batch` requests
///   model.start(slot, prompt);
///   model.step(weights, slots);                        // one token for every listed slot
///   emit(model.token(slot));
///
/// Integers of bounded size are summed without overflow, so a request's tokens do not depend on who shares
/// its batch, nor on the width of the vector unit. Not a language model: it has the cost of one, not the
/// sense.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "aisp/core/simd_level.h"

namespace aisp::continuous_batching {

inline constexpr std::int32_t kVocabulary = 4096;
inline constexpr std::int64_t kMaxDim = 4096;  ///< 127 * 4095 * 4096 < 2^31: a row's sum fits int32

/// The embedding is arithmetic instead of a table, to keep the weights the only large thing in memory.
inline std::int32_t embed(std::int32_t token, std::int64_t k) {
  const std::uint32_t mixed =
      (static_cast<std::uint32_t>(token) * 2654435761u + static_cast<std::uint32_t>(k)) * 2246822519u;
  return static_cast<std::int32_t>(mixed >> 20) - 2048;  // [-2048, 2047]
}
/// Squeezes a row's sum into 12 bits; the wrap-around is the model's only non-linearity.
inline std::int16_t activate(std::int32_t sum) {
  return static_cast<std::int16_t>(((sum >> 6) & 0xfff) - 2048);
}
inline std::int32_t pick_token(std::int64_t sum_of_hidden) {
  return static_cast<std::int32_t>((sum_of_hidden % kVocabulary + kVocabulary) % kVocabulary);
}

/// One row of weights against the inputs of N slots: the row is loaded once for all of them, and GCC turns
/// the sums into multiply-add-pairs of whatever width the caller may use.
template <int N>
[[gnu::always_inline]] inline void row_times(const std::int16_t* row, const std::int16_t* x,
                                             std::int16_t* next, const int* slots, std::int64_t dim) {
  const std::int16_t* in[N];
  std::int32_t sum[N] = {};
  for (int i = 0; i < N; ++i) in[i] = x + slots[i] * dim;
  for (std::int64_t k = 0; k < dim; ++k) {
    for (int i = 0; i < N; ++i) sum[i] += std::int32_t{row[k]} * in[i][k];
  }
  for (int i = 0; i < N; ++i) next[slots[i] * dim] = activate(sum[i]);
}
/// next[slot][r] = activate(sum_k weights[r][k] * x[slot][k]) for every listed slot; weights are read once.
[[gnu::always_inline]] inline void layer(const std::int16_t* weights, const std::int16_t* x,
                                         std::int16_t* next, std::span<const int> slots, std::int64_t dim) {
  for (std::int64_t r = 0; r < dim; ++r) {
    std::size_t i = 0;
    for (; i + 4 <= slots.size(); i += 4) row_times<4>(weights + r * dim, x, next + r, &slots[i], dim);
    for (; i < slots.size(); ++i) row_times<1>(weights + r * dim, x, next + r, &slots[i], dim);
  }
}
using LayerFunction = void (*)(const std::int16_t*, const std::int16_t*, std::int16_t*, std::span<const int>,
                               std::int64_t);
inline void layer_portable(const std::int16_t* weights, const std::int16_t* x, std::int16_t* next,
                           std::span<const int> slots, std::int64_t dim) {
  layer(weights, x, next, slots, dim);
}
#if defined(__x86_64__)
__attribute__((target("avx2"))) inline void layer_avx2(const std::int16_t* weights, const std::int16_t* x,
                                                       std::int16_t* next, std::span<const int> slots,
                                                       std::int64_t dim) {
  layer(weights, x, next, slots, dim);
}
#endif

class TinyModel {
 public:
  TinyModel(std::int64_t dim, std::int64_t batch)
      : dim_(dim), tokens_(batch), x_(batch * dim), hidden_(batch * dim) {
#if defined(__x86_64__)
    if (simd_level() >= SimdLevel::avx2) layer_ = layer_avx2;
#endif
  }

  void start(int slot, std::int32_t prompt) {
    tokens_[slot] = prompt;
    for (std::int64_t k = 0; k < dim_; ++k) hidden_[slot * dim_ + k] = 0;
  }
  void step(const std::int16_t* weights, std::span<const int> slots) {
    for (const int slot : slots) {
      for (std::int64_t k = 0; k < dim_; ++k) {
        x_[slot * dim_ + k] = static_cast<std::int16_t>(hidden_[slot * dim_ + k] + embed(tokens_[slot], k));
      }
    }
    layer_(weights, x_.data(), hidden_.data(), slots, dim_);
    for (const int slot : slots) {
      std::int64_t sum = 0;
      for (std::int64_t k = 0; k < dim_; ++k) sum += hidden_[slot * dim_ + k];
      tokens_[slot] = pick_token(sum);
    }
  }
  std::int32_t token(int slot) const { return tokens_[slot]; }

 private:
  std::int64_t dim_;
  std::vector<std::int32_t> tokens_;
  std::vector<std::int16_t> x_;
  std::vector<std::int16_t> hidden_;
  LayerFunction layer_ = layer_portable;
};

}  // namespace aisp::continuous_batching

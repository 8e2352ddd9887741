// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/distribution.h"

#include <cmath>
#include <utility>

namespace aisp {
namespace {

/// Writes value(i) to every element, with a direct store for the type most tensors have.
template <class Value>
void fill(const TensorView& tensor, Value value) {
  if (tensor.dtype == DType::f32) {
    float* out = reinterpret_cast<float*>(tensor.data);
    for (std::int64_t i = 0; i < tensor.size; ++i) out[i] = static_cast<float>(value(i));
    return;
  }
  for (std::int64_t i = 0; i < tensor.size; ++i) tensor.set(i, value(i));
}

}  // namespace

Distribution uniform(double low, double high) {
  return {"uniform",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            // 24 random bits are all a float can hold; two values per random word halves the cost of large
            // inputs.
            if (tensor.dtype == DType::f32) {
              float* out = reinterpret_cast<float*>(tensor.data);
              const auto scale = static_cast<float>((high - low) * 0x1p-24);
              const auto offset = static_cast<float>(low);
              std::int64_t i = 0;
              for (; i + 1 < tensor.size; i += 2) {
                const std::uint64_t word = rng.word();
                out[i] = offset + scale * static_cast<float>(word >> 40);
                out[i + 1] = offset + scale * static_cast<float>((word >> 8) & 0xffffffu);
              }
              if (i < tensor.size) out[i] = offset + scale * static_cast<float>(rng.word() >> 40);
              return;
            }
            fill(tensor, [&](std::int64_t) { return rng.uniform(low, high); });
          },
          DrawForm{DrawForm::Kind::uniform, low, high}};
}

Distribution normal(double mean, double deviation) {
  return {"normal",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            fill(tensor, [&](std::int64_t) { return mean + deviation * rng.normal(); });
          },
          DrawForm{DrawForm::Kind::normal, mean, deviation}};
}

Distribution integers(std::int64_t low, std::int64_t high) {
  return {"integers",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            const auto range = static_cast<std::uint64_t>(high - low) + 1;
            fill(tensor, [&](std::int64_t) {
              return static_cast<double>(low + static_cast<std::int64_t>(rng.below(range)));
            });
          },
          DrawForm{DrawForm::Kind::integers, static_cast<double>(low), static_cast<double>(high)}};
}

Distribution wide_range(double low_exponent, double high_exponent) {
  return {"wide_range",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            fill(tensor, [&](std::int64_t) {
              const double magnitude = std::exp2(rng.uniform(low_exponent, high_exponent));
              return (rng.word() >> 63) != 0 ? -magnitude : magnitude;
            });
          },
          DrawForm{DrawForm::Kind::wide_range, low_exponent, high_exponent}};
}

Distribution cancelling(double magnitude) {
  return {"cancelling",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            double previous = 0;
            fill(tensor, [&](std::int64_t i) {
              if (i % 2 == 1) return -previous * (1 + rng.uniform(-1e-3, 1e-3));
              previous = rng.uniform(0.5, 1.0) * ((rng.word() >> 63) != 0 ? -magnitude : magnitude);
              return previous;
            });
          },
          DrawForm{DrawForm::Kind::cancelling, magnitude}};
}

Distribution ties(double low, double high, int levels) {
  return {"ties",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            const double step = levels > 1 ? (high - low) / (levels - 1) : 0;
            fill(tensor, [&](std::int64_t) {
              return low + step * static_cast<double>(rng.below(static_cast<std::uint64_t>(levels)));
            });
          },
          DrawForm{DrawForm::Kind::ties, low, high, levels}};
}

Distribution skewed(std::int64_t n) {
  return {"skewed",
          [=](const DrawContext&, Rng& rng, const TensorView& tensor) {
            // floor(n^u) - 1 for uniform u has density ~ 1/x: Zipf with exponent 1.
            const double log_n = std::log(static_cast<double>(n) + 1);
            fill(tensor, [&](std::int64_t) {
              const double value = std::floor(std::exp(rng.unit() * log_n)) - 1;
              return value < static_cast<double>(n) ? value : static_cast<double>(n - 1);
            });
          },
          DrawForm{DrawForm::Kind::skewed, static_cast<double>(n)}};
}

Distribution permutation() {
  return {"permutation", [](const DrawContext&, Rng& rng, const TensorView& tensor) {
            for (std::int64_t i = 0; i < tensor.size; ++i) tensor.set(i, static_cast<double>(i));
            for (std::int64_t i = tensor.size - 1; i > 0; --i) {
              const auto j = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(i) + 1));
              const double swapped = tensor.value(i);
              tensor.set(i, tensor.value(j));
              tensor.set(j, swapped);
            }
          }};
}

Distribution drawn_by(std::string name, DrawFunction draw) { return {std::move(name), std::move(draw)}; }

}  // namespace aisp

// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the maker says a device can do, to show beside what was measured. Dense arithmetic at boost clocks,
/// from NVIDIA's data sheets; for products that are sold in several forms, of the form the name stands for.
///
///   if (const auto rate = published("NVIDIA H200", "read", "memory")) ...;   // 4.8e12
#pragma once

#include <optional>
#include <string_view>

namespace aisp::device {

/// A second: bytes of memory, operations on the ordinary cores (fma) and on the tensor cores, bytes one way
/// across the bus. 0 = not said.
struct PublishedRates {
  std::string_view device;  ///< as the driver names it
  double memory;
  double fma_f64, fma_f32;
  double matmul_f64, matmul_tf32, matmul_16;  ///< 16: f16 and bf16 alike
  double matmul_f8, matmul_i8;
  double bus;
};

inline constexpr double kTera = 1e12, kGiga = 1e9;
inline constexpr PublishedRates kPublished[] = {
    {"NVIDIA H200", 4.8 * kTera, 33.5 * kTera, 66.9 * kTera, 66.9 * kTera, 494.7 * kTera, 989.4 * kTera,
     1978.9 * kTera, 1978.9 * kTera, 63 * kGiga},
    {"NVIDIA H100 80GB HBM3", 3.35 * kTera, 33.5 * kTera, 66.9 * kTera, 66.9 * kTera, 494.7 * kTera,
     989.4 * kTera, 1978.9 * kTera, 1978.9 * kTera, 63 * kGiga},
    {"NVIDIA H100 PCIe", 2.0 * kTera, 25.6 * kTera, 51.2 * kTera, 51.2 * kTera, 378 * kTera, 756 * kTera,
     1513 * kTera, 1513 * kTera, 63 * kGiga},
    {"NVIDIA A100-SXM4-80GB", 2.039 * kTera, 9.7 * kTera, 19.5 * kTera, 19.5 * kTera, 156 * kTera,
     312 * kTera, 0, 624 * kTera, 31.5 * kGiga},
    {"NVIDIA A100-SXM4-40GB", 1.555 * kTera, 9.7 * kTera, 19.5 * kTera, 19.5 * kTera, 156 * kTera,
     312 * kTera, 0, 624 * kTera, 31.5 * kGiga},
    {"NVIDIA A100 80GB PCIe", 1.935 * kTera, 9.7 * kTera, 19.5 * kTera, 19.5 * kTera, 156 * kTera,
     312 * kTera, 0, 624 * kTera, 31.5 * kGiga},
    {"NVIDIA B200", 7.7 * kTera, 37 * kTera, 75 * kTera, 37 * kTera, 1125 * kTera, 2250 * kTera, 4500 * kTera,
     4500 * kTera, 63 * kGiga},
    {"NVIDIA L40S", 0.864 * kTera, 0, 91.6 * kTera, 0, 0, 0, 0, 0, 31.5 * kGiga},
    {"NVIDIA A10G", 0.6 * kTera, 0, 0, 0, 0, 0, 0, 0, 31.5 * kGiga},
    {"Tesla T4", 0.32 * kTera, 0, 8.1 * kTera, 0, 0, 0, 0, 0, 15.75 * kGiga},
};

/// Of the ceiling of that name and level; nothing for other devices and for what no data sheet says.
constexpr std::optional<double> published(std::string_view device, std::string_view name,
                                          std::string_view level) {
  const auto said = [](double rate) { return rate > 0 ? std::optional(rate) : std::nullopt; };
  for (const PublishedRates& rates : kPublished) {
    if (rates.device != device) continue;
    if (level == "memory" && (name == "read" || name == "write" || name == "copy")) return said(rates.memory);
    if (name == "fma") return level == "f64" ? said(rates.fma_f64) : said(level == "f32" ? rates.fma_f32 : 0);
    if (name == "matmul" || name == "library_matmul") {
      if (level == "f64") return said(rates.matmul_f64);
      if (level == "f32") return said(rates.fma_f32);
      if (level == "tf32") return said(rates.matmul_tf32);
      if (level == "f16" || level == "bf16") return said(rates.matmul_16);
      if (level == "f8e4m3") return said(rates.matmul_f8);
      if (level == "i8") return said(rates.matmul_i8);
    }
    if (name == "h2d_pinned" || name == "d2h_pinned") return said(rates.bus);
    if (name == "bidirectional_pinned") return said(2 * rates.bus);
  }
  return std::nullopt;
}

}  // namespace aisp::device

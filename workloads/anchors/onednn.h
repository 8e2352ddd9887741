// SPDX-License-Identifier: Apache-2.0
/// \file
/// oneDNN as an anchor: single-precision matrix products.
///
///   auto dnn = open_onednn(threads);
///   dnn->sgemm(m, n, k, a, b, c);
///
/// Debian's build runs on OpenMP threads, whose number belongs to the thread that calls. dnnl_sgemm is its
/// fastest way to multiply matrices that lie row by row: the matmul primitive gains from weights in a layout
/// of its own, but both matrices are inputs, so that reordering one would be part of every call. Which
/// instructions it uses is searched, as wider ones are not faster everywhere.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "aisp/core/workload.h"

namespace aisp::anchors {

struct OneDnn {
  /// C = A B, contiguous and row-major.
  void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b, float* c) const;

  int (*dnnl_sgemm)(char transpose_a, char transpose_b, std::int64_t m, std::int64_t n, std::int64_t k,
                    float alpha, const float* a, std::int64_t lda, const float* b, std::int64_t ldb,
                    float beta, float* c, std::int64_t ldc) = nullptr;
  void (*omp_set_num_threads)(int threads) = nullptr;
  int threads = 1;
};

/// Loads the library, starts its threads and lets them work once. Throws if that fails.
std::shared_ptr<OneDnn> open_onednn(int threads);
/// The newest version that is installed: "libdnnl.so.3".
std::optional<std::string> onednn_file();
/// What is missing and how to get it, or nothing.
std::optional<std::string> onednn_missing();
/// The instruction sets to try, for Variant::search; nothing where there is no choice.
std::optional<Search> onednn_search();

}  // namespace aisp::anchors

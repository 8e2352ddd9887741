// SPDX-License-Identifier: Apache-2.0
/// \file
/// OpenBLAS as an anchor: single-precision matrix products at its fastest setting.
///
///   Variant{.name = "openblas", .run = ..., .prepare = [](const Setup& s) { return open_openblas(s.threads);
///   },
///           .rung = Rung::anchor, .unavailable = [](const Params&) { return openblas_missing(); },
///           .search = openblas_search()}
///
/// Its kernels are chosen when it is loaded, from OPENBLAS_CORETYPE: each value needs a process of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "aisp/core/workload.h"

namespace aisp::anchors {

struct OpenBlas {
  /// C = A B, contiguous and row-major. Runs on the threads given to open_openblas.
  void sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b, float* c) const;

  void (*cblas_sgemm)(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                      const float* a, int lda, const float* b, int ldb, float beta, float* c,
                      int ldc) = nullptr;
};

/// Loads the library, starts its threads and lets them work once. Throws if that fails.
std::shared_ptr<OpenBlas> open_openblas(int threads);
/// What is missing and how to get it, or nothing.
std::optional<std::string> openblas_missing();
/// The core types worth trying that this CPU can execute; nothing where there is no choice.
std::optional<Search> openblas_search();

}  // namespace aisp::anchors

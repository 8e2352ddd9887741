// SPDX-License-Identifier: Apache-2.0
#include "workloads/anchors/openblas.h"

#include <type_traits>
#include <vector>

#include "aisp/core/anchor_libraries.h"
#include "aisp/core/simd_level.h"
#include "workloads/anchors/shared_library.h"

namespace aisp::anchors {
namespace {

constexpr const char* kLibrary = kOpenBlasFiles.front();
constexpr int kRowMajor = 101;
constexpr int kNoTranspose = 111;

}  // namespace

void OpenBlas::sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
                     float* c) const {
  cblas_sgemm(kRowMajor, kNoTranspose, kNoTranspose, static_cast<int>(m), static_cast<int>(n),
              static_cast<int>(k), 1.0f, a, static_cast<int>(k), b, static_cast<int>(n), 0.0f, c,
              static_cast<int>(n));
}

std::shared_ptr<OpenBlas> open_openblas(int threads) {
  const PoolAffinity widened;
  const SharedLibrary library(kLibrary);
  auto blas = std::make_shared<OpenBlas>();
  blas->cblas_sgemm = library.function<std::remove_pointer_t<decltype(blas->cblas_sgemm)>>("cblas_sgemm");
  library.function<void(int)>("openblas_set_num_threads")(threads);
  // Large enough for every thread to get a share: buffers and threads exist before the first timed call.
  constexpr std::int64_t kWarm = 256;
  const std::vector<float> ones(kWarm * kWarm, 1.0f);
  std::vector<float> product(kWarm * kWarm);
  blas->sgemm(kWarm, kWarm, kWarm, ones.data(), ones.data(), product.data());
  return blas;
}

std::optional<std::string> openblas_missing() {
  if (library_file(kLibrary)) return std::nullopt;
  return std::string(kLibrary) + " is not installed (Debian: apt install libopenblas0-pthread)";
}

std::optional<Search> openblas_search() {
#if defined(__x86_64__)
  // What the CPU has, whatever our own code is held to: the library does not know of that.
  if (cpu_simd_level() < SimdLevel::avx2) return std::nullopt;
  Search search{"OPENBLAS_CORETYPE", {"Haswell", "Zen"}};
  if (cpu_simd_level() >= SimdLevel::avx512) search.values.emplace_back("SkylakeX");
  return search;
#else
  return std::nullopt;
#endif
}

}  // namespace aisp::anchors

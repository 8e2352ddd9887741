// SPDX-License-Identifier: Apache-2.0
#include "workloads/anchors/onednn.h"

#include <type_traits>
#include <vector>

#include "aisp/core/anchor_libraries.h"
#include "aisp/core/check.h"
#include "aisp/core/simd_level.h"
#include "workloads/anchors/shared_library.h"

namespace aisp::anchors {
namespace {

constexpr const char* kOpenMp = "libgomp.so.1";

}  // namespace

void OneDnn::sgemm(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, const float* b,
                   float* c) const {
  omp_set_num_threads(threads);  // a thread-local store: other variants may have set another number
  const int status = dnnl_sgemm('N', 'N', m, n, k, 1.0f, a, k, b, n, 0.0f, c, n);
  AISP_CHECK(status == 0, "dnnl_sgemm refused a plain product");
}

std::shared_ptr<OneDnn> open_onednn(int threads) {
  const PoolAffinity widened;
  const SharedLibrary library(onednn_file().value_or(kOneDnnFiles.front()));
  const SharedLibrary openmp(kOpenMp);
  auto dnn = std::make_shared<OneDnn>();
  dnn->dnnl_sgemm = library.function<std::remove_pointer_t<decltype(dnn->dnnl_sgemm)>>("dnnl_sgemm");
  dnn->omp_set_num_threads = openmp.function<void(int)>("omp_set_num_threads");
  dnn->threads = threads;
  // Kernels are generated and threads started by the first call; it belongs to set-up.
  constexpr std::int64_t kWarm = 256;
  const std::vector<float> ones(kWarm * kWarm, 1.0f);
  std::vector<float> product(kWarm * kWarm);
  dnn->sgemm(kWarm, kWarm, kWarm, ones.data(), ones.data(), product.data());
  return dnn;
}

std::optional<std::string> onednn_file() {
  for (const char* file : kOneDnnFiles) {
    if (library_file(file)) return file;
  }
  return std::nullopt;
}

std::optional<std::string> onednn_missing() {
  if (!onednn_file()) {
    return std::string(kOneDnnFiles.front()) + " or " + kOneDnnFiles.back() +
           " is not installed (Debian: apt install libdnnl3 or libdnnl2)";
  }
  if (!library_file(kOpenMp))
    return std::string(kOpenMp) + " is not installed (Debian: apt install libgomp1)";
  return std::nullopt;
}

std::optional<Search> onednn_search() {
  if (cpu_simd_level() < SimdLevel::avx512) return std::nullopt;
  return Search{"ONEDNN_MAX_CPU_ISA", {"DEFAULT", "AVX2"}};
}

}  // namespace aisp::anchors

// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak_cublaslt.h"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

namespace aisp::cuda {
namespace {

/// The version whose header this was compiled with: another one's structures may differ.
std::string soname() { return "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR); }

std::vector<std::string> places() {
  std::vector<std::string> folders = {"", "/usr/local/cuda/lib64/",
                                      "/usr/local/cuda/targets/x86_64-linux/lib/"};
  if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(std::string(home) + "/lib64/");
  return folders;
}

void* open_library() {
  std::string looked;
  for (const std::string& folder : places()) {
    if (void* library = dlopen((folder + soname()).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
    looked += (looked.empty() ? "" : ", ") + (folder.empty() ? std::string("the loader's path") : folder);
  }
  throw std::runtime_error(soname() + " was not found in " + looked);
}

template <class Function>
void find(void* library, Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(soname() + " has no " + name);
}

CublasLtFunctions find_all(void* library) {
  CublasLtFunctions f{};
  find(library, f.cublasLtGetVersion, "cublasLtGetVersion");
  find(library, f.cublasLtGetStatusString, "cublasLtGetStatusString");
  find(library, f.cublasLtCreate, "cublasLtCreate");
  find(library, f.cublasLtDestroy, "cublasLtDestroy");
  find(library, f.cublasLtMatmulDescCreate, "cublasLtMatmulDescCreate");
  find(library, f.cublasLtMatmulDescDestroy, "cublasLtMatmulDescDestroy");
  find(library, f.cublasLtMatmulDescSetAttribute, "cublasLtMatmulDescSetAttribute");
  find(library, f.cublasLtMatrixLayoutCreate, "cublasLtMatrixLayoutCreate");
  find(library, f.cublasLtMatrixLayoutDestroy, "cublasLtMatrixLayoutDestroy");
  find(library, f.cublasLtMatmulPreferenceCreate, "cublasLtMatmulPreferenceCreate");
  find(library, f.cublasLtMatmulPreferenceDestroy, "cublasLtMatmulPreferenceDestroy");
  find(library, f.cublasLtMatmulPreferenceSetAttribute, "cublasLtMatmulPreferenceSetAttribute");
  find(library, f.cublasLtMatmulAlgoGetHeuristic, "cublasLtMatmulAlgoGetHeuristic");
  find(library, f.cublasLtMatmulAlgoConfigGetAttribute, "cublasLtMatmulAlgoConfigGetAttribute");
  find(library, f.cublasLtMatmul, "cublasLtMatmul");
  return f;
}

}  // namespace

CublasLt::CublasLt() : library_(open_library()) {
  try {
    functions_ = find_all(library_);
    check(functions_.cublasLtCreate(&handle_), "starting cuBLASLt");
  } catch (...) {
    dlclose(library_);
    throw;
  }
}

// Not unloaded: its kernels stay known to the driver until the process ends.
CublasLt::~CublasLt() { static_cast<void>(functions_.cublasLtDestroy(handle_)); }

std::string CublasLt::version() const {
  const std::size_t number = functions_.cublasLtGetVersion();  // 130002 for 13.0.2
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

void CublasLt::check(cublasStatus_t status, const char* doing) const {
  if (status != CUBLAS_STATUS_SUCCESS)
    throw std::runtime_error(std::string(doing) + ": " + functions_.cublasLtGetStatusString(status));
}

}  // namespace aisp::cuda

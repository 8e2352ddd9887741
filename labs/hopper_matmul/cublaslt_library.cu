// SPDX-License-Identifier: Apache-2.0
#include "labs/hopper_matmul/cublaslt_library.cuh"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

#include "labs/hopper_matmul/cublaslt.cuh"

namespace aisp::hopper_matmul {
namespace {

/// The version whose header this was compiled with: another one's structures may differ.
std::string soname() { return "libcublasLt.so." + std::to_string(CUBLAS_VER_MAJOR); }

void* open_library() {
  std::vector<std::string> folders = {"", "/usr/local/cuda/lib64/",
                                      "/usr/local/cuda/targets/x86_64-linux/lib/"};
  if (const char* home = std::getenv("CUDA_HOME")) folders.push_back(std::string(home) + "/lib64/");
  for (const std::string& folder : folders) {
    if (void* library = dlopen((folder + soname()).c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  }
  return nullptr;
}

void* library() {
  static void* const opened = open_library();
  return opened;
}

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(library(), name));
  if (function == nullptr) throw std::runtime_error(soname() + " has no " + name);
}

LibraryFunctions find_all() {
  if (const auto missing = cublaslt_missing()) throw std::runtime_error(*missing);
  LibraryFunctions f{};
  find(f.status_string, "cublasLtGetStatusString");
  find(f.create, "cublasLtCreate");
  find(f.destroy, "cublasLtDestroy");
  find(f.product_create, "cublasLtMatmulDescCreate");
  find(f.product_destroy, "cublasLtMatmulDescDestroy");
  find(f.product_set, "cublasLtMatmulDescSetAttribute");
  find(f.layout_create, "cublasLtMatrixLayoutCreate");
  find(f.layout_destroy, "cublasLtMatrixLayoutDestroy");
  find(f.preference_create, "cublasLtMatmulPreferenceCreate");
  find(f.preference_destroy, "cublasLtMatmulPreferenceDestroy");
  find(f.preference_set, "cublasLtMatmulPreferenceSetAttribute");
  find(f.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  find(f.algorithm_get, "cublasLtMatmulAlgoConfigGetAttribute");
  find(f.multiply, "cublasLtMatmul");
  return f;
}

}  // namespace

std::optional<std::string> cublaslt_missing() {
  if (library() != nullptr) return std::nullopt;
  return soname() +
         " was not found where the loader looks, in /usr/local/cuda or in CUDA_HOME; it comes with the CUDA "
         "toolkit";
}

const LibraryFunctions& cublaslt() {
  static const LibraryFunctions functions = find_all();
  return functions;
}

}  // namespace aisp::hopper_matmul

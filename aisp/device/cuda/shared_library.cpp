// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/shared_library.h"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace aisp::cuda {
namespace {

/// In order; the first is the dynamic linker's own search.
std::vector<std::string> folders() {
  std::vector<std::string> all{"", "/usr/local/cuda/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/",
                               "/usr/local/cuda/extras/CUPTI/lib64/"};
  if (const char* home = std::getenv("CUDA_HOME"); home != nullptr && *home != '\0') {
    for (const char* folder : {"/lib64/", "/extras/CUPTI/lib64/"}) {
      std::string path = std::string(home) + folder;
      if (std::ranges::find(all, path) == all.end()) all.push_back(std::move(path));
    }
  }
  return all;
}

std::string path_of(void* handle, const std::string& asked) {
  link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr || map->l_name == nullptr) return asked;
  return map->l_name;
}

}  // namespace

SharedLibrary::SharedLibrary(std::initializer_list<const char*> names) {
  std::string looked;
  for (const char* name : names) {
    for (const std::string& folder : folders()) {
      const std::string path = folder + name;
      handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle_ != nullptr) {
        where_ = path_of(handle_, path);
        return;
      }
      const char* error = dlerror();
      const std::string why = error != nullptr ? error : "unknown error";
      // A file that is there and cannot be loaded says more than those that are not there.
      if (why.find("No such file") == std::string::npos) reason_ = path + ": " + why;
      looked += (looked.empty() ? "" : ", ") + path;
    }
  }
  if (reason_.empty()) reason_ = "not found; looked for " + looked;
}

void* SharedLibrary::symbol(const char* name) const {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

}  // namespace aisp::cuda

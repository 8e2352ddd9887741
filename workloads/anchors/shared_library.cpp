// SPDX-License-Identifier: Apache-2.0
#include "workloads/anchors/shared_library.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace aisp::anchors {

std::optional<std::string> library_file(const std::string& name) {
  std::vector<std::string> folders;
  if (const char* path = std::getenv("LD_LIBRARY_PATH")) {
    for (std::string_view rest = path; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      if (end > 0) folders.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  for (const char* folder :
       {"/usr/local/lib", "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"}) {
    folders.emplace_back(folder);
  }
  for (const std::string& folder : folders) {
    std::error_code ignored;
    const std::string file = folder + "/" + name;
    if (std::filesystem::exists(file, ignored)) return file;
  }
  return std::nullopt;
}

SharedLibrary::SharedLibrary(const std::string& name) : name_(name) {
  const std::optional<std::string> file = library_file(name);
  handle_ = dlopen(file ? file->c_str() : name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(name + " cannot be loaded: " + dlerror());
}

void* SharedLibrary::address(const char* symbol) const {
  void* found = dlsym(handle_, symbol);
  if (found == nullptr) throw std::runtime_error(name_ + " has no function " + symbol);
  return found;
}

PoolAffinity::PoolAffinity() {
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) != 0) return;  // nothing was widened: nothing to undo
  cpu_set_t all = mine;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
    const std::string text = entry.path().filename();
    pid_t thread = 0;
    std::from_chars(text.data(), text.data() + text.size(), thread);
    cpu_set_t other;
    if (thread > 0 && sched_getaffinity(thread, sizeof other, &other) == 0) CPU_OR(&all, &all, &other);
  }
  if (sched_setaffinity(0, sizeof all, &all) == 0) before_ = mine;
}

PoolAffinity::~PoolAffinity() {
  if (before_) sched_setaffinity(0, sizeof *before_, &*before_);
}

}  // namespace aisp::anchors

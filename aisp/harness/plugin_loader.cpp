// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/plugin_loader.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <dlfcn.h>
#include <elf.h>

#include "aisp/core/plugin.h"
#include "aisp/core/registry.h"

namespace aisp::harness {
namespace {

Error bad(const std::string& path, const std::string& what, const std::string& hint) {
  return {ErrorCode::bad_input, "plugin " + path + ": " + what, hint};
}

std::string hexadecimal(unsigned number) {
  char text[16];
  std::snprintf(text, sizeof text, "%08x", number);
  return text;
}

/// Says in words what dlopen would only hint at: not a regular file, not ELF, another architecture, an
/// executable.
Status inspect_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return bad(path, "there is no such file", "check the path given to --plugin");
  }
  if (error) return bad(path, error.message(), "check the path given to --plugin");
  if (status.type() != std::filesystem::file_type::regular) {
    return bad(path, "is not a regular file", "give the .so that aisp_add_workload built");
  }
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file) return bad(path, "is too short to be a shared library", "rebuild it");
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    return bad(path, "is not an ELF shared library", "give the .so that aisp_add_workload built");
  }
  if (header.e_ident[EI_CLASS] != ELFCLASS64) return bad(path, "is a 32-bit library", "build it for 64 bits");
#if defined(__x86_64__)
  if (header.e_machine != EM_X86_64) return bad(path, "is built for another processor", "rebuild it here");
#endif
  if (header.e_type != ET_DYN) return bad(path, "is not a shared library", "link it with -shared");
  // The loader maps segments without looking at the file's length and dies of SIGBUS at the missing part.
  const auto size = std::filesystem::file_size(path, error);
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff) + i * header.e_phentsize);
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!file || segment.p_offset > size || segment.p_filesz > size - segment.p_offset) {
      return bad(path, "is cut off: a part of it is missing", "rebuild it, or copy it again");
    }
  }
  return Ok{};
}

}  // namespace

Result<std::vector<const Workload*>> load_plugin(const std::string& path) {
  if (const Status readable = inspect_file(path); !readable) return readable.error();
  // A path without a slash would be looked up in the library path instead of here.
  const std::string absolute = std::filesystem::absolute(path).string();
  void* library = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return bad(path, dlerror(), "install the library it names, or rebuild the plugin");
  const auto entry_of = reinterpret_cast<PluginFunction>(dlsym(library, kPluginSymbol));
  if (entry_of == nullptr)
    return bad(path, "does not export aisp_plugin", "build it with aisp_add_workload()");
  const PluginEntry* entry = entry_of();
  if (entry->abi != AISP_PLUGIN_ABI) {
    return bad(path,
               "was built against other headers of aisp (ABI " + hexadecimal(entry->abi) +
                   ", this aisp has " + hexadecimal(AISP_PLUGIN_ABI) + ")",
               "rebuild it against this version's package");
  }
  if (std::string_view(entry->compiler) != abi_of_this_build() || entry->workload_bytes != sizeof(Workload)) {
    return bad(path, std::string("was built with another C++ library (") + entry->compiler + ")",
               "rebuild it with the compiler aisp was built with");
  }
  if (const auto problems = entry->problems(); !problems.empty()) {
    return bad(path, problems.front(), "correct the workload's registration");
  }
  return entry->workloads();
}

Result<std::vector<AvailableWorkload>> available_workloads(const std::vector<std::string>& plugins) {
  std::vector<AvailableWorkload> all;
  for (const Workload* workload : Registry::instance().workloads()) all.push_back({workload, ""});
  for (const std::string& path : plugins) {
    const Result<std::vector<const Workload*>> loaded = load_plugin(path);
    if (!loaded) return loaded.error();
    for (const Workload* workload : *loaded) {
      const auto taken = std::ranges::find_if(all, [&](const AvailableWorkload& other) {
        return other.id() == workload->id && other.device() == workload->device;
      });
      if (taken != all.end()) {
        return bad(path, "registers " + workload->id + ", which " + taken->workload->source + " has already",
                   "rename it");
      }
      all.push_back({workload, std::filesystem::absolute(path).string()});
    }
  }
  std::ranges::sort(all, {}, [](const AvailableWorkload& w) { return std::pair(w.id(), w.device()); });
  return all;
}

}  // namespace aisp::harness

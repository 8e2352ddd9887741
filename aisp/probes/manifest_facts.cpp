// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/manifest_facts.h"

#include <elf.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string_view>

#include "aisp/core/simd_level.h"
#include "aisp/device/clock.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/probes/kernel_files.h"
#include "aisp/probes/power_limit.h"
#include "aisp/probes/system_probe.h"
#if __has_include(<aisp_git_state.h>)
#include <aisp_git_state.h>  // written by the build
#endif

namespace aisp::probes {
namespace {

/// The build system passes these; a program built otherwise says that it does not know.
#if defined(AISP_COMPILER)
const std::optional<std::string> kCompiler = AISP_COMPILER;
#elif defined(__VERSION__)
const std::optional<std::string> kCompiler = __VERSION__;
#else
const std::optional<std::string> kCompiler;
#endif
#if defined(AISP_FLAGS)
const std::optional<std::string> kFlags = AISP_FLAGS;
#else
const std::optional<std::string> kFlags;
#endif
#if defined(AISP_WORKLOAD_FLAGS)
const std::optional<std::string> kWorkloadFlags = AISP_WORKLOAD_FLAGS;
#else
const std::optional<std::string> kWorkloadFlags;
#endif
#if defined(AISP_GIT)
const std::optional<std::string> kGit = AISP_GIT;
#else
const std::optional<std::string> kGit;
#endif

std::string hexadecimal(const unsigned char* bytes, std::size_t length) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    text += digits[bytes[i] >> 4];
    text += digits[bytes[i] & 15];
  }
  return text;
}

/// A segment of notes: headers, each followed by its name and its content, both padded to four bytes.
std::optional<std::string> build_id_in(const unsigned char* at, std::size_t bytes) {
  const auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  const unsigned char* end = at + bytes;
  while (static_cast<std::size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, at, sizeof note);
    const unsigned char* name = at + sizeof note;
    const std::size_t length = padded(note.n_namesz) + padded(note.n_descsz);
    if (length > static_cast<std::size_t>(end - name)) return std::nullopt;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return hexadecimal(name + padded(note.n_namesz), note.n_descsz);
    at = name + length;
  }
  return std::nullopt;
}

int add_object(dl_phdr_info* info, std::size_t, void* objects) {
  LoadedObject object{.path = info->dlpi_name, .build_id = std::nullopt};
  for (int i = 0; i < info->dlpi_phnum && !object.build_id; ++i) {
    const auto& segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      object.build_id = build_id_in(reinterpret_cast<const unsigned char*>(info->dlpi_addr + segment.p_vaddr),
                                    segment.p_memsz);
  }
  static_cast<std::vector<LoadedObject>*>(objects)->push_back(std::move(object));
  return 0;
}

/// What the kernel says about each processor weakness, in one line; the same machine with other settings
/// differs.
std::optional<std::string> mitigations() {
  std::string all;
  const std::string folder = "/sys/devices/system/cpu/vulnerabilities/";
  for (const char* name :
       {"gather_data_sampling", "l1tf", "mds", "meltdown", "mmio_stale_data", "retbleed",
        "spec_rstack_overflow", "spec_store_bypass", "spectre_v1", "spectre_v2", "srbds", "tsx_async_abort"})
    if (const auto state = read_line(folder + name))
      all += (all.empty() ? "" : " | ") + (name + (": " + *state));
  return all.empty() ? std::nullopt : std::optional(all);
}

/// Of the kernel's command line only these are kept: the rest can hold addresses and secrets, and a manifest
/// is part of every report.
constexpr std::array<std::string_view, 24> kKernelOptions{"mitigations",
                                                          "isolcpus",
                                                          "nohz",
                                                          "nohz_full",
                                                          "rcu_nocbs",
                                                          "irqaffinity",
                                                          "intel_pstate",
                                                          "amd_pstate",
                                                          "intel_idle.max_cstate",
                                                          "processor.max_cstate",
                                                          "idle",
                                                          "nosmt",
                                                          "maxcpus",
                                                          "hugepages",
                                                          "hugepagesz",
                                                          "default_hugepagesz",
                                                          "transparent_hugepage",
                                                          "numa_balancing",
                                                          "tsc",
                                                          "clocksource",
                                                          "preempt",
                                                          "nospectre_v2",
                                                          "spectre_v2",
                                                          "pti"};

/// Beginnings of variables by which libraries let themselves be tuned, or other ones be loaded in their
/// place; of the environment nothing else is kept, for the same reason.
constexpr std::array<std::string_view, 13> kLibraryVariables{"GLIBC_TUNABLES=",
                                                             "MALLOC_",
                                                             "OMP_",
                                                             "GOMP_",
                                                             "KMP_",
                                                             "OPENBLAS_",
                                                             "MKL_",
                                                             "DNNL_",
                                                             "ONEDNN_",
                                                             "LD_BIND_",
                                                             "LD_PRELOAD=",
                                                             "LD_LIBRARY_PATH=",
                                                             "LD_AUDIT="};

std::optional<std::string> cpuinfo_value(std::string_view key) {
  const auto text = read_text("/proc/cpuinfo");
  if (!text) return std::nullopt;
  const auto at = text->find("\n" + std::string(key));
  if (at == std::string::npos) return std::nullopt;
  const auto colon = text->find(':', at), end = text->find('\n', at + 1);
  if (colon == std::string::npos || colon > end || colon + 2 > text->size()) return std::nullopt;
  return text->substr(colon + 2, end - colon - 2);
}

}  // namespace

std::vector<LoadedObject> loaded_objects() {
  std::vector<LoadedObject> objects;
  dl_iterate_phdr(add_object, &objects);
  return objects;
}

std::optional<std::string> build_id_of(const std::string& path_ending) {
  for (const LoadedObject& object : loaded_objects())
    if (path_ending.empty() ? object.path.empty() : object.path.ends_with(path_ending))
      return object.build_id;
  return std::nullopt;
}

std::optional<std::string> kernel_options(const std::optional<std::string>& command_line) {
  if (!command_line) return std::nullopt;
  std::istringstream words(*command_line);
  std::string kept;
  for (std::string word; words >> word;) {
    const std::string name = word.substr(0, word.find('='));
    if (std::ranges::find(kKernelOptions, name) == kKernelOptions.end()) continue;
    kept += (kept.empty() ? "" : " ") + word;
  }
  return kept.empty() ? "none" : kept;
}

std::string library_variables(char** variables) {
  std::vector<std::string> kept;
  for (; variables != nullptr && *variables != nullptr; ++variables) {
    const std::string_view text = *variables;
    if (std::ranges::any_of(kLibraryVariables,
                            [&](std::string_view start) { return text.starts_with(start); }))
      kept.emplace_back(text);
  }
  std::ranges::sort(kept);
  std::string all;
  for (const std::string& text : kept) all += (all.empty() ? "" : "; ") + text;
  return all.empty() ? "none" : all;
}

namespace {

std::optional<std::string> watts_text(std::optional<double> watts) {
  if (!watts) return std::nullopt;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.0f W", *watts);
  return text.data();
}

}  // namespace

std::optional<std::string> git_state() { return kGit; }

std::vector<Fact> manifest_facts() {
  std::vector<Fact> facts;
  const auto add = [&](std::string name, std::optional<std::string> value) {
    facts.push_back({std::move(name), std::move(value)});
  };
  utsname system{};
  const bool named = uname(&system) == 0;
  add("host", named ? std::optional<std::string>(system.nodename) : std::nullopt);
  add("kernel", named
                    ? std::optional(std::string(system.sysname) + " " + system.release + " " + system.version)
                    : std::nullopt);
  add("architecture", named ? std::optional<std::string>(system.machine) : std::nullopt);
  add("kernel options that move results", kernel_options(read_line("/proc/cmdline")));
  add("glibc", gnu_get_libc_version());
  add("variables that tune libraries", library_variables(environ));
  for (Fact& fact : device::topology_facts()) facts.push_back(std::move(fact));
  add("vector instructions", std::string(name_of(simd_level())));  // AISP_SIMD may ask for less
  add("microcode", cpuinfo_value("microcode"));
  add("mitigations", mitigations());
  add("transparent huge pages", chosen_in("/sys/kernel/mm/transparent_hugepage/enabled"));
  add("swappiness", read_line("/proc/sys/vm/swappiness"));
  add("address randomisation", read_line("/proc/sys/kernel/randomize_va_space"));
  add("kernel clock source", read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource"));
  add("clock", device::Clock::instance().source());
  add("hypervisor", hypervisor());
  add("cpu quota", cpu_quota());
  add("affinity", affinity());
  add("CPU power limit", watts_text(cpu_power_limit_w()));
  add("compiler", kCompiler);
  add("flags", kFlags);
  add("flags of workloads", kWorkloadFlags);
  add("git", kGit);
  add("build id of aisp", build_id_of(""));
  return facts;
}

}  // namespace aisp::probes

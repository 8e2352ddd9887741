// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/doctor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <optional>
#include <span>

#include "aisp/core/anchor_libraries.h"
#include "aisp/device/clock.h"
#include "aisp/device/cpu/affinity.h"
#include "aisp/device/cpu/topology.h"
#include "aisp/probes/kernel_files.h"
#include "aisp/probes/system_probe.h"

namespace aisp::probes {
namespace {

std::string number(double value, const char* format = "%.2f") {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

Advice governor(const SystemSnapshot& now) {
  Advice a{.subject = "frequency governor"};
  if (!now.governor) {
    a.finding = "cannot be read; virtual machines hide it";
    a.action = "none inside a virtual machine; the strict policy needs bare metal";
  } else if (*now.governor == "performance") {
    a.status = Health::ok;
    a.finding = "performance";
  } else {
    a.status = Health::warn;
    a.finding = *now.governor;
    a.action = "cpupower frequency-set -g performance";
  }
  return a;
}

Advice load(const SystemSnapshot& now) {
  Advice a{.subject = "load"};
  if (!now.load) {
    a.finding = "/proc/loadavg cannot be read";
    a.action = "mount /proc";
    return a;
  }
  a.status = *now.load <= 0.25 ? Health::ok : Health::warn;
  a.finding = number(*now.load) + " other runnable tasks per processor";
  if (a.status != Health::ok) a.action = "stop other work; ratios stay fair, but intervals grow";
  return a;
}

Advice swap() {
  Advice a{.subject = "swap"};
  const auto total = counter_in("/proc/meminfo", "SwapTotal"), free = counter_in("/proc/meminfo", "SwapFree");
  if (!total || !free) {
    a.finding = "/proc/meminfo cannot be read";
    return a;
  }
  const double used = static_cast<double>(*total - *free) / 1024;
  a.status = used < 1 ? Health::ok : Health::warn;
  a.finding = *total == 0 ? "none" : number(used, "%.0f MiB in use");
  if (a.status != Health::ok)
    a.action = "free memory, then swapoff -a; pages swapped during an attempt make it invalid";
  return a;
}

Advice free_memory() {
  Advice a{.subject = "free memory"};
  const auto available = counter_in("/proc/meminfo", "MemAvailable");
  if (!available) {
    a.finding = "/proc/meminfo cannot be read";
    return a;
  }
  const double gib = static_cast<double>(*available) / (1024 * 1024);
  a.status = gib >= 2 ? Health::ok : Health::warn;
  a.finding = number(gib, "%.1f GiB");
  if (a.status != Health::ok) a.action = "sizes that do not fit are refused; stop programs that hold memory";
  return a;
}

Advice huge_pages() {
  Advice a{.subject = "transparent huge pages"};
  const auto chosen = chosen_in("/sys/kernel/mm/transparent_hugepage/enabled");
  if (!chosen) {
    a.finding = "not offered by this kernel";
    a.action = "workloads about huge pages cannot show their gain here";
    return a;
  }
  a.finding = *chosen;
  a.status = *chosen == "never" ? Health::warn : Health::ok;
  if (*chosen == "never") a.action = "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled";
  return a;
}

Advice virtualisation() {
  Advice a{.subject = "virtual machine"};
  const auto name = hypervisor();
  if (!name) {
    a.finding = "cannot be told on this architecture";
    return a;
  }
  a.finding = *name;
  a.status = *name == "none" ? Health::ok : Health::warn;
  if (a.status != Health::ok)
    a.action = "fine under the standard policy; the strict policy refuses virtual machines";
  return a;
}

Advice quota() {
  Advice a{.subject = "CPU quota"};
  const auto limit = cpu_quota();
  if (!limit) {
    a.finding = "no cgroup file can be read";
    return a;
  }
  a.finding = *limit;
  a.status = *limit == "none" ? Health::ok : Health::warn;
  if (a.status != Health::ok)
    a.action = "raise the limit: throttled periods during an attempt make it invalid";
  return a;
}

Advice tracer() {
  Advice a{.subject = "tracer"};
  const auto traced = being_traced();
  if (!traced) {
    a.finding = "/proc/self/status cannot be read";
    return a;
  }
  a.status = *traced ? Health::bad : Health::ok;
  a.finding = *traced ? "a debugger or tracer is attached" : "none";
  if (*traced) a.action = "run without gdb, strace or perf trace: every result would be invalid";
  return a;
}

Advice injected() {
  Advice a{.subject = "injected libraries"};
  const std::string found = injection_variables();
  a.status = found.empty() ? Health::ok : Health::bad;
  a.finding = found.empty() ? "none" : found;
  if (!found.empty()) a.action = "unset these variables: every result would be invalid";
  return a;
}

Advice priority() {
  Advice a{.subject = "priority"};
  const auto raised = priority_raised();
  if (!raised) {
    a.finding = "cannot be read";
    return a;
  }
  a.status = *raised ? Health::warn : Health::ok;
  a.finding = *raised ? "raised above normal" : "normal";
  if (*raised) a.action = "run with normal priority, as the work will be in use";
  return a;
}

Advice clock() {
  const device::Clock& clock = device::Clock::instance();
  Advice a{.subject = "clock"};
  a.finding = clock.source() + ", one reading takes " + number(clock.cost_ns(), "%.0f ns");
  a.status = clock.cost_ns() <= 200 ? Health::ok : Health::warn;
  if (a.status != Health::ok)
    a.action = "short calls are batched; an invariant TSC would time them one by one";
  return a;
}

Advice cores() {
  Advice a{.subject = "cores"};
  const int mine = device::allowed_cores();
  a.finding = std::to_string(mine) + " of " + std::to_string(device::topology().cores);
  a.status = mine >= 2 ? Health::ok : Health::warn;
  if (mine < 2) a.action = "variants with several threads are skipped or slow; allow more processors";
  return a;
}

Advice counters() {
  Advice a{.subject = "hardware counters"};
  const auto level = read_line("/proc/sys/kernel/perf_event_paranoid");
  if (!level) {
    a.finding = "this kernel offers none";
    return a;
  }
  const bool open = geteuid() == 0 || *level == "-1" || *level == "0" || *level == "1" || *level == "2";
  a.status = open ? Health::ok : Health::warn;
  a.finding = "perf_event_paranoid is " + *level;
  if (!open) a.action = "sysctl kernel.perf_event_paranoid=2 to let profiles count events";
  return a;
}

Advice containment() {
  Advice a{.subject = "process containment"};
  const auto actions = read_line("/proc/sys/kernel/seccomp/actions_avail");
  if (!actions) {
    a.status = Health::warn;
    a.finding = "this kernel offers no seccomp: workload code may start processes";
    a.action = "run only code you trust; what it starts is ended when its worker has ended";
    return a;
  }
  a.status = Health::ok;
  a.finding = "seccomp: workload code cannot start processes";
  return a;
}

constexpr std::array kCudaFiles{"libcuda.so.1"};

/// Loads the first of the files that can be loaded and lets it go: being installed is not enough if something
/// it needs is missing.
Advice library(const char* subject, std::span<const char* const> files, const char* action) {
  Advice a{.subject = subject, .status = Health::warn, .action = action};
  for (const char* file : files) {
    if (void* handle = dlopen(file, RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(handle);
      return {.subject = subject, .status = Health::ok, .finding = std::string(file) + " loads"};
    }
    const char* why = dlerror();
    a.finding +=
        (a.finding.empty() ? "" : "; ") + (why != nullptr ? why : std::string(file) + " does not load");
  }
  return a;
}

}  // namespace

std::string_view name_of(Health health) {
  switch (health) {
    case Health::ok:
      return "ok";
    case Health::warn:
      return "warn";
    case Health::bad:
      return "bad";
    case Health::unknown:
      return "unknown";
  }
  return "unknown";
}

std::vector<Advice> examine() {
  const SystemSnapshot now = SystemSnapshot::take();
  return {governor(now),
          load(now),
          swap(),
          free_memory(),
          huge_pages(),
          virtualisation(),
          quota(),
          tracer(),
          injected(),
          priority(),
          clock(),
          cores(),
          counters(),
          containment(),
          library("OpenBLAS", kOpenBlasFiles, "apt install libopenblas0-pthread, or do without this anchor"),
          library("oneDNN", kOneDnnFiles, "apt install libdnnl3 or libdnnl2, or do without this anchor"),
          library("CUDA driver", kCudaFiles, "none without an NVIDIA GPU: workloads run on the CPU")};
}

}  // namespace aisp::probes

// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/system_probe.h"

#include <sched.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "aisp/device/cpu/affinity.h"
#include "aisp/probes/cgroup.h"
#include "aisp/probes/kernel_files.h"
#include "aisp/probes/power_limit.h"

namespace aisp::probes {
namespace {

const std::string kCpus = "/sys/devices/system/cpu/";

std::optional<std::uint64_t> swapped_pages() {
  const auto in = counter_in("/proc/vmstat", "pswpin"), out = counter_in("/proc/vmstat", "pswpout");
  if (!in || !out) return std::nullopt;
  return *in + *out;
}

/// The eighth number of the summary line "cpu  user nice system idle iowait irq softirq steal ...".
std::optional<double> steal_ns() {
  const auto text = read_text("/proc/stat");
  unsigned long long v[8] = {};
  if (!text || std::sscanf(text->c_str(), "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2],
                           &v[3], &v[4], &v[5], &v[6], &v[7]) != 8)
    return std::nullopt;
  return static_cast<double>(v[7]) * 1e9 / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::optional<std::uint64_t> thermal_throttles() {
  std::optional<std::uint64_t> total;
  for (const std::string& cpu : numbered_entries(kCpus, "cpu"))
    for (const char* name : {"core_throttle_count", "package_throttle_count"})
      if (const auto count = read_number(kCpus + cpu + "/thermal_throttle/" + name))
        total = total.value_or(0) + *count;
  return total;
}

std::optional<std::string> governor() {
  std::vector<std::string> seen;
  for (const int cpu : device::allowed_cpus()) {
    const auto name = read_line(kCpus + "cpu" + std::to_string(cpu) + "/cpufreq/scaling_governor");
    if (name && std::find(seen.begin(), seen.end(), *name) == seen.end()) seen.push_back(*name);
  }
  if (seen.empty()) return std::nullopt;
  if (seen.size() == 1) return seen[0];
  std::string all = "mixed: " + seen[0];
  for (std::size_t i = 1; i < seen.size(); ++i) all += ", " + seen[i];
  return all;
}

/// Tasks running or ready at this moment, less this one, per processor: the middle of five looks within a
/// millisecond. The averages of /proc/loadavg still hold what this program itself did a minute ago.
std::optional<double> load() {
  std::array<double, 5> looks{};
  for (double& look : looks) {
    const auto line = read_line("/proc/loadavg");
    double one = 0, five = 0, fifteen = 0;
    int running = 0;
    if (!line || std::sscanf(line->c_str(), "%lf %lf %lf %d/", &one, &five, &fifteen, &running) != 4)
      return std::nullopt;
    look = std::max(0, running - 1);
    const timespec pause{0, 150'000};
    nanosleep(&pause, nullptr);
  }
  std::sort(looks.begin(), looks.end());
  return looks[2] / static_cast<double>(std::max(1l, sysconf(_SC_NPROCESSORS_ONLN)));
}

template <class T>
std::optional<T> difference(const std::optional<T>& before, const std::optional<T>& after) {
  if (!before || !after) return std::nullopt;
  return *after >= *before ? *after - *before : T{};
}

}  // namespace

SystemSnapshot SystemSnapshot::take() {
  return {.swapped_pages = probes::swapped_pages(),
          .throttled_periods = cgroup_throttled_periods(),
          .steal_ns = probes::steal_ns(),
          .thermal_throttles = probes::thermal_throttles(),
          .governor = probes::governor(),
          .traced = being_traced(),
          .load = probes::load(),
          .power_limit_w = cpu_power_limit_w()};
}

void record_system(const SystemSnapshot& before, const SystemSnapshot& after, ProcessEvidence& process,
                   EnvironmentEvidence& environment) {
  process.swapped_pages = difference(before.swapped_pages, after.swapped_pages);
  process.throttled_periods = difference(before.throttled_periods, after.throttled_periods);
  process.steal_ns = difference(before.steal_ns, after.steal_ns);
  environment.thermal_throttles = difference(before.thermal_throttles, after.thermal_throttles);
  environment.governor = before.governor;
  if (before.governor && after.governor) environment.governor_changed = *before.governor != *after.governor;
  if (before.traced || after.traced)
    environment.traced = before.traced.value_or(false) || after.traced.value_or(false);
  environment.load_before = before.load;
  if (before.power_limit_w && after.power_limit_w) {
    environment.lowest_power_limit_w = std::min(*before.power_limit_w, *after.power_limit_w);
    environment.highest_power_limit_w = std::max(*before.power_limit_w, *after.power_limit_w);
  }
  environment.injected = injection_variables();
  environment.virtualised = hypervisor();
  environment.cpu_quota = cpu_quota();
  environment.affinity = affinity();
  environment.priority_raised = priority_raised();
}

std::optional<bool> being_traced() {
  const auto tracer = counter_in("/proc/self/status", "TracerPid");
  if (!tracer) return std::nullopt;
  return *tracer != 0;
}

std::string injection_variables() {
  std::string found;
  const auto add = [&](const std::string& name, const std::string& value) {
    found += (found.empty() ? "" : "; ") + name + "=" + value;
  };
  for (const char* name : {"LD_PRELOAD", "LD_AUDIT", "LD_PROFILE", "CUDA_INJECTION64_PATH",
                           "CUDA_INJECTION32_PATH", "NVTX_INJECTION64_PATH", "NVTX_INJECTION32_PATH",
                           "OMP_TOOL_LIBRARIES", "HSA_TOOLS_LIB", "ROCP_TOOL_LIB"})
    if (const char* value = std::getenv(name); value != nullptr && *value != 0) add(name, value);
  if (const auto file = read_line("/etc/ld.so.preload"); file && !file->empty())
    add("/etc/ld.so.preload", *file);
  return found;
}

std::optional<std::string> hypervisor() {
  const auto product = read_line("/sys/class/dmi/id/product_name");
  const std::string machine = product && !product->empty() ? " (" + *product + ")" : "";
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    if (!(c & (1u << 31))) return "none";
    char vendor[13] = {};
    __cpuid(0x40000000, a, b, c, d);
    std::memcpy(vendor, &b, 4);
    std::memcpy(vendor + 4, &c, 4);
    std::memcpy(vendor + 8, &d, 4);
    struct Name {
      const char *signature, *name;
    };
    for (const Name& n :
         {Name{"KVMKVMKVM", "KVM"}, Name{"Microsoft Hv", "Hyper-V"}, Name{"VMwareVMware", "VMware"},
          Name{"XenVMMXenVMM", "Xen"}, Name{"TCGTCGTCGTCG", "QEMU without KVM"},
          Name{"bhyve bhyve ", "bhyve"}, Name{"VBoxVBoxVBox", "VirtualBox"}})
      if (std::strcmp(vendor, n.signature) == 0) return n.name + machine;
    return (vendor[0] != 0 ? std::string(vendor) : std::string("a hypervisor without a name")) + machine;
  }
#endif
  if (const auto type = read_line("/sys/hypervisor/type"); type && !type->empty()) return *type + machine;
  for (const char* maker :
       {"QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Amazon EC2", "Google Compute"})
    if (machine.find(maker) != std::string::npos && machine.find("metal") == std::string::npos)
      return product;
  return std::nullopt;
}

std::optional<std::string> cpu_quota() {
  const auto limit = cgroup_cpu_limit();
  if (!limit) return std::nullopt;
  if (std::isinf(*limit)) return "none";
  char text[64];
  std::snprintf(text, sizeof text, "%.2f CPUs", *limit);
  return text;
}

std::optional<std::string> affinity() {
  const auto text = read_text("/proc/self/status");
  if (!text) return std::nullopt;
  constexpr std::string_view key = "\nCpus_allowed_list:\t";
  const auto at = text->find(key);
  if (at == std::string::npos) return std::nullopt;
  const auto begin = at + key.size();
  return text->substr(begin, text->find('\n', begin) - begin);
}

std::optional<bool> priority_raised() {
  const int policy = sched_getscheduler(0);
  if (policy < 0) return std::nullopt;
  return policy == SCHED_FIFO || policy == SCHED_RR || getpriority(PRIO_PROCESS, 0) < 0;
}

}  // namespace aisp::probes

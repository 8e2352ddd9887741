// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/hardware_facts.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

#include <sys/resource.h>

#include "aisp/probes/cgroup.h"
#include "aisp/probes/kernel_files.h"

namespace aisp::probes {
namespace {

std::string decimal(double value, const char* format) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

std::string size_text(double bytes) {
  if (!(bytes < 0x1p60)) return "none";
  if (bytes < 0x1p20) return decimal(bytes * 0x1p-10, "%.0f KiB");
  return bytes < 0x1p30 ? decimal(bytes * 0x1p-20, "%.1f MiB") : decimal(bytes * 0x1p-30, "%.1f GiB");
}

/// Of what a group may still take.
std::string left_text(double bytes) {
  const std::string text = size_text(bytes);
  return text == "none" ? text : text + " left";
}

/// "0x030200" to what people call it; empty for what is of no interest here.
std::string class_name(const std::string& code) {
  if (code.starts_with("0x03")) return "GPU or display";
  if (code.starts_with("0x12")) return "accelerator";
  if (code.starts_with("0x0207")) return "InfiniBand";
  if (code.starts_with("0x02")) return "network";
  if (code.starts_with("0x0108")) return "NVMe";
  return "";
}

std::string without_prefix(std::string text) { return text.starts_with("0x") ? text.substr(2) : text; }

/// "32.0 GT/s x16 of 32.0 GT/s x16".
std::string link_text(const std::string& device) {
  const auto part = [&](const char* which) -> std::string {
    const auto speed = read_line(device + "/" + which + "_link_speed");
    const auto width = read_line(device + "/" + which + "_link_width");
    if (!speed || !width || *width == "0") return "";
    return speed->substr(0, speed->find(" PCIe")) + " x" + *width;
  };
  const std::string now = part("current"), most = part("max");
  if (now.empty()) return "link unknown";
  return most.empty() ? now : now + " of " + most;
}

std::string limit_text(int resource, bool bytes) {
  rlimit limit{};
  if (getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return "unknown";
  if (limit.rlim_cur == RLIM_INFINITY) return "none";
  return bytes ? size_text(static_cast<double>(limit.rlim_cur)) : std::to_string(limit.rlim_cur);
}

}  // namespace

std::vector<Fact> numa_facts(const std::string& root) {
  std::vector<Fact> facts;
  const std::string nodes = root + "/sys/devices/system/node";
  for (const std::string& node : numbered_entries(nodes, "node")) {
    const std::string folder = nodes + "/" + node;
    std::string text = "CPUs " + read_line(folder + "/cpulist").value_or("unknown");
    // "Node 0 MemTotal:  32000 kB": the key is not the first word here.
    if (const auto memory = read_text(folder + "/meminfo")) {
      const std::size_t at = memory->find("MemTotal:");
      if (at != std::string::npos)
        text += ", " + size_text(1024 * std::strtod(memory->c_str() + at + 9, nullptr));
    }
    if (const auto distances = read_line(folder + "/distance")) text += ", distances " + *distances;
    facts.push_back({"NUMA " + node, text});
  }
  if (facts.empty()) facts.push_back({"NUMA nodes", std::nullopt});
  return facts;
}

std::vector<Fact> pcie_facts(const std::string& root) {
  std::vector<Fact> facts;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(root + "/sys/bus/pci/devices", failed)) {
    const std::string device = entry.path().string();
    const std::string kind = class_name(read_line(device + "/class").value_or(""));
    if (kind.empty()) continue;
    std::string text = kind + " " + without_prefix(read_line(device + "/vendor").value_or("?")) + ":" +
                       without_prefix(read_line(device + "/device").value_or("?")) + ", " + link_text(device);
    // -1 where the firmware does not say.
    const auto node = read_line(device + "/numa_node");
    if (node && *node != "-1") text += ", NUMA node " + *node;
    facts.push_back({"PCIe " + entry.path().filename().string(), text});
  }
  std::ranges::sort(facts, {}, &Fact::name);
  if (facts.empty()) facts.push_back({"PCIe devices", std::nullopt});
  return facts;
}

std::vector<Fact> clock_facts(const std::string& root) {
  const std::string folder = root + "/sys/devices/system/cpu/cpu0/cpufreq";
  const auto ghz = [&](const char* file) -> std::optional<std::string> {
    const auto khz = read_number(folder + "/" + file);
    if (!khz) return std::nullopt;
    return decimal(static_cast<double>(*khz) * 1e-6, "%.2f GHz");
  };
  std::vector<Fact> facts;
  auto now = ghz("scaling_cur_freq");
  if (!now) {
    const auto text = read_text(root + "/proc/cpuinfo").value_or("");
    const std::size_t at = text.find("cpu MHz");
    const std::size_t colon = at == std::string::npos ? at : text.find(':', at);
    if (colon != std::string::npos)
      now = decimal(std::strtod(text.c_str() + colon + 1, nullptr) * 1e-3, "%.2f GHz");
  }
  facts.push_back({"CPU clock now", now});
  facts.push_back({"CPU clock at least", ghz("scaling_min_freq")});
  facts.push_back({"CPU clock at most", ghz("scaling_max_freq")});
  facts.push_back({"CPU frequency governor", read_line(folder + "/scaling_governor")});
  return facts;
}

std::vector<Fact> limit_facts(const std::string& root) {
  const auto quota = cgroup_cpu_limit(root);
  return {{"limit on open files", limit_text(RLIMIT_NOFILE, false)},
          {"limit on processes", limit_text(RLIMIT_NPROC, false)},
          {"limit on locked memory", limit_text(RLIMIT_MEMLOCK, true)},
          {"limit on address space", limit_text(RLIMIT_AS, true)},
          {"limit on the stack", limit_text(RLIMIT_STACK, true)},
          {"limit on CPUs by its control group", quota && *quota < 1e6 ? decimal(*quota, "%.2f") : "none"},
          {"limit on memory by its control group", left_text(cgroup_free_memory(root))}};
}

}  // namespace aisp::probes

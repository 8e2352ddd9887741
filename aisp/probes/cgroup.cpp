// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/cgroup.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "aisp/probes/kernel_files.h"

namespace aisp::probes {
namespace {

struct Group {
  std::string folder;
  bool version2 = false;
};

/// Comma-separated words of a mount's options or a hierarchy's controllers.
bool has_word(const std::string& list, const std::string& word) {
  std::istringstream words(list);
  for (std::string w; std::getline(words, w, ',');)
    if (w == word) return true;
  return false;
}

/// Where the hierarchy with the CPU controller (version 1) or the unified one (version 2) is mounted, and
/// from which of its groups on: containers see a mount that starts at their own group.
struct Mount {
  std::string point, root;
};
std::optional<Mount> find_mount(bool version2) {
  const auto text = read_text("/proc/self/mountinfo");
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream left(line), right(line.substr(dash + 3));
    std::string id, parent, device, root, point, type, source, options;
    left >> id >> parent >> device >> root >> point;
    right >> type >> source >> options;
    if (version2 ? type == "cgroup2" : type == "cgroup" && has_word(options, "cpu"))
      return Mount{point, root};
  }
  return std::nullopt;
}

/// This process's group and the groups above it, innermost first, for both versions.
std::vector<Group> groups() {
  std::vector<Group> found;
  const auto text = read_text("/proc/self/cgroup");
  if (!text) return found;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool version2 = controllers.empty() && line.starts_with("0:");
    if (!version2 && !has_word(controllers, "cpu")) continue;
    const auto mount = find_mount(version2);
    if (!mount) continue;
    std::string path = line.substr(second + 1);
    if (mount->root != "/" && path.starts_with(mount->root)) path.erase(0, mount->root.size());
    for (; !path.empty() && path != "/"; path.erase(path.find_last_of('/')))
      found.push_back({mount->point + path, version2});
    found.push_back({mount->point, version2});
  }
  return found;
}

std::optional<double> limit_of(const Group& group) {
  if (group.version2) {
    const auto line = read_line(group.folder + "/cpu.max");  // "max 100000" or "150000 100000"
    if (!line) return std::nullopt;
    if (line->starts_with("max")) return std::numeric_limits<double>::infinity();
    double quota = 0, period = 0;
    std::istringstream(*line) >> quota >> period;
    return period > 0 ? std::optional(quota / period) : std::nullopt;
  }
  const auto quota = read_line(group.folder + "/cpu.cfs_quota_us");  // -1 = none
  const auto period = read_number(group.folder + "/cpu.cfs_period_us");
  if (!quota || quota->empty() || !period || *period == 0) return std::nullopt;
  if (quota->front() == '-') return std::numeric_limits<double>::infinity();
  double microseconds = 0;
  std::istringstream(*quota) >> microseconds;
  return microseconds / static_cast<double>(*period);
}

}  // namespace

std::optional<std::uint64_t> cgroup_throttled_periods() {
  std::optional<std::uint64_t> total;
  for (const Group& group : groups()) {
    const std::string file = group.folder + "/cpu.stat";
    // A group whose statistics show no such count has no quota to use up.
    if (read_text(file)) total = total.value_or(0) + counter_in(file, "nr_throttled").value_or(0);
  }
  return total;
}

/// The top group has no limit file: its absence there is not "unknown" when the controller is mounted.
std::optional<double> cgroup_cpu_limit() {
  std::optional<double> tightest;
  for (const Group& group : groups()) {
    if (const auto limit = limit_of(group)) tightest = std::min(tightest.value_or(*limit), *limit);
    if (!tightest && read_text(group.folder + "/cgroup.procs"))
      tightest = std::numeric_limits<double>::infinity();
  }
  return tightest;
}

}  // namespace aisp::probes

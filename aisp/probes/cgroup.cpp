// SPDX-License-Identifier: Apache-2.0
#include "aisp/probes/cgroup.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
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

/// Where the hierarchy with a controller (version 1) or the unified one (version 2) is mounted, and from
/// which of its groups on: containers see a mount that starts at their own group.
struct Mount {
  std::string point, root;
};
std::optional<Mount> find_mount(const std::string& root_folder, bool version2,
                                const std::string& controller) {
  const auto text = read_text(root_folder + "/proc/self/mountinfo");
  if (!text) return std::nullopt;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const auto dash = line.find(" - ");
    if (dash == std::string::npos) continue;
    std::istringstream left(line), right(line.substr(dash + 3));
    std::string id, parent, device, root, point, type, source, options;
    left >> id >> parent >> device >> root >> point;
    right >> type >> source >> options;
    if (version2 ? type == "cgroup2" : type == "cgroup" && has_word(options, controller))
      return Mount{root_folder + point, root};
  }
  return std::nullopt;
}

/// One line of /proc/self/cgroup: "4:cpu,cpuacct:/user", version 2: "0::/user".
struct Membership {
  std::string controllers, path;
  bool version2 = false;
};
std::vector<Membership> memberships(const std::string& root_folder, const std::string& controller) {
  std::vector<Membership> found;
  std::istringstream lines(read_text(root_folder + "/proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    Membership one{.controllers = line.substr(first + 1, second - first - 1),
                   .path = line.substr(second + 1)};
    one.version2 = one.controllers.empty() && line.starts_with("0:");
    if (one.version2 || has_word(one.controllers, controller)) found.push_back(std::move(one));
  }
  return found;
}

/// This process's group and the groups above it that have the controller, innermost first, for both versions.
std::vector<Group> groups(const std::string& root_folder, const std::string& controller) {
  std::vector<Group> found;
  for (const Membership& one : memberships(root_folder, controller)) {
    const auto mount = find_mount(root_folder, one.version2, controller);
    if (!mount) continue;
    std::string path = one.path;
    if (mount->root != "/" && path.starts_with(mount->root)) path.erase(0, mount->root.size());
    // "/../..": this process is outside of what its namespace shows.
    if (path.starts_with("/..")) path.clear();
    for (; !path.empty() && path != "/"; path.erase(path.find_last_of('/')))
      found.push_back({mount->point + path, one.version2});
    found.push_back({mount->point, one.version2});
  }
  return found;
}

/// Whether this process is in the top group, which has no quota. Known without a mounted hierarchy, but only
/// in the first namespace: in those of containers the path begins at the container.
bool in_top_group(const std::string& root_folder) {
  constexpr std::string_view kFirstNamespace = "cgroup:[4026531835]";  // PROC_CGROUP_INIT_INO of the kernel
  std::error_code none;
  if (std::filesystem::read_symlink(root_folder + "/proc/self/ns/cgroup", none) != kFirstNamespace)
    return false;
  const std::vector<Membership> all = memberships(root_folder, "cpu");
  return !all.empty() && std::ranges::all_of(all, [](const Membership& one) { return one.path == "/"; });
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

double bytes_in(const std::string& path, double otherwise) {  // "max": no limit
  const auto number = read_number(path);
  return number ? static_cast<double>(*number) : otherwise;
}

/// What the group may still take. Its pages of files can be dropped, so they count as free, as they do in
/// MemAvailable: a group that has read large files would seem full otherwise.
double free_in(const Group& group) {
  constexpr double kNone = std::numeric_limits<double>::infinity();
  const std::string& at = group.folder;
  const double limit =
      group.version2 ? std::min(bytes_in(at + "/memory.max", kNone), bytes_in(at + "/memory.high", kNone))
                     : bytes_in(at + "/memory.limit_in_bytes", kNone);
  const double used = bytes_in(at + (group.version2 ? "/memory.current" : "/memory.usage_in_bytes"), 0);
  double files = 0;
  for (const std::string key : {"active_file", "inactive_file"})
    files += static_cast<double>(
        counter_in(at + "/memory.stat", group.version2 ? key : "total_" + key).value_or(0));
  return limit - std::max(0.0, used - files);
}

}  // namespace

std::vector<std::string> cgroup_cpu_stat_files(const std::string& root_folder) {
  std::vector<std::string> files;
  for (const Group& group : groups(root_folder, "cpu")) {
    std::string file = group.folder + "/cpu.stat";
    if (read_text(file)) files.push_back(std::move(file));
  }
  return files;
}

std::optional<std::uint64_t> cgroup_throttled_periods(const std::string& root_folder) {
  std::optional<std::uint64_t> total;
  for (const std::string& file : cgroup_cpu_stat_files(root_folder)) {
    // A group whose statistics show no such count has no quota to use up.
    total = total.value_or(0) + counter_in(file, "nr_throttled").value_or(0);
  }
  return total;
}

/// The top group has no limit file: its absence there is not "unknown" when the controller is mounted.
std::optional<double> cgroup_cpu_limit(const std::string& root_folder) {
  std::optional<double> tightest;
  for (const Group& group : groups(root_folder, "cpu")) {
    if (const auto limit = limit_of(group)) tightest = std::min(tightest.value_or(*limit), *limit);
    if (!tightest && read_text(group.folder + "/cgroup.procs"))
      tightest = std::numeric_limits<double>::infinity();
  }
  if (!tightest && in_top_group(root_folder)) return std::numeric_limits<double>::infinity();
  return tightest;
}

double cgroup_free_memory(const std::string& root_folder) {
  double least = std::numeric_limits<double>::infinity();
  for (const Group& group : groups(root_folder, "memory")) least = std::min(least, free_in(group));
  return least;
}

}  // namespace aisp::probes

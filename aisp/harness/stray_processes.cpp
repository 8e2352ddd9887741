// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/stray_processes.h"

#include <chrono>
#include <csignal>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aisp/harness/containment.h"
#include "aisp/probes/kernel_files.h"

namespace aisp::harness {
namespace {

using Time = std::chrono::steady_clock;
constexpr auto kKillPatience = std::chrono::seconds(1);

std::set<pid_t>& workers() {
  static std::set<pid_t> owned;
  return owned;
}

std::vector<pid_t> strays() {
  std::vector<pid_t> found;
  const auto self = static_cast<std::uint64_t>(getpid());
  for (const std::string& entry : probes::numbered_entries("/proc", "")) {
    const std::string folder = "/proc/" + entry;
    if (probes::counter_in(folder + "/status", "PPid") != self) continue;
    const pid_t pid = static_cast<pid_t>(std::stol(entry));
    if (!workers().contains(pid) && probes::read_number(folder + "/oom_score_adj") == kWorkerOomScore)
      found.push_back(pid);
  }
  return found;
}

}  // namespace

void adopt_orphans() { prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); }
void own_worker(pid_t worker) { workers().insert(worker); }
void disown_worker(pid_t worker) { workers().erase(worker); }

int end_strays() {
  std::set<pid_t> ended;
  const auto until = Time::now() + kKillPatience;
  // The children of a stray become ours when it is gone, so that one pass is not enough.
  for (std::vector<pid_t> found = strays(); !found.empty() && Time::now() < until; found = strays()) {
    for (const pid_t pid : found) {
      kill(pid, SIGKILL);
      ended.insert(pid);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (const pid_t pid : found) waitpid(pid, nullptr, WNOHANG);
  }
  return static_cast<int>(ended.size());
}

}  // namespace aisp::harness

// SPDX-License-Identifier: Apache-2.0
// Runs every item in a child process, some at a time, and says PASS or FAIL for each; then the rates of the
// rungs that passed, and the last ones beside cuBLASLt.
//   usage: hopper_selftest [--no-rates] [part of an item's name]...   or: hopper_selftest --pairs
// Ends with 0 when all passed, 1 when not, 77 (skipped) where there is no Hopper GPU.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <map>
#include <set>

#include <cuda_runtime.h>

#include "tests/hopper/items.h"

namespace aisp::hopper_test {

void Report::wrong(const char* format, ...) {
  constexpr int kShown = 12;
  if (++wrong_ > kShown) return;
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::printf("  %s: %s\n", item_.c_str(), text);
}

void Report::note(const char* format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  std::printf("  %s: %s\n", item_.c_str(), text);
}

namespace {

constexpr int kSkipped = 77;
constexpr unsigned kItemSeconds = 15, kRatesSeconds = 40;
constexpr std::size_t kAtOnce = 4;  // most of an item's time is the start of a context

[[noreturn]] void end_child(int code) {
  std::fflush(stdout);
  _exit(code);
}

/// In a child, which ends with 0 if it passed. Dies of SIGALRM if it hangs.
pid_t start(const Item& item) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child != 0) return child;
  alarm(kItemSeconds);
  Report report(item.name);
  try {
    item.run(report);
    const cudaError_t left = cudaDeviceSynchronize();
    if (left != cudaSuccess) report.wrong("%s", cudaGetErrorString(left));
  } catch (const std::exception& error) {
    report.wrong("%s", error.what());
  }
  if (report.count() > 12) report.note("and %d more", report.count() - 12);
  end_child(report.passed() ? 0 : 1);
}

const char* verdict(int status) {
  if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGALRM ? "FAIL (hangs)" : "FAIL (crashed)";
  return WEXITSTATUS(status) == 0 ? "PASS" : "FAIL";
}

/// The names of those that passed.
std::set<std::string> run_all(const std::vector<Item>& items) {
  std::set<std::string> passed;
  std::map<pid_t, const Item*> running;
  std::size_t next = 0;
  while (next < items.size() || !running.empty()) {
    while (next < items.size() && running.size() < kAtOnce) {
      const Item& item = items[next++];
      running[start(item)] = &item;
    }
    int status = 0;
    const pid_t ended = wait(&status);
    const auto found = running.find(ended);
    if (found == running.end()) continue;
    std::printf("%-14s %s\n", verdict(status), found->second->name.c_str());
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) passed.insert(found->second->name);
    running.erase(found);
  }
  return passed;
}

/// Asked in a child: a parent with a context must not fork.
int look_for_gpu() {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    int devices = 0, major = 0;
    const cudaError_t found = cudaGetDeviceCount(&devices);
    if (found != cudaSuccess || devices == 0) {
      std::printf("skipped: no GPU (%s)\n", cudaGetErrorString(found));
      end_child(kSkipped);
    }
    static_cast<void>(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    if (major != 9) std::printf("skipped: compute capability %d, not 9\n", major);
    end_child(major == 9 ? 0 : kSkipped);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void run_rates(const std::vector<std::string>& rungs) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(kRatesSeconds);
    try {
      if (!rungs.empty()) print_rates(rungs);
      print_pairs();
    } catch (const std::exception& error) {
      std::printf("rates: %s\n", error.what());
    }
    end_child(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("rates: ended by signal %d\n", WTERMSIG(status));
}

bool wanted(const std::string& name, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    if (name.find(part) != std::string::npos) return true;
  }
  return parts.empty();
}

int run(const std::vector<std::string>& parts, bool rates) {
  if (const int code = look_for_gpu(); code != 0) return code;
  if (parts == std::vector<std::string>{"--pairs"}) {
    run_rates({});
    return 0;
  }
  std::vector<Item> items = machinery_items();
  const std::vector<Item> rungs = rung_items();
  for (const auto& more : {type_items(), rungs}) items.insert(items.end(), more.begin(), more.end());
  std::erase_if(items, [&](const Item& item) { return !wanted(item.name, parts); });
  const std::set<std::string> passed = run_all(items);
  std::printf("%zu of %zu passed\n", passed.size(), items.size());
  std::vector<std::string> right;
  for (const Item& rung : rungs) {
    if (passed.contains(rung.name)) right.push_back(rung.name);
  }
  if (rates) run_rates(right);
  return passed.size() == items.size() && !items.empty() ? 0 : 1;
}

}  // namespace
}  // namespace aisp::hopper_test

int main(int count, char** values) {
  setvbuf(stdout, nullptr, _IOLBF, 0);  // a child that is killed has printed what it found
  std::vector<std::string> parts(values + 1, values + count);
  const bool rates = std::erase(parts, "--no-rates") == 0;
  return aisp::hopper_test::run(parts, rates);
}

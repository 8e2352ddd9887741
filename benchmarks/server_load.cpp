// SPDX-License-Identifier: Apache-2.0
// Asks a running `aisp serve` at a steady rate and says how long answers took, from when each was due: a
// server that falls behind does not get to choose which requests count.
//
//   server_load PORT SECONDS RATE [TARGET...]
//
// Without targets: every route that can be read in turn but the one that listens for events, about ever other
// workloads, runs and limits of the store that store_questions makes, so that few answers were given before.
// Whole runs, which somebody opens to look at, are asked for a tenth as often as all else, and only new ones.
//
// Exit code 1 when an answer was not 200, whose path is then named, or the slowest hundredth took 50 ms or
// longer.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kClients = 8;
constexpr double kPromisedMs = 50;
constexpr int kNamedAtMost = 20;

int connected(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return fd;
  close(fd);
  return -1;
}

/// The status, after the whole response was read; 0 when the connection broke.
int ask(int fd, const std::string& target, std::string& buffer) {
  const std::string request = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  if (send(fd, request.data(), request.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(request.size()))
    return 0;
  buffer.clear();
  std::size_t whole = std::string::npos;
  while (buffer.size() < whole) {
    char chunk[65536];
    const ssize_t size = recv(fd, chunk, sizeof chunk, 0);
    if (size <= 0) return 0;
    buffer.append(chunk, static_cast<std::size_t>(size));
    const std::size_t end = buffer.find("\r\n\r\n");
    if (whole != std::string::npos || end == std::string::npos) continue;
    const std::size_t length = buffer.find("Content-Length: ");
    whole = end + 4 + (length < end ? std::strtoul(buffer.c_str() + length + 16, nullptr, 10) : 0);
  }
  return std::atoi(buffer.c_str() + 9);
}

// What store_questions makes: so many cells in a run, each an event behind the run's beginning; and with
// --contests 5000 the same cells come again on the same machine so many runs later.
constexpr std::size_t kCellsOfARun = 200, kRunsUntilTheSame = 25;
// Whole runs that are asked for are among so many newest ones.
constexpr std::size_t kNewRuns = 50;

/// How many runs the store has, by the name of the newest, "run-1249"; 0 where it is none of these.
std::size_t stored_runs(int port) {
  const int fd = connected(port);
  std::string answer;
  const int status = ask(fd, "/api/v1/runs?limit=1", answer);
  close(fd);
  const std::size_t newest = answer.find("\"run-");
  if (status != 200 || newest == std::string::npos) return 0;
  return 1 + std::strtoul(answer.c_str() + newest + 5, nullptr, 10);
}

// Kinds of requests that are named.
enum : std::size_t { kOneRun = 17, kOneCell = 18, kTwoRuns = 20, kTwoVariants = 21 };

/// What the request of this number asks. In the words of the dashboard, where a page asks the same.
std::string mixed(std::size_t number, std::size_t runs) {
  std::uint64_t chance = number * 0x9e3779b97f4a7c15u;  // spreads neighbouring numbers
  chance ^= chance >> 29;
  const auto one_of = [&](std::uint64_t many) { return chance / 101 % many; };
  const std::string k = std::to_string(1 + chance % 99),
                    chapter = std::to_string(10 + (1 + chance % 99) % 20);
  const std::string workload = "ch" + chapter + "/workload_" + k, about = "workload=" + workload;
  const std::string limit = std::to_string(0.001 * static_cast<double>(1 + chance / 99 % 997));
  // Of the newest run cells may still be missing.
  const std::size_t run = one_of(runs - 1), cell = chance / 7 % kCellsOfARun;
  const std::size_t recent = runs - 2 - one_of(std::min(kNewRuns, runs - kRunsUntilTheSame - 1));
  const std::size_t earlier = recent - kRunsUntilTheSame;
  const auto run_name = [](std::size_t index) { return "run-" + std::to_string(index); };
  const std::string analysis = "/api/v1/analysis/", runs_at = "/api/v1/runs/";
  std::size_t kind = number % 27;
  if ((kind == kOneRun || kind == kTwoRuns || kind == kTwoVariants) && number / 27 % 10 != 0) kind = kOneCell;
  switch (kind) {
    case 0:
      return "/";
    case 1:
      return "/api/v1/summary";
    case 2:
      return "/api/v1/runs?limit=" + std::to_string(1 + chance % 50);
    case 3:
      return "/api/v1/benchmarks";
    case 4:
      return analysis + "leaderboards";
    case 5:
      return analysis + "leaderboards?" + about;
    case 6:
      return analysis + "pareto?" + about;
    case 7:
      return analysis + "whatif?latency=" + std::to_string(1 + chance % 20);
    case 8:
      return analysis + "whatif?" + about + "&latency=" + limit + "&param=n%3D3000";
    case 9:
      return analysis + "scaling?" + about;
    case 10:
      return "/api/v1/history?" + about + "&hardware=machine%20" + std::to_string(1 + chance % 4);
    case 11:
      return "/api/v1/guards";
    case 12:
      return analysis + "tradeoffs?" + about;
    case 13:
      return analysis + "recommendations?" + about + "&top=5";
    case 14:
      return analysis + "power?" + about + "&top=1000";
    case 15:
      return analysis + "cost?" + about + "&top=20&rate=" + limit;
    case 16:
      return analysis + "stacking?" + about + "&top=20";
    case kOneRun:
      return runs_at + run_name(recent) + "?samples=false&evidence=false";
    case kOneCell:
      return runs_at + run_name(run) + "/cells/" + std::to_string(cell);
    case 19:
      return "/api/v1/cells/" + std::to_string(run * (1 + kCellsOfARun) + 2 + cell);
    case kTwoRuns:
      return "/api/v1/compare?first=" + run_name(earlier) + "&second=" + run_name(recent);
    case kTwoVariants:
      return "/api/v1/compare?first=variant_0&second=variant_1&run=" + run_name(recent) + "&" + about;
    case 22:
      return "/api/v1/workloads/ch09/softmax";  // the only one of the store that the program has
    case 23:
      return "/api/v1/guards/output_written";
    case 24:
      return "/api/v1/machine";
    case 25:
      return "/api/v1/runs/current";
    default:
      return chance % 2 == 0 ? "/metrics" : "/api/v1/openapi.json";
  }
}

double at(std::vector<double>& sorted, double share) {
  return sorted[std::min(sorted.size() - 1,
                         static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "usage: server_load PORT SECONDS RATE [TARGET...]\n");
    return 2;
  }
  const int port = std::atoi(argv[1]);
  const double seconds = std::atof(argv[2]), rate = std::atof(argv[3]);
  std::vector<std::string> targets(argv + 4, argv + argc);
  const std::size_t runs = targets.empty() ? stored_runs(port) : 0;
  if (targets.empty() && runs < kRunsUntilTheSame + 3) {
    std::fprintf(
        stderr,
        "the server's store is not of store_questions FILE --cells 6000 --contests 5000, or larger\n");
    return 2;
  }
  const auto count = static_cast<std::size_t>(seconds * rate);
  std::vector<double> took(count);
  std::atomic<std::size_t> next{0};
  std::mutex telling;
  std::map<std::string, int> failed;  // what was asked in vain, and the status of the last such answer
  int failures = 0;
  const auto begun = Clock::now();
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&] {
      int fd = connected(port);
      std::string buffer;
      for (std::size_t i = next++; i < count; i = next++) {
        const auto due = begun + std::chrono::duration_cast<Clock::duration>(
                                     std::chrono::duration<double>(static_cast<double>(i) / rate));
        std::this_thread::sleep_until(due);
        const std::string target = targets.empty() ? mixed(i, runs) : targets[i % targets.size()];
        if (const int status = ask(fd, target, buffer); status != 200) {
          close(fd);
          fd = connected(port);
          const std::lock_guard lock(telling);
          failed[target] = status;
          ++failures;
        }
        took[i] = std::chrono::duration<double, std::milli>(Clock::now() - due).count();
      }
      close(fd);
    });
  }
  for (std::thread& client : clients) client.join();
  std::ranges::sort(took);
  const double p99 = at(took, 0.99);
  std::printf("%zu requests in %.1f s, %d failed; median %.2f ms, p99 %.2f ms, slowest %.2f ms\n", count,
              std::chrono::duration<double>(Clock::now() - begun).count(), failures, at(took, 0.5), p99,
              took.back());
  int named = 0;
  for (const auto& [target, status] : failed) {
    if (++named > kNamedAtMost) break;
    std::printf("answered %d: %s\n", status, target.c_str());
  }
  return failures > 0 || !(p99 < kPromisedMs) ? 1 : 0;
}

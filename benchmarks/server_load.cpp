// SPDX-License-Identifier: Apache-2.0
// Asks a running `aisp serve` at a steady rate and says how long answers took, from when each was due: a
// server that falls behind does not get to choose which requests count.
//
//   server_load PORT SECONDS RATE [TARGET...]
//
// Without targets: every kind of question in turn, about ever other workloads, sizes and limits of the store
// that store_questions makes, so that few answers were given before.
//
// Exit code 1 when an answer was not 200, or the slowest hundredth took 50 ms or longer.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
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

/// What the request of this number asks.
std::string mixed(std::size_t number) {
  std::uint64_t chance = number * 0x9e3779b97f4a7c15u;  // spreads neighbouring numbers
  chance ^= chance >> 29;
  const std::string k = std::to_string(1 + chance % 99),
                    chapter = std::to_string(10 + (1 + chance % 99) % 20);
  const std::string workload = "ch" + chapter + "/workload_" + k;
  const std::string limit = std::to_string(0.001 * static_cast<double>(1 + chance / 99 % 997));
  switch (number % 12) {
    case 0:
      return "/";
    case 1:
      return "/api/v1/summary";
    case 2:
      return "/api/v1/runs?limit=" + std::to_string(1 + chance % 50);
    case 3:
      return "/api/v1/benchmarks";
    case 4:
      return "/api/v1/analysis/leaderboards";
    case 5:
      return "/api/v1/analysis/leaderboards?workload=" + workload;
    case 6:
      return "/api/v1/analysis/pareto?workload=" + workload;
    case 7:
      return "/api/v1/analysis/whatif?latency=" + std::to_string(1 + chance % 20);
    case 8:
      return "/api/v1/analysis/whatif?workload=" + workload + "&latency=" + limit + "&param=n%3D3000";
    case 9:
      return "/api/v1/analysis/scaling?workload=" + workload;
    case 10:
      return "/api/v1/history?workload=" + workload + "&hardware=machine%20" + std::to_string(1 + chance % 4);
    default:
      return "/api/v1/guards";
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
  const auto count = static_cast<std::size_t>(seconds * rate);
  std::vector<double> took(count);
  std::atomic<std::size_t> next{0};
  std::atomic<int> failed{0};
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
        if (ask(fd, targets.empty() ? mixed(i) : targets[i % targets.size()], buffer) != 200) {
          ++failed;
          close(fd);
          fd = connected(port);
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
              std::chrono::duration<double>(Clock::now() - begun).count(), failed.load(), at(took, 0.5), p99,
              took.back());
  return failed > 0 || !(p99 < kPromisedMs) ? 1 : 0;
}

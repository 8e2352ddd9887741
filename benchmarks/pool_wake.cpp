// SPDX-License-Identifier: Apache-2.0
// What it costs an anchor that its thread pool sleeps when its window begins: products of OpenBLAS with the
// pool awake (it spins for a while after a small product just before) and asleep (a millisecond after one),
// in turns, and how much longer the sleeping one takes.  usage: pool_wake [THREADS [N]...]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "aisp/stats/sign_interval.h"
#include "aisp/stats/summary.h"
#include "workloads/anchors/openblas.h"

namespace {

constexpr std::int64_t kSmall = 256;  // enough for every thread to get a share

double milliseconds_of(const aisp::anchors::OpenBlas& blas, std::int64_t n, const float* a, const float* b,
                       float* c) {
  const auto start = std::chrono::steady_clock::now();
  blas.sgemm(n, n, n, a, b, c);
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  // The pool spins for 2^25 ticks of the processor's counter, some 10 ms, and sleeps after that.
  setenv("OPENBLAS_THREAD_TIMEOUT", "25", 1);
  const int threads = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::int64_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::atoll(argv[i]));
  if (sizes.empty()) sizes = {1024, 2048};
  if (threads < 1 || std::ranges::any_of(sizes, [](std::int64_t n) { return n < kSmall; })) {
    std::fprintf(stderr, "usage: pool_wake [THREADS [N]...], N at least %d\n", static_cast<int>(kSmall));
    return 2;
  }
  if (const auto missing = aisp::anchors::openblas_missing()) {
    std::fprintf(stderr, "pool_wake: %s\n", missing->c_str());
    return 4;
  }
  const auto blas = aisp::anchors::open_openblas(threads);
  std::mt19937 random(std::random_device{}());
  std::printf("| n | threads | awake | asleep | asleep longer by |\n|--:|--:|--:|--:|--:|\n");
  for (const std::int64_t n : sizes) {
    std::vector<float> a(static_cast<std::size_t>(n * n)), b(a), c(a);
    std::uniform_real_distribution<float> values(-1, 1);
    for (float& value : a) value = values(random);
    for (float& value : b) value = values(random);
    std::vector<double> awake, asleep, longer;
    const auto begun = std::chrono::steady_clock::now();
    while (longer.size() < 24 ||
           (std::chrono::steady_clock::now() - begun < std::chrono::seconds(30) && longer.size() < 400)) {
      double took[2] = {};
      const bool sleeps_first = random() % 2 == 0;
      for (int turn = 0; turn < 2; ++turn) {
        const bool sleeps = (turn == 0) == sleeps_first;
        blas->sgemm(kSmall, kSmall, kSmall, a.data(), b.data(), c.data());
        if (sleeps) std::this_thread::sleep_for(std::chrono::milliseconds(30));
        took[sleeps] = milliseconds_of(*blas, n, a.data(), b.data(), c.data());
      }
      awake.push_back(took[0]);
      asleep.push_back(took[1]);
      longer.push_back((took[1] - took[0]) * 1000);
    }
    const auto print = [](const char* format, const std::vector<double>& measured) {
      const auto interval = aisp::stats::sign_interval(measured, 0.05);
      std::printf(format, aisp::stats::median(measured), interval->low, interval->high);
    };
    std::printf("| %d | %d | ", static_cast<int>(n), threads);
    print("%.3f ms [%.3f, %.3f] | ", awake);
    print("%.3f ms [%.3f, %.3f] | ", asleep);
    print("%.0f µs [%.0f, %.0f] |\n", longer);
  }
}

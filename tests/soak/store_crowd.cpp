// SPDX-License-Identifier: Apache-2.0
// Many processes on one store: store_crowd <seconds> [writers] [readers]
// Prints one summary; exit code 0 only when nothing was lost, refused or broken.
#include <cstdio>
#include <cstdlib>

#include "aisp/store/event.h"
#include "tests/soak/crowd.h"

int main(int argc, char** argv) {
  if (argc < 2 || std::atof(argv[1]) <= 0) {
    std::fprintf(stderr, "usage: store_crowd <seconds> [writers] [readers]\n");
    return 2;
  }
  std::string directory = (std::filesystem::temp_directory_path() / "aisp-store-crowd-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    std::fprintf(stderr, "cannot create %s\n", directory.c_str());
    return 7;
  }
  aisp::store::soak::CrowdOptions options;
  options.seconds = std::atof(argv[1]);
  if (argc > 2) options.writers = std::atoi(argv[2]);
  if (argc > 3) options.readers = std::atoi(argv[3]);
  // As many results as a busy laboratory stores, not as many as fit: runs would grow beyond all use.
  options.pause_ms = 200;
  options.directory = directory;
  const std::string started = aisp::store::utc_now();
  const auto report = aisp::store::soak::crowd(options);
  const auto bytes = std::filesystem::file_size(options.directory / "results.db");
  std::filesystem::remove_all(directory);
  std::printf("store_crowd started %s finished %s\n", started.c_str(), aisp::store::utc_now().c_str());
  std::printf("%d writers, %d readers, %.0f s, store of %.1f MiB\n", options.writers, options.readers,
              options.seconds, static_cast<double>(bytes) / (1 << 20));
  std::printf("acknowledged %lld, found %lld, readings %lld\n", static_cast<long long>(report.acknowledged),
              static_cast<long long>(report.found), static_cast<long long>(report.readings));
  std::printf("commit p50 %.2f ms, p99 %.2f ms, longest %.2f ms\n", report.commit_quantile(0.5),
              report.commit_quantile(0.99), report.commit_quantile(1));
  for (const std::string& problem : report.problems) std::printf("problem: %s\n", problem.c_str());
  return report.problems.empty() && report.acknowledged > 0 && report.readings > 0 ? 0 : 1;
}

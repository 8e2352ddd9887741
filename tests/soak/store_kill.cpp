// SPDX-License-Identifier: Apache-2.0
// The long proof of the store: store_kill <rounds> <writers> [seed]
// Prints one summary; exit code 0 only when nothing was lost, partial or broken.
#include <cstdio>
#include <cstdlib>

#include "aisp/store/event.h"
#include "tests/soak/kill_rounds.h"

int main(int argc, char** argv) {
  if (argc < 3 || std::atoi(argv[1]) < 1 || std::atoi(argv[2]) < 1) {
    std::fprintf(stderr, "usage: store_kill <rounds> <writers> [seed]\n");
    return 2;
  }
  std::string directory = (std::filesystem::temp_directory_path() / "aisp-store-kill-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    std::fprintf(stderr, "cannot create %s\n", directory.c_str());
    return 7;
  }
  aisp::store::soak::KillOptions options;
  options.rounds = std::atoi(argv[1]);
  options.writers = std::atoi(argv[2]);
  options.seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  options.directory = directory;
  options.progress = [&](int round) {
    if (round % 100 == 0) std::fprintf(stderr, "round %d of %d\n", round, options.rounds);
  };
  const std::string started = aisp::store::utc_now();
  const auto report = aisp::store::soak::kill_rounds(options);
  std::filesystem::remove_all(directory);
  std::printf("store_kill started %s finished %s\n", started.c_str(), aisp::store::utc_now().c_str());
  std::printf("rounds %d writers %d seed %llu\n", report.rounds, options.writers,
              static_cast<unsigned long long>(options.seed));
  std::printf("acknowledged %lld lost %lld partial %lld broken chains %lld (whole but unacknowledged %lld)\n",
              static_cast<long long>(report.acknowledged), static_cast<long long>(report.lost),
              static_cast<long long>(report.partial), static_cast<long long>(report.broken),
              static_cast<long long>(report.beyond));
  for (const std::string& problem : report.problems) std::printf("problem: %s\n", problem.c_str());
  return report.problems.empty() && report.acknowledged > 0 ? 0 : 1;
}

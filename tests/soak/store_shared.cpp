// SPDX-License-Identifier: Apache-2.0
// Writers of one store on a PostgreSQL server, killed again and again: store_shared <seconds> [writers]
// [seed] The server is one of its own, started and ended here. Exit code 0 only when nothing was lost,
// partial or broken.
#include <cstdio>
#include <cstdlib>

#include "aisp/store/event.h"
#include "tests/soak/kill_rounds.h"
#include "tests/store/postgres_server.h"

int main(int argc, char** argv) {
  if (argc < 2 || std::atof(argv[1]) <= 0) {
    std::fprintf(stderr, "usage: store_shared <seconds> [writers] [seed]\n");
    return 2;
  }
  auto* server = aisp::store::test::PostgresServer::shared();
  if (server == nullptr) {
    std::fprintf(stderr, "%s\n", aisp::store::test::PostgresServer::kMissing);
    return 4;
  }
  std::string directory = (std::filesystem::temp_directory_path() / "aisp-store-shared-XXXXXX").string();
  if (::mkdtemp(directory.data()) == nullptr) {
    std::fprintf(stderr, "cannot create %s\n", directory.c_str());
    return 7;
  }
  aisp::store::soak::KillOptions options;
  options.rounds = 1 << 30;
  options.seconds = std::atof(argv[1]);
  options.writers = argc > 2 ? std::atoi(argv[2]) : 8;
  options.seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  options.directory = directory;
  options.new_store = [&] { return server->new_store(); };
  const std::string started = aisp::store::utc_now();
  const auto report = aisp::store::soak::kill_rounds(options);
  std::filesystem::remove_all(directory);
  std::printf("store_shared started %s finished %s\n", started.c_str(), aisp::store::utc_now().c_str());
  std::printf("PostgreSQL, rounds %d writers %d (each killed once a round) seed %llu\n", report.rounds,
              options.writers, static_cast<unsigned long long>(options.seed));
  std::printf("acknowledged %lld lost %lld partial %lld broken chains %lld (whole but unacknowledged %lld)\n",
              static_cast<long long>(report.acknowledged), static_cast<long long>(report.lost),
              static_cast<long long>(report.partial), static_cast<long long>(report.broken),
              static_cast<long long>(report.beyond));
  for (const std::string& problem : report.problems) std::printf("problem: %s\n", problem.c_str());
  return report.problems.empty() && report.acknowledged > 0 ? 0 : 1;
}

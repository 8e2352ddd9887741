// SPDX-License-Identifier: Apache-2.0
/// \file
/// Many processes on one store for a while: writers that must never be refused or lose a result, readers that
/// must never see a broken chain or a result in part.
///
///   const CrowdReport report = crowd({.seconds = 1, .directory = scratch});
///   EXPECT_EQ(report.problems.size(), 0u);
///
/// Shared by tests/store (a second) and the soak program (minutes). Kills nobody: kill_rounds.h does.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "aisp/store/chain.h"
#include "aisp/store/store.h"
#include "tests/soak/kill_rounds.h"

namespace aisp::store::soak {

struct CrowdOptions {
  double seconds = 1;
  int writers = 8;
  int readers = 16;
  double pause_ms = 5;                ///< of a writer between two results
  std::filesystem::path directory;    ///< an existing one, for this alone
  std::filesystem::path server = {};  ///< a store on a server instead of a file in the directory

  std::filesystem::path store() const { return server.empty() ? directory / "results.db" : server; }
};

struct CrowdReport {
  std::int64_t acknowledged = 0;  ///< results that writers were told are saved
  std::int64_t found = 0;         ///< of these, in the store afterwards as they were written
  std::int64_t readings = 0;      ///< times a reader opened the store and read a run
  std::vector<double> commit_ms;  ///< of every acknowledged result, sorted
  std::vector<std::string> problems;

  double commit_quantile(double share) const {
    if (commit_ms.empty()) return 0;
    return commit_ms[std::min(commit_ms.size() - 1,
                              static_cast<std::size_t>(share * static_cast<double>(commit_ms.size())))];
  }
};

/// A child and the numbers it sends: a commit's milliseconds, or 1 for each reading.
struct Member {
  pid_t process = 0;
  int pipe = -1;
};

template <class Life>
Member start_member(Life life) {
  int ends[2];
  if (::pipe(ends) != 0) std::abort();
  Member member{::fork(), ends[0]};
  if (member.process == 0) {
    ::close(ends[0]);
    ::_exit(life(ends[1]));
  }
  ::close(ends[1]);
  return member;
}

inline bool tell(int pipe, double number) { return ::write(pipe, &number, sizeof number) == sizeof number; }

/// Exit codes below 10 are steps of a writer, from 10 those of a reader.
inline int write_for_a_while(const CrowdOptions& options, int writer, int pipe) {
  using Time = std::chrono::steady_clock;
  const auto until = Time::now() + std::chrono::duration<double>(options.seconds);
  Result<Store> store = Store::open(options.store(), Access::read_write);
  if (!store) return 1;
  RunRecord run;
  run.id = run_of(0, writer);
  if (!store->run_started(run)) return 2;
  // One at least, however slow the machine is.
  for (int number = 0; number == 0 || Time::now() < until; ++number) {
    const CellResult cell = cell_of(0, writer, number);
    const auto before = Time::now();
    if (!store->cell_finished(run.id, cell)) return 3;
    if (!tell(pipe, std::chrono::duration<double, std::milli>(Time::now() - before).count())) return 4;
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(options.pause_ms));
  }
  return 0;
}

inline int read_for_a_while(const CrowdOptions& options, int reader, int pipe) {
  using Time = std::chrono::steady_clock;
  const auto until = Time::now() + std::chrono::duration<double>(options.seconds);
  const std::string run = run_of(0, reader % options.writers);
  for (int number = 0; number == 0 || Time::now() < until; ++number) {
    Result<Store> store = Store::open(options.store(), Access::read_only);
    if (!store || !store->warnings().empty()) return 11;
    if (!store->list()) return 12;
    const auto newest = store->cells({.limit = 3});
    if (!newest) return 13;
    for (const CellSummary& cell : *newest) {
      if (!store->load_cell(cell.seq)) return 14;
    }
    // The whole chain takes longer the more there is; now and then is enough.
    if (number % 200 == reader * 12) {
      const Result<ChainReport> chain = check_chain(*store);
      if (!chain || chain->broken) return 15;
    }
    if (!tell(pipe, 1)) return 16;
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(options.pause_ms));
  }
  return 0;
}

/// Everything the members send, and how they ended.
inline std::vector<std::vector<double>> listen(const std::vector<Member>& members, CrowdReport& report) {
  std::vector<std::vector<double>> told(members.size());
  std::vector<std::thread> ears;
  for (std::size_t i = 0; i < members.size(); ++i) {
    ears.emplace_back([&, i] {
      double number = 0;
      while (::read(members[i].pipe, &number, sizeof number) == sizeof number) told[i].push_back(number);
      ::close(members[i].pipe);
    });
  }
  for (std::thread& ear : ears) ear.join();
  for (std::size_t i = 0; i < members.size(); ++i) {
    int status = 0;
    ::waitpid(members[i].process, &status, 0);
    if (status != 0)
      report.problems.push_back("member " + std::to_string(i) + " ended with status " +
                                std::to_string(status));
  }
  return told;
}

inline CrowdReport crowd(const CrowdOptions& options) {
  CrowdReport report;
  {
    Result<Store> created = Store::open(options.store(), Access::read_write);
    if (!created) report.problems.push_back(created.error().message);
  }
  std::vector<Member> members;
  for (int w = 0; w < options.writers; ++w)
    members.push_back(start_member([&](int pipe) { return write_for_a_while(options, w, pipe); }));
  for (int r = 0; r < options.readers; ++r)
    members.push_back(start_member([&](int pipe) { return read_for_a_while(options, r, pipe); }));
  const std::vector<std::vector<double>> told = listen(members, report);

  Result<Store> store = Store::open(options.store(), Access::read_only);
  if (!store) {
    report.problems.push_back(store.error().message);
    return report;
  }
  for (int w = 0; w < options.writers; ++w) {
    const std::vector<double>& commits = told[static_cast<std::size_t>(w)];
    report.acknowledged += static_cast<std::int64_t>(commits.size());
    report.commit_ms.insert(report.commit_ms.end(), commits.begin(), commits.end());
    const Result<RunRecord> run = store->load(run_of(0, w));
    if (!run) continue;
    for (const CellResult& cell : run->cells) {
      const int number = std::stoi(cell.parameters.substr(2));
      if (to_json(cell).dump() == to_json(cell_of(0, w, number)).dump()) ++report.found;
    }
  }
  for (std::size_t r = static_cast<std::size_t>(options.writers); r < told.size(); ++r)
    report.readings += static_cast<std::int64_t>(told[r].size());
  std::ranges::sort(report.commit_ms);
  const Result<ChainReport> chain = check_chain(*store);
  if (!chain || chain->broken) report.problems.push_back("the chain does not hold");
  if (report.found < report.acknowledged)
    report.problems.push_back("lost: " + std::to_string(report.acknowledged - report.found));
  return report;
}

}  // namespace aisp::store::soak

// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where the terminal interface gets what it shows. The command implements it over the catalogue and the
/// store; tests give made-up results.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/harness/catalogue.h"
#include "aisp/report/row.h"
#include "aisp/store/query.h"

namespace aisp::tui {

/// One variant in two results.
struct ComparedVariant {
  std::string name;
  std::string first, second;  ///< its figure in each, with the spread
  std::string ratio;          ///< of the second over the first, with the interval
  report::Judgement verdict;
  std::string reason;  ///< why there is no verdict; may be empty
};

struct Comparison {
  std::string what;  ///< "ch07/transpose n=1024"
  std::string first, second;
  std::string ratio_name;
  std::string note;  ///< "unpaired, different machines"
  std::vector<ComparedVariant> variants;
  std::vector<std::string> left_out;
};

/// Results listed at once: more than anybody scrolls through, and read in milliseconds.
inline constexpr std::size_t kMostListed = 2000;
inline constexpr const char* kMostListedText = "2,000";

class Library {
 public:
  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  virtual ~Library() = default;

  virtual const std::vector<harness::WorkloadInfo>& workloads() = 0;
  /// The store's file, for people; a server's URL without its password.
  virtual std::string place() = 0;
  /// Changes when something is added.
  virtual std::string version() = 0;
  /// The newest finished cells, of one workload or of all (""), newest first, kMostListed at most. None where
  /// there is no store yet.
  virtual Result<std::vector<store::CellSummary>> results(const std::string& workload) = 0;
  virtual Result<CellResult> cell(std::int64_t seq) = 0;
  virtual Result<Comparison> compare(const store::CellSummary& first, const store::CellSummary& second) = 0;
  /// Words for the end of `aisp run ...`, so that it uses the same store, plugins and configuration. A store
  /// on a server is not among them: the environment has its URL, which may hold a password.
  virtual std::vector<std::string> shared_words() = 0;
};

}  // namespace aisp::tui

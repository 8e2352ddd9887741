// SPDX-License-Identifier: Apache-2.0
/// \file
/// The results: an append-only, hash-chained list of events in a file or on a server. What it acknowledges
/// survives kill -9 and, as far as the disk keeps its word, a power cut.
///
///   Result<Store> store = Store::open(path, Access::read_write);
///   if (!store) return store.error();
///   store->run_started(record);
///   store->cell_finished(record.id, cell);    // an error says where the result was kept instead
///   Result<RunRecord> run = store->load("latest");
///
/// One thread at a time. Several processes may write to one store. Not to be carried over fork().
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aisp/core/ceiling.h"
#include "aisp/core/record.h"
#include "aisp/core/result.h"
#include "aisp/core/tuning.h"
#include "aisp/store/query.h"

namespace aisp::store {

class Database;
struct Event;

enum class Access {
  read_write,  ///< creates, recovers, migrates, imports the journal; fails before a run starts if it cannot
               ///< write
  read_only,   ///< changes nothing; works on read-only media and on stores of a newer program
};

/// Events that the table of figures accounts for, of all there are. May be empty.
using CatchingUp = std::function<void(std::int64_t done, std::int64_t all)>;

struct OpenOptions {
  std::filesystem::path fallback;                 ///< directory for the journal when the store's own fails
  std::chrono::milliseconds busy_timeout{10000};  ///< how long to wait for another process's write
  bool to_free_space = false;                     ///< a nearly full disk is no reason to refuse
  bool create = true;                             ///< else a store that is not there is an error
  CatchingUp catching_up;                         ///< told while an older store's figures are derived
};

/// What is read of a run's cells. The rest has its default, and takes no time.
struct Portion {
  bool samples = true;   ///< raw samples and rounds
  bool evidence = true;  ///< behind every verdict
  std::string workload;  ///< only this one's cells, none of them running; a resumed run may look interrupted
};

class Store {
 public:
  static Result<Store> open(const std::filesystem::path& file, Access access,
                            const OpenOptions& options = {});
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;
  ~Store();

  /// Each appends one event; Ok means it is on disk. After an error the event is in the journal if the hint
  /// says so.
  Status run_started(const RunRecord& run);
  Status cell_started(const std::string& run, const std::string& workload, const std::string& parameters);
  Status cell_finished(const std::string& run, const CellResult& cell);
  Status run_finished(const std::string& run, const std::string& status, const std::string& finished,
                      const RunOutcome& outcome = {});
  Status ceilings_measured(const Ceilings& ceilings);
  Status tuned(const Tuning& tuning);
  /// The event handed over last is nowhere, not in the journal either.
  bool lost() const { return lost_; }

  /// "latest", an id, or the unique beginning of one. Every event read is checked against its hash and its
  /// place in the chain. A cell that was started and not finished has stopped = "interrupted" and no
  /// variants; a run without its end has status "interrupted". While somebody measures the run, it and its
  /// last such cell say "running" instead. Of a cell finished twice in one run (resumed) the later counts.
  Result<RunRecord> load(const std::string& id, const Portion& portion = {});
  Result<CellResult> load_cell(std::int64_t seq, const Portion& portion = {});
  /// The run as it began, without its cells; by its whole id. Nothing when it is not there or was pruned.
  Result<std::optional<RunRecord>> load_start(const std::string& id);
  /// What the last end of a run says became of it, by its whole id; nothing is known without one.
  Result<RunOutcome> outcome(const std::string& id);
  Result<std::vector<RunSummary>> list(const RunQuery& query = {});
  Result<std::vector<CellSummary>> cells(const CellQuery& query = {});
  Result<std::optional<Ceilings>> latest_ceilings(const std::string& hardware);
  /// What holds now on this hardware, for all builds: of one question the latest answer, but what was tuned
  /// for a size itself before what was only judged there. An event that is damaged is an Error, not a missing
  /// one.
  Result<std::vector<Tuning>> tunings(const std::string& hardware);

  const std::filesystem::path& file() const { return file_; }
  /// What opening noticed and the user should see: events imported from a journal, events waiting in one.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// For the other parts of aisp/store.
  Database& database() { return *database_; }

 private:
  Store();
  friend struct Opening;
  Status keep(Event event);
  std::string hardware_of(const std::string& run);

  std::filesystem::path file_;
  std::filesystem::path copy_;  ///< directory of a private copy that this object removes; usually empty
  OpenOptions options_;
  std::unique_ptr<Database> database_;
  std::vector<std::string> warnings_;
  bool lost_ = false;
};

}  // namespace aisp::store

// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/prune.h"

#include <algorithm>
#include <cctype>
#include <chrono>

#include "aisp/store/append.h"
#include "aisp/store/database.h"
#include "aisp/store/dialect.h"
#include "aisp/store/in_progress.h"
#include "aisp/store/migrate.h"
#include "aisp/wire/json.h"

namespace aisp::store {
namespace {

bool is_date(const std::string& text) {
  const std::string pattern = "dddd-dd-dd";
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const bool digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (pattern[i] == 'd' ? !digit : text[i] != pattern[i]) return false;
  }
  const auto number = [&](std::size_t at, std::size_t size) {
    return static_cast<unsigned>(std::stoul(text.substr(at, size)));
  };
  const std::chrono::year_month_day day{std::chrono::year(static_cast<int>(number(0, 4))),
                                        std::chrono::month(number(5, 2)), std::chrono::day(number(8, 2))};
  // Dates are compared as text: a month 99 would be later than every run.
  return day.ok() && (text.size() == pattern.size() || text[pattern.size()] == 'T');
}

std::vector<std::string> runs_to_prune(const Database& database, const PruneOptions& options) {
  // ISO dates sort as text. A merge puts older runs behind younger ones: their dates say which are the
  // newest.
  Statement rows = database.prepare(
      "SELECT run FROM (SELECT run, created, row_number() OVER (ORDER BY created DESC, seq DESC) AS place "
      "FROM events AS e "
      "WHERE kind = 'run_started' "
      "AND NOT EXISTS (SELECT 1 FROM events AS p WHERE p.run = e.run AND p.kind = 'run_pruned')) AS placed "
      "WHERE place > ?1 AND (?2 = '' OR created < ?2) ORDER BY place");
  rows.bind(1, static_cast<std::int64_t>(options.keep_newest.value_or(0)))
      .bind(2, options.older_than.value_or(""));
  std::vector<std::string> runs;
  while (rows.step()) runs.push_back(rows.text(0));
  // What is being measured is not pruned: its later results would be stored and never seen again.
  std::erase_if(runs, [&](const std::string& run) { return is_in_progress(database, run); });
  return runs;
}

void count_payloads(const Database& database, PruneReport& report) {
  Statement rows = database.prepare("SELECT count(*), sum(" + bytes_of(database.engine(), "payload") +
                                    ") FROM events WHERE run = ?1 AND payload IS NOT NULL");
  for (const std::string& run : report.runs) {
    rows.reset();
    if (!rows.bind(1, run).step()) continue;
    report.events += rows.integer(0);
    report.bytes += rows.integer(1);
  }
}

void prune_run(const Database& database, const std::string& run) {
  Event event;
  event.run = run;
  event.kind = kRunPruned;
  seal(event);
  append(database, event);
  // The trigger admits exactly this change, and only after the event above.
  Statement erase =
      database.prepare("UPDATE events SET payload = NULL WHERE run = ?1 AND kind <> 'run_pruned'");
  erase.bind(1, run).finish();
}

}  // namespace

Result<PruneReport> prune(Store& store, const PruneOptions& options) {
  if (!options.keep_newest && !options.older_than) {
    return Error{ErrorCode::usage, "nothing says which runs to prune", "give --keep or --older-than"};
  }
  if (options.older_than && !is_date(*options.older_than)) {
    return Error{ErrorCode::usage, "'" + printable_utf8(*options.older_than) + "' is not a date",
                 "write it as 2026-01-31"};
  }
  return attempt([&] {
    const Database& database = store.database();
    PruneReport report;
    if (options.dry_run) {
      report.runs = runs_to_prune(database, options);
      count_payloads(database, report);
      return report;
    }
    {
      Transaction transaction(database);
      refuse_newer(database);
      report.runs = runs_to_prune(database, options);
      count_payloads(database, report);
      for (const std::string& run : report.runs) prune_run(database, run);
      transaction.commit();
    }
    // Giving the space back is a courtesy: what was asked for is done even if this fails. A server does it
    // by itself.
    if (database.engine() == Engine::sqlite)
      (void)attempt([&] { database.execute("PRAGMA incremental_vacuum"); });
    return report;
  });
}

}  // namespace aisp::store

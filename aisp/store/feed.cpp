// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/feed.h"

#include "aisp/store/database.h"

namespace aisp::store {

Result<std::vector<FeedEvent>> events_after(Store& store, std::int64_t seq, std::size_t limit) {
  return attempt([&] {
    Statement rows = store.database().prepare(
        "SELECT seq, kind, run, workload, parameters, device, hardware, validity, created FROM events "
        "WHERE seq > ?1 ORDER BY seq LIMIT ?2");
    rows.bind(1, seq).bind(2, static_cast<std::int64_t>(limit));
    std::vector<FeedEvent> events;
    while (rows.step())
      events.push_back({.seq = rows.integer(0),
                        .kind = rows.text(1),
                        .run = rows.text(2),
                        .workload = rows.text(3),
                        .parameters = rows.text(4),
                        .device = rows.text(5),
                        .hardware = rows.text(6),
                        .validity = rows.text(7),
                        .created = rows.text(8)});
    return events;
  });
}

Result<std::int64_t> last_event(Store& store) {
  return attempt([&] { return store.database().number("SELECT max(seq) FROM events"); });
}

Result<StoreCounts> counts(Store& store) {
  return attempt([&] {
    const Database& database = store.database();
    return StoreCounts{
        .runs = database.number("SELECT count(*) FROM events AS e WHERE kind = 'run_started' AND NOT EXISTS "
                                "(SELECT 1 FROM events AS p WHERE p.run = e.run AND p.kind = 'run_pruned')"),
        .cells = database.number("SELECT count(*) FROM events WHERE kind = 'cell_finished'"),
        .last_event = database.number("SELECT max(seq) FROM events")};
  });
}

Result<std::vector<std::string>> hardware_with_results(Store& store) {
  return attempt([&] {
    // From one name to the next along the index: as many steps as there are names.
    Statement next = store.database().prepare(
        "SELECT min(hardware) FROM events WHERE kind = 'cell_finished' AND hardware > ?1");
    std::vector<std::string> names;
    std::string last;
    while (next.bind(1, last).step() && !next.is_null(0)) {
      last = next.text(0);
      names.push_back(last);
      next.reset();
    }
    return names;
  });
}

}  // namespace aisp::store

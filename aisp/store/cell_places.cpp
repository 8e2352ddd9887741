// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/cell_places.h"

#include <vector>

#include "aisp/store/database.h"

namespace aisp::store {
namespace {

struct Place {
  std::string workload, parameters, device;
  bool waiting = true;  ///< started and not finished: takes a result of any device
};

/// By the rules of Store::load().
std::size_t place_of(std::vector<Place>& places, const Place& cell, bool started) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].workload != cell.workload || places[i].parameters != cell.parameters) continue;
    if (started || places[i].waiting || places[i].device == cell.device) return i;
  }
  places.push_back({cell.workload, cell.parameters, "cpu"});
  return places.size() - 1;
}

}  // namespace

std::optional<std::int64_t> CellPlaces::event_at(std::size_t place) const {
  for (auto entry = by_event.rbegin(); entry != by_event.rend(); ++entry)
    if (entry->second == place) return entry->first;
  return std::nullopt;
}

Result<CellPlaces> cell_places(Store& store, const std::string& run) {
  return attempt([&] {
    Statement rows = store.database().prepare(
        "SELECT seq, kind, workload, parameters, device FROM events WHERE run = ?1 "
        "AND kind IN ('cell_started', 'cell_finished') AND payload IS NOT NULL ORDER BY seq");
    rows.bind(1, run);
    std::vector<Place> places;
    CellPlaces found;
    while (rows.step()) {
      const Place cell{rows.text(2), rows.text(3), rows.text(4)};
      const bool started = rows.text(1) == "cell_started";
      const std::size_t place = place_of(places, cell, started);
      if (started) continue;
      places[place].device = cell.device;
      places[place].waiting = false;
      found.by_event[rows.integer(0)] = place;
    }
    found.cells = places.size();
    return found;
  });
}

}  // namespace aisp::store

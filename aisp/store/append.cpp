// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/append.h"

#include "aisp/core/check.h"
#include "aisp/store/figures_fold.h"

namespace aisp::store {

Row read_row(const Statement& statement) {
  Row row;
  row.seq = statement.integer(0);
  Event& event = row.event;
  std::string* const columns[] = {&event.id,         &event.run,    &event.kind,         &event.workload,
                                  &event.parameters, &event.device, &event.hardware,     &event.validity,
                                  &event.created,    &event.nonce,  &event.payload_hash, &row.hash};
  int index = 1;
  for (std::string* column : columns) {
    row.well_typed = row.well_typed && statement.is_text(index);
    *column = statement.text(index++);
  }
  if (!statement.is_null(index)) {
    row.well_typed = row.well_typed && statement.is_text(index);
    event.payload = statement.text(index);
  }
  return row;
}

ChainHead chain_head(const Database& database) {
  Statement last = database.prepare("SELECT seq, hash FROM events ORDER BY seq DESC LIMIT 1");
  if (!last.step()) return {0, chain_origin()};
  return {last.integer(0), last.text(1)};
}

bool append(const Database& database, const Event& event) {
  AISP_CHECK(database.in_transaction(), "events are appended under the write lock");
  Statement known = database.prepare("SELECT 1 FROM events WHERE id = ?1");
  if (known.bind(1, event.id).step()) return false;
  const ChainHead head = chain_head(database);
  Statement insert =
      database.prepare("INSERT INTO events (" AISP_EVENT_COLUMNS
                       ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)");
  insert.bind(1, head.seq + 1)
      .bind(2, event.id)
      .bind(3, event.run)
      .bind(4, event.kind)
      .bind(5, event.workload)
      .bind(6, event.parameters)
      .bind(7, event.device)
      .bind(8, event.hardware)
      .bind(9, event.validity)
      .bind(10, event.created)
      .bind(11, event.nonce)
      .bind(12, event.payload_hash)
      .bind(13, chain_hash(head.hash, event.id));
  if (event.payload) {
    insert.bind(14, *event.payload);
  } else {
    insert.bind_null(14);
  }
  insert.finish();
  fold_event(database, head.seq + 1, event);
  return true;
}

}  // namespace aisp::store

// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/place.h"

#include "aisp/store/database.h"
#include "aisp/store/postgres_connection.h"
#include "aisp/store/postgres_schema.h"
#include "aisp/store/postgres_url.h"

namespace aisp::store {

Result<bool> is_there(const std::filesystem::path& store) {
  return attempt([&] {
    if (is_postgres_url(store.string())) {
      const Database server(
          std::make_unique<PostgresConnection>(store.string(), true, std::chrono::milliseconds(0)));
      return has_state(server);
    }
    std::error_code ignored;
    return std::filesystem::exists(store, ignored);
  });
}

}  // namespace aisp::store

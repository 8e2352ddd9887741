// SPDX-License-Identifier: Apache-2.0
#include "aisp/store/in_progress.h"

#include "aisp/store/run_lock.h"

namespace aisp::store {

bool is_in_progress(const Database& database, const std::string& run) {
  return is_running(run) || database.connection().is_held(run);
}

}  // namespace aisp::store

// SPDX-License-Identifier: Apache-2.0
/// \file
/// A sandbox whose store holds one short run, for commands that read one.
#pragma once

#include "tests/integration/aisp_process.h"

namespace aisp::testing {

/// A short run of an honest workload; its verdict depends on how busy the machine is.
inline Finished store_a_run(Sandbox& box) {
  box.give_ceilings();
  return box.run({"run", "--plugin", plugin("pace"), "pace/fast", "--json", "--cell-seconds", "0.2",
                  "--max-rounds", "24", "--attempts", "1"});
}

}  // namespace aisp::testing

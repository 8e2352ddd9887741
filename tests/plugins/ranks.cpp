// SPDX-License-Identifier: Apache-2.0
// Collective work, for which there is no launcher yet.
#include "tests/plugins/doubling.h"

namespace aisp::plugins {
namespace {

Workload ranks() {
  Workload workload = doubling("ranks/sum", "same", honest);
  workload.shape = Shape::collective;
  for (Variant& variant : workload.variants) {
    variant.run = CollectiveFunction([](CollectiveCall& call) { call.exchange().barrier(); });
  }
  return workload;
}
const Registration registered{ranks()};

}  // namespace
}  // namespace aisp::plugins

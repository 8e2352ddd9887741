// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/verdict.h"

#include "aisp/core/config.h"
#include "aisp/core/enum_name.h"
#include "aisp/core/evidence.h"

namespace aisp {

std::string_view name_of(Validity v) { return pick<4>({"valid", "unproven", "invalid", "failed"}, v); }
std::string_view name_of(Outcome o) { return pick<4>({"faster", "slower", "equivalent", "inconclusive"}, o); }
std::string_view name_of(Policy p) { return pick<3>({"portable", "standard", "strict"}, p); }
std::string_view name_of(Level l) { return pick<4>({"pass", "note", "unknown", "reject"}, l); }
std::string_view name_of(CacheMode m) { return pick<3>({"hot", "cold", "steady"}, m); }
std::string_view name_of(Instrument i) {
  return pick<4>({"isolated device time", "steady period", "call latency", "device time as a graph"}, i);
}
std::string_view name_of(WorkerMode m) { return pick<2>({"shared", "split"}, m); }

}  // namespace aisp

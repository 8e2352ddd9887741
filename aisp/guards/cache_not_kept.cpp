// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Lines that persist survive an ordinary flush. The harness takes them back before every reading; a call that
// asks again in each of its windows wants to find what was there before.
Finding cache_not_kept_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const auto& calls = evidence.accelerator.persisting_calls;
  if (!calls)
    return unknown("whether calls asked for cache that persists was not seen", "let the run finish");
  if (*calls > 0) {
    return reject("in " + count(*calls) + " windows the call asked for cache that survives a flush",
                  "leave cudaLimitPersistingL2CacheSize and the stream's access policy window alone");
  }
  return pass("no call asked for cache that survives a flush");
}

}  // namespace

constexpr Guard cache_not_kept{
    .id = "cache_not_kept",
    .question = "Did calls leave nothing in the cache for the next one?",
    .issues = {85},
    .required_from = Policy::standard,
    .judge = cache_not_kept_finding,
};

}  // namespace aisp::guards

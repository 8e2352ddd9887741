// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/limits.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// As many sets as a window has room for may be less than the cache: then steady calls are hot ones.
Finding rotation_exceeds_cache_finding(const Evidence& evidence) {
  if (evidence.device == DeviceKind::cpu) return pass("measured on the CPU");
  const auto& instrument = evidence.timing.instrument;
  const auto& rotation = evidence.accelerator.rotation_over_cache;
  if (instrument && *instrument != Instrument::steady && !rotation) return pass("not a steady period");
  if (!rotation) return unknown("what the sets of a window hold was not recorded", "let the run finish");
  if (!(*rotation >= kRotationOverCache)) {
    return note("the sets of a window hold " + number(*rotation) +
                    " times the cache: calls find some of their tensors there",
                "choose a larger size, or free the device's memory; " + number(kRotationOverCache) +
                    " times are aimed at");
  }
  return pass("the sets of a window hold " + number(*rotation) + " times the cache");
}

}  // namespace

constexpr Guard rotation_exceeds_cache{
    .id = "rotation_exceeds_cache",
    .question = "Did steady calls find nothing of their own in the cache?",
    .issues = {85},
    .required_from = Policy::strict,
    .judge = rotation_exceeds_cache_finding,
};

}  // namespace aisp::guards

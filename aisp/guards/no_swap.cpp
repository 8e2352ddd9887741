// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// Rounds in which it happened are discarded, and few_rounds_discarded rejects when they are most. Here is
// rejected what the rule over rounds did not see.
Finding no_swap_finding(const Evidence& evidence) {
  const auto& pages = evidence.process.swapped_pages;
  if (!pages) return unknown("swapping was not recorded", "/proc/vmstat could not be read");
  if (*pages > 0 && evidence.sampling.discarded_for(kRoundSwapped)) {
    return note(
        count(*pages) + " pages were swapped during the attempts; the rounds it fell into are discarded",
        "close programs or choose a smaller size");
  }
  if (*pages > 0) {
    return reject(count(*pages) + " pages were swapped during the attempts",
                  "close programs or choose a smaller size; `swapoff -a` keeps the next run clean");
  }
  return pass("nothing was swapped");
}

}  // namespace

constexpr Guard no_swap{
    .id = "no_swap",
    .question = "Did the machine keep everything in memory?",
    .issues = {42},
    .required_from = Policy::standard,
    .judge = no_swap_finding,
};

}  // namespace aisp::guards

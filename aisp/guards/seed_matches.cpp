// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

// The hash of each attempt's seed is published before its first round and the seed after its last, so nobody
// can have chosen inputs that suit a variant.
Finding seed_matches_finding(const Evidence& evidence) {
  const ConfigEvidence& config = evidence.config;
  if (config.seed_matches.has_value() && !*config.seed_matches) {
    return reject(
        "a seed revealed at the end does not hash to its commitment " + config.seed_commitment.substr(0, 12),
        "the record was altered or the worker was: `aisp store check` tells which");
  }
  if (!config.seed_matches || config.seed_commitment.empty()) {
    return unknown("no seed was revealed", "an attempt that ends early cannot reveal its seed");
  }
  return pass("seeds match their commitments");
}

}  // namespace

constexpr Guard seed_matches{
    .id = "seed_matches",
    .question = "Were the inputs drawn from the seed promised beforehand?",
    .issues = {28, 94},
    .required_from = Policy::portable,
    .judge = seed_matches_finding,
};

}  // namespace aisp::guards

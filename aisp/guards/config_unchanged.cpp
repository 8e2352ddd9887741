// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/finding.h"
#include "aisp/guards/list.h"

namespace aisp::guards {
namespace {

Finding config_unchanged_finding(const Evidence& evidence) {
  const ConfigEvidence& config = evidence.config;
  if (config.hash_at_start.empty() || config.hash_at_end.empty()) {
    return unknown("the configuration was not hashed at both ends", "the run did not come to its end");
  }
  if (config.hash_at_start != config.hash_at_end) {
    return reject(
        "the configuration's hash was " + config.hash_at_start.substr(0, 12) + " and became " +
            config.hash_at_end.substr(0, 12),
        "nothing may change settings during a run: look for code that writes to the worker's memory");
  }
  return pass("configuration " + config.hash_at_start.substr(0, 12) + " throughout");
}

}  // namespace

constexpr Guard config_unchanged{
    .id = "config_unchanged",
    .question = "Is the configuration at the end the one frozen at the start?",
    .issues = {83, 89, 93},
    .required_from = Policy::portable,
    .judge = config_unchanged_finding,
};

}  // namespace aisp::guards

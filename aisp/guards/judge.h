// SPDX-License-Identifier: Apache-2.0
/// \file
/// Puts every guard's question to one row's evidence and turns the answers into one word.
///
///   std::vector<Finding> findings = guards::judge(evidence);
///   guards::mark_waived(findings, config.waivers);
///   result.validity = guards::validity_of(findings, config.policy);
///
/// Pure: the same evidence gives the same findings, today or over a result stored years ago. Never says
/// `failed`: a crash leaves no evidence to judge.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "aisp/core/guard.h"
#include "aisp/core/result.h"

namespace aisp::guards {

/// Every guard, in the order findings are shown: answers, clock, process, physics, samples, promises,
/// machine.
std::span<const Guard> all();

/// The guard of that id, or nothing.
const Guard* find(std::string_view id);

/// One guard's finding, with its id filled in.
Finding ask(const Guard& guard, const Evidence& evidence);

std::vector<Finding> judge(const Evidence& evidence);
/// The same with a chosen set of guards; tests use it to show what the missing one would have let through.
std::vector<Finding> judge(const Evidence& evidence, std::span<const Guard> guards);

/// Names a waiver that is no guard's id. Called before a run begins: a misspelt waiver must not wait for the
/// end.
Status check_waivers(std::span<const std::string> waivers);

/// Marks the rejections the user accepts. Only rejections: an unknown fact is a matter of the policy.
void mark_waived(std::span<Finding> findings, std::span<const std::string> waivers);

/// `invalid` when a rejection stands, else `unproven` when a fact this policy requires is unknown, else
/// `valid`. A finding counts as waived when it is marked or named in `waivers`. Findings of guards this build
/// does not know (a newer store) count as required.
Validity validity_of(std::span<const Finding> findings, Policy policy,
                     std::span<const std::string> waivers = {});

/// The facts that are unknown and that the policy tolerates; they are listed on the row.
std::vector<std::string> tolerated_unknowns(std::span<const Finding> findings, Policy policy);

}  // namespace aisp::guards

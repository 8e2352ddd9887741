// SPDX-License-Identifier: Apache-2.0
#include "aisp/guards/judge.h"

#include <algorithm>

#include "aisp/core/check.h"
#include "aisp/core/nearest.h"

namespace aisp::guards {
namespace {

bool required(const Finding& finding, Policy policy) {
  const Guard* guard = find(finding.guard);
  return guard == nullptr || policy >= guard->required_from;
}

bool named(std::span<const std::string> waivers, std::string_view id) {
  return std::ranges::find(waivers, id) != waivers.end();
}

}  // namespace

const Guard* find(std::string_view id) {
  const auto guards = all();
  const auto found = std::ranges::find(guards, id, &Guard::id);
  return found == guards.end() ? nullptr : &*found;
}

Finding ask(const Guard& guard, const Evidence& evidence) {
  AISP_CHECK(guard.judge != nullptr, "a guard without a judge function cannot be asked");
  Finding finding = guard.judge(evidence);
  finding.guard = guard.id;
  return finding;
}

std::vector<Finding> judge(const Evidence& evidence) { return judge(evidence, all()); }

std::vector<Finding> judge(const Evidence& evidence, std::span<const Guard> guards) {
  std::vector<Finding> findings;
  findings.reserve(guards.size());
  for (const Guard& guard : guards) findings.push_back(ask(guard, evidence));
  return findings;
}

Status check_waivers(std::span<const std::string> waivers) {
  for (const std::string& waiver : waivers) {
    if (find(waiver) == nullptr) {
      std::vector<std::string> ids;
      for (const Guard& guard : all()) ids.emplace_back(guard.id);
      const auto near = nearest(waiver, ids);
      return Error{
          .code = ErrorCode::usage,
          .message = "cannot waive '" + waiver + "': no guard has that id",
          .hint = near.empty() ? "`aisp explain` lists the ids" : "did you mean '" + near.front() + "'?"};
    }
  }
  return Ok{};
}

void mark_waived(std::span<Finding> findings, std::span<const std::string> waivers) {
  for (Finding& finding : findings) {
    finding.waived = finding.level == Level::reject && (finding.waived || named(waivers, finding.guard));
  }
}

Validity validity_of(std::span<const Finding> findings, Policy policy, std::span<const std::string> waivers) {
  // Nobody looked: that is not the same as nothing found.
  Validity verdict = findings.empty() ? Validity::unproven : Validity::valid;
  for (const Finding& finding : findings) {
    if (finding.level == Level::reject && !finding.waived && !named(waivers, finding.guard)) {
      return Validity::invalid;
    }
    if (finding.level == Level::unknown && required(finding, policy)) verdict = Validity::unproven;
  }
  return verdict;
}

std::vector<std::string> tolerated_unknowns(std::span<const Finding> findings, Policy policy) {
  std::vector<std::string> ids;
  for (const Finding& finding : findings) {
    if (finding.level == Level::unknown && !required(finding, policy)) ids.push_back(finding.guard);
  }
  return ids;
}

}  // namespace aisp::guards

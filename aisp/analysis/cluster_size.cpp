// SPDX-License-Identifier: Apache-2.0
#include "aisp/analysis/cluster_size.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace aisp::analysis {
namespace {

Status check(const ServingPlan& plan) {
  constexpr double kAny = std::numeric_limits<double>::max();
  for (const auto& [name, value, most] : {std::tuple{"parameters", plan.parameters, kAny},
                                          {"bits of a parameter", plan.weight_bits, kAny},
                                          {"key-value bytes of a token", plan.kv_bytes, kAny},
                                          {"prompt tokens", plan.prompt_tokens, kAny},
                                          {"output tokens", plan.output_tokens, kAny},
                                          {"requests per second", plan.requests_per_second, kAny},
                                          {"time to the first token", plan.first_token_s, kAny},
                                          {"time per token", plan.token_s, kAny},
                                          {"memory of a GPU", plan.memory_bytes, kAny},
                                          {"memory bandwidth of a GPU", plan.bytes_per_second, kAny},
                                          {"flops of a GPU", plan.flops, kAny},
                                          {"share of memory", plan.memory_share, 1.0},
                                          {"share of bandwidth", plan.bandwidth_share, 1.0},
                                          {"share of flops", plan.flops_share, 1.0},
                                          {"share kept by a doubling", plan.doubling_share, 1.0}}) {
    if (value > 0 && value <= most) continue;
    return Error{ErrorCode::bad_input,
                 std::string(name) + (most == 1 ? " must be above 0 and at most 1" : " must be above 0"), ""};
  }
  if (!(plan.busy_share > 0 && plan.busy_share < 1))
    return Error{ErrorCode::bad_input, "the busy share must be above 0 and below 1",
                 "a group that is always busy makes its queue grow without end"};
  if (!(plan.active >= 0 && plan.active <= plan.parameters))
    return Error{ErrorCode::bad_input, "active parameters must be at most all parameters", ""};
  if (plan.most_per_group < 1) return Error{ErrorCode::bad_input, "a group needs at least one GPU", ""};
  return Ok{};
}

class Group {
 public:
  Group(const ServingPlan& plan, int gpus)
      : plan_(plan),
        active_(plan.active > 0 ? plan.active : plan.parameters),
        scale_(gpus * std::pow(plan.doubling_share, std::log2(gpus))) {
    group_.gpus_per_group = gpus;
  }

  GroupPlan made() {
    group_.weights_bytes = plan_.parameters * plan_.weight_bits / 8;
    group_.room_bytes = group_.gpus_per_group * plan_.memory_bytes * plan_.memory_share;
    group_.request_bytes = (plan_.prompt_tokens + plan_.output_tokens) * plan_.kv_bytes;
    group_.by_memory = std::floor((group_.room_bytes - group_.weights_bytes) / group_.request_bytes);
    group_.prompt_s = 2 * active_ * plan_.prompt_tokens / (scale_ * plan_.flops * plan_.flops_share);
    // The mean wait of a queue with one server and equally long work, relative to that work.
    group_.first_token_s = group_.prompt_s * (1 + plan_.busy_share / (2 * (1 - plan_.busy_share)));
    group_.why_not = objection();
    if (!group_.why_not.empty()) return group_;
    group_.requests = most_within_objective();
    group_.step_s = step(group_.requests);
    group_.token_s = between_tokens(group_.requests);
    group_.requests_per_second = group_.requests / (plan_.output_tokens * group_.token_s);
    const double groups =
        std::ceil(plan_.requests_per_second / (plan_.busy_share * group_.requests_per_second));
    if (!(groups * group_.gpus_per_group < 1e15)) {
      group_.why_not = "the traffic would take more than 10^15 GPUs";
      return group_;
    }
    group_.groups = static_cast<std::int64_t>(groups);
    group_.gpus = group_.groups * group_.gpus_per_group;
    return group_;
  }

 private:
  std::string objection() const {
    if (!(group_.weights_bytes < group_.room_bytes)) return "the weights do not fit";
    if (!(group_.by_memory >= 1)) return "not one request fits beside the weights";
    if (!(group_.first_token_s <= plan_.first_token_s)) return "the first token comes too late";
    if (!(between_tokens(1) <= plan_.token_s)) return "tokens come too slowly even for one request";
    return "";
  }

  /// One token of each of `requests`: read what is needed, or compute, whichever takes longer. Requests of a
  /// mixture of experts read different ones, at most all of them.
  double step(double requests) const {
    const double weights = std::min(plan_.parameters, active_ * requests) * plan_.weight_bits / 8;
    const double past = requests * (plan_.prompt_tokens + plan_.output_tokens / 2) * plan_.kv_bytes;
    return std::max((weights + past) / (scale_ * plan_.bytes_per_second * plan_.bandwidth_share),
                    2 * active_ * requests / (scale_ * plan_.flops * plan_.flops_share));
  }

  /// For each token of an answer one prompt in `output_tokens` has to be computed, for each request.
  double between_tokens(double requests) const {
    return step(requests) + requests * group_.prompt_s / plan_.output_tokens;
  }

  /// It grows with the number of requests, and so does the rate: the most that is fast enough is the best.
  double most_within_objective() const {
    double good = 1, bad = std::min(group_.by_memory, 1e9) + 1;
    while (bad - good > 1) {
      const double middle = std::floor((good + bad) / 2);
      (between_tokens(middle) <= plan_.token_s ? good : bad) = middle;
    }
    return good;
  }

  const ServingPlan& plan_;
  double active_;
  double scale_;  ///< how many times one GPU's rate the group has
  GroupPlan group_;
};

}  // namespace

Result<ClusterSize> cluster_size(const ServingPlan& plan) {
  if (const Status fine = check(plan); !fine) return fine.error();
  ClusterSize size;
  bool found = false;
  for (int gpus = 1; gpus <= plan.most_per_group; gpus *= 2) {
    size.tried.push_back(Group(plan, gpus).made());
    const GroupPlan& made = size.tried.back();
    if (!made.why_not.empty() || (found && made.gpus >= size.best().gpus)) continue;
    size.chosen = size.tried.size() - 1;
    found = true;
  }
  if (found) return size;
  std::string reasons;
  for (const GroupPlan& tried : size.tried)
    reasons += (reasons.empty() ? "" : "; ") + std::to_string(tried.gpus_per_group) + ": " + tried.why_not;
  return Error{ErrorCode::bad_input, "no group of GPUs serves this (" + reasons + ")",
               "a smaller type, a later objective, a larger GPU or larger groups would help"};
}

}  // namespace aisp::analysis

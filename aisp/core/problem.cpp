// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/problem.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace aisp {
namespace {

Error bad(const TensorSpec& tensor, const std::string& what) {
  return {ErrorCode::bad_input, "tensor '" + tensor.name + "': " + what,
          "choose another size with --param, or correct the workload's problem()"};
}

}  // namespace

std::string_view name_of(Traffic traffic) {
  constexpr std::string_view kNames[] = {"any", "read", "write", "copy", "h2d_pinned"};
  return kNames[static_cast<std::size_t>(traffic)];
}

Traffic traffic_named(std::string_view name) {
  for (const Traffic traffic : {Traffic::read, Traffic::write, Traffic::copy, Traffic::from_host})
    if (name_of(traffic) == name) return traffic;
  return Traffic::any;
}

std::size_t Problem::bytes() const {
  std::size_t total = 0;
  for (const TensorSpec& tensor : tensors) total += tensor.bytes();
  return total;
}

int Problem::families() const {
  std::size_t most = 0;
  for (const TensorSpec& tensor : tensors) most = std::max(most, tensor.families.size());
  return static_cast<int>(most);
}

Status validate(const Problem& problem) {
  bool has_output = false;
  std::set<std::string> names;
  for (const TensorSpec& tensor : problem.tensors) {
    if (!names.insert(tensor.name).second) return bad(tensor, "declared twice");
    if (std::ranges::any_of(tensor.shape, [](std::int64_t extent) { return extent < 1; }))
      return bad(tensor, "every extent must be at least 1");
    if (tensor.place == Place::host && tensor.role != Role::input)
      return bad(tensor, "only inputs may lie on the host");
    if (tensor.role == Role::output) {
      has_output = true;
      const Tolerance& t = tensor.tolerance;
      for (const double part : {t.relative, t.scaled, t.absolute}) {
        if (!(part >= 0) || !std::isfinite(part))
          return bad(tensor, "tolerance must be finite and not negative");
      }
    } else if (tensor.families.empty()) {
      return bad(tensor, "no distribution to draw it from");
    }
  }
  if (!has_output)
    return Error{ErrorCode::bad_input, "the problem declares no output", "declare at least one"};
  if (problem.families() < 2) {
    return Error{ErrorCode::bad_input, "inputs come from fewer than two families",
                 "give an input a second, harder distribution (wide_range, cancelling, ties)"};
  }
  return Ok{};
}

}  // namespace aisp

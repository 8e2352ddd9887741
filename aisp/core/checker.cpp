// SPDX-License-Identifier: Apache-2.0
#include "aisp/core/checker.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace aisp {
namespace {

class ReferenceChecker : public AnswerChecker {
 public:
  ReferenceChecker(std::vector<TensorSpec> specs, std::vector<WideTensor> wanted)
      : specs_(std::move(specs)), wanted_(std::move(wanted)) {}

  CheckOutcome check(std::span<const TensorView> outputs) const override {
    CheckOutcome outcome;
    for (std::size_t t = 0; t < specs_.size(); ++t)
      compare_tensor(specs_[t], outputs[t], wanted_[t], outcome);
    return outcome;
  }

  double miss_probability() const override { return 0; }

  bool element(std::size_t tensor, std::int64_t i, double& want, double& allowed) const override {
    const auto at = static_cast<std::size_t>(i);
    const WideTensor& wide = wanted_[tensor];
    want = wide.value[at];
    const double scale = wide.scale.empty() ? std::fabs(want) : wide.scale[at];
    allowed = specs_[tensor].tolerance.bitwise ? 0 : specs_[tensor].tolerance.allowed(want, scale);
    return true;
  }

 private:
  std::vector<TensorSpec> specs_;
  std::vector<WideTensor> wanted_;
};

}  // namespace

std::string describe_wrong(const TensorSpec& spec, std::int64_t i, double got, double want, double allowed) {
  char text[200];
  std::snprintf(text, sizeof text, "%s[%lld]: got %.9g, want %.9g (allowed %.3g)", spec.name.c_str(),
                static_cast<long long>(i), got, want, allowed);
  return text;
}

void compare_tensor(const TensorSpec& spec, const TensorView& got, const WideTensor& want,
                    CheckOutcome& outcome) {
  for (std::int64_t i = 0; i < got.size; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double value = got.value(i);
    const double expected = want.value[at];
    if (value == expected) continue;  // also equal infinities
    const double scale = want.scale.empty() ? std::fabs(expected) : want.scale[at];
    const double allowed = spec.tolerance.bitwise ? 0 : spec.tolerance.allowed(expected, scale);
    const double error = std::fabs(value - expected);
    const bool both_nan = std::isnan(value) && std::isnan(expected);
    if (both_nan || (std::isfinite(expected) && error <= allowed)) {
      if (allowed > 0 && error / allowed > outcome.worst) outcome.worst = error / allowed;
      continue;
    }
    if (outcome.wrong++ == 0) outcome.first = describe_wrong(spec, i, value, expected, allowed);
    const double multiple = allowed > 0 ? error / allowed : std::numeric_limits<double>::infinity();
    if (!(multiple <= outcome.worst))
      outcome.worst = std::isnan(multiple) ? std::numeric_limits<double>::infinity() : multiple;
  }
}

std::unique_ptr<AnswerChecker> make_reference_checker(const ReferenceFunction& reference,
                                                      const CheckSetup& setup) {
  std::vector<TensorSpec> specs;
  std::vector<WideTensor> wanted;
  for (const TensorSpec& spec : setup.problem.tensors) {
    if (spec.role != Role::output) continue;
    specs.push_back(spec);
    wanted.push_back({std::vector<double>(static_cast<std::size_t>(spec.size())), {}});
  }
  reference({setup.params, setup.inputs, setup.state, wanted});
  return std::make_unique<ReferenceChecker>(std::move(specs), std::move(wanted));
}

}  // namespace aisp

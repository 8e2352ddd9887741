// SPDX-License-Identifier: Apache-2.0
#include "aisp/harness/gpu_checker.h"

namespace aisp::harness {

GpuChecker::GpuChecker(device::Gpu& gpu, const Workload& workload, const Problem& problem,
                       const Params& params)
    : gpu_(gpu), workload_(workload), params_(params) {
  for (const TensorSpec& spec : problem.tensors) {
    if (spec.role != Role::output) continue;
    const std::size_t bytes = static_cast<std::size_t>(spec.size()) * sizeof(double);
    outputs_.push_back(&spec);
    values_.emplace_back(gpu.memory(), bytes);
    scales_.emplace_back(gpu.memory(), bytes);
    wide_.push_back({.value = reinterpret_cast<double*>(values_.back().data()),
                     .scale = reinterpret_cast<double*>(scales_.back().data()),
                     .size = spec.size()});
  }
}

void GpuChecker::find_answer(const GpuTensorSet& set) {
  if (!workload_.device_reference) return find_on_host(set);
  for (const GpuBlock& scale : scales_) gpu_.memory().clear(scale.data(), scale.bytes());
  gpu_.timing().run(
      [&](void* stream) { workload_.device_reference({params_, set.inputs(), wide_, stream}); });
}

void GpuChecker::find_on_host(const GpuTensorSet& set) {
  std::vector<std::vector<std::byte>> copies;
  std::vector<TensorView> inputs;
  for (const TensorView& input : set.inputs()) {
    std::vector<std::byte>& copy = copies.emplace_back(input.bytes());
    gpu_.memory().download(copy.data(), input.data, copy.size());
    TensorView view = input;
    view.data = copy.data();
    inputs.push_back(view);
  }
  std::vector<WideTensor> answers(outputs_.size());
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    answers[o].value.resize(static_cast<std::size_t>(outputs_[o]->size()));
  workload_.reference({params_, inputs, {}, answers});
  for (std::size_t o = 0; o < outputs_.size(); ++o) {
    const auto& [value, scale] = answers[o];
    gpu_.memory().upload(values_[o].data(), value.data(), value.size() * sizeof(double));
    if (scale.empty()) {
      gpu_.memory().clear(scales_[o].data(), scales_[o].bytes());
    } else {
      gpu_.memory().upload(scales_[o].data(), scale.data(), scale.size() * sizeof(double));
    }
  }
}

Inspection GpuChecker::inspect(const GpuTensorSet& set) const {
  Inspection answer{.damage = set.inspect(), .checksum = set.output_checksum()};
  for (std::size_t o = 0; o < outputs_.size(); ++o)
    gpu_.data().compare(*outputs_[o], set.outputs()[o], {wide_[o].value, wide_[o].scale}, answer.outcome);
  if (answer.outcome.wrong == 0) return answer;
  for (const TensorView& output : set.outputs()) {
    const auto [constant, not_finite] = gpu_.data().looks_of(output);
    answer.looks.constant = answer.looks.constant || constant;
    answer.looks.not_finite = answer.looks.not_finite || not_finite;
  }
  return answer;
}

}  // namespace aisp::harness

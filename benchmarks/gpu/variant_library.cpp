// SPDX-License-Identifier: Apache-2.0
// The GPU variants and references of the workloads that are linked in, for harnesses in other languages:
// opened once for a size, then queued on their stream over their memory.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "aisp/core/call.h"
#include "aisp/core/registry.h"

namespace {

struct Opened {
  const aisp::Workload* workload = nullptr;
  const aisp::Variant* variant = nullptr;
  aisp::Params params;
  aisp::Problem problem;
  std::shared_ptr<void> plan;
};

/// "tokens=16384 seq=2048"
aisp::Params params_of(const char* text) {
  aisp::Params params;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    params.set(word.substr(0, equals), std::stoll(word.substr(equals + 1)));
  }
  return params;
}

struct Views {
  std::vector<aisp::TensorView> inputs, outputs;
};
/// The memory comes in the order in which the problem declares its tensors.
Views views_of(const Opened& opened, void* const* memory) {
  Views views;
  for (const auto& tensor : opened.problem.tensors) {
    auto& list = tensor.role == aisp::Role::input ? views.inputs : views.outputs;
    list.push_back(
        {static_cast<std::byte*>(*memory++), tensor.dtype, tensor.shape, aisp::element_count(tensor.shape)});
  }
  return views;
}

}  // namespace

/// Null if there is no such variant, or if it cannot run at this size: then the reason is on stderr.
extern "C" void* variant_open(const char* workload, const char* name, const char* size) try {
  auto opened = std::make_unique<Opened>();
  opened->workload = aisp::Registry::instance().find(workload, aisp::DeviceKind::cuda);
  if (opened->workload == nullptr) return nullptr;
  const auto& variants = opened->workload->variants;
  const auto found = std::ranges::find(variants, std::string(name), &aisp::Variant::name);
  if (found == variants.end()) return nullptr;
  opened->variant = &*found;
  opened->params = params_of(size);
  opened->problem = opened->workload->problem(opened->params);
  if (found->unavailable) {
    if (const auto reason = found->unavailable(opened->params)) throw std::runtime_error(*reason);
  }
  if (found->prepare) opened->plan = found->prepare({opened->params, 1, ""});
  return opened.release();
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s %s: %s\n", workload, name, error.what());
  return nullptr;
}

/// Queues one call; 0 if it was queued.
extern "C" int variant_run(void* handle, void* const* memory, void* stream) try {
  const auto& opened = *static_cast<const Opened*>(handle);
  const Views views = views_of(opened, memory);
  const auto& run = std::get<aisp::CallFunction>(opened.variant->run.code);
  run(aisp::Call({.params = &opened.params,
                  .inputs = views.inputs,
                  .outputs = views.outputs,
                  .plan = opened.plan.get(),
                  .stream = stream}));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "running a variant: %s\n", error.what());
  return 1;
}

/// Queues the reference of the first output, in double, and what its tolerance is scaled by. Writes the
/// tolerance: relative, scaled, absolute.
extern "C" int reference_run(void* handle, void* const* memory, double* value, double* scale,
                             double* tolerance, void* stream) try {
  const auto& opened = *static_cast<const Opened*>(handle);
  const Views views = views_of(opened, memory);
  const aisp::DeviceWide wide[] = {{value, scale, views.outputs.front().size}};
  opened.workload->device_reference({opened.params, views.inputs, wide, stream});
  for (const auto& tensor : opened.problem.tensors) {
    if (tensor.role != aisp::Role::output) continue;
    tolerance[0] = tensor.tolerance.relative;
    tolerance[1] = tensor.tolerance.scaled;
    tolerance[2] = tensor.tolerance.absolute;
    break;
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "running a reference: %s\n", error.what());
  return 1;
}

extern "C" void variant_close(void* handle) { delete static_cast<Opened*>(handle); }

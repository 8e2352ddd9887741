// SPDX-License-Identifier: Apache-2.0
// The GPU variants of the workloads over rows (ch09/softmax, ch09/softmax_bf16, ch09/rmsnorm) for harnesses
// in other languages: opened once for a size, then queued on their stream over their memory.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "aisp/core/call.h"
#include "aisp/core/registry.h"

namespace {

struct Opened {
  const aisp::Variant* variant = nullptr;
  aisp::Params params;
  aisp::Problem problem;
  std::shared_ptr<void> plan;
};

const aisp::Variant* find_variant(const char* workload, const char* name) {
  const aisp::Workload* found = aisp::Registry::instance().find(workload, aisp::DeviceKind::cuda);
  if (found == nullptr) return nullptr;
  const auto variant = std::ranges::find(found->variants, std::string(name), &aisp::Variant::name);
  return variant == found->variants.end() ? nullptr : &*variant;
}

}  // namespace

/// Null if there is no such variant, or if it cannot be prepared: then the reason is on stderr.
extern "C" void* rows_open(const char* workload, const char* name, long long rows, long long cols) try {
  auto opened = std::make_unique<Opened>();
  opened->variant = find_variant(workload, name);
  if (opened->variant == nullptr) return nullptr;
  opened->params = {{"values", rows * cols}, {"cols", cols}};
  opened->problem = aisp::Registry::instance().find(workload)->problem(opened->params);
  if (opened->variant->prepare) opened->plan = opened->variant->prepare({opened->params, 1, ""});
  return opened.release();
} catch (const std::exception& error) {
  std::fprintf(stderr, "rows_open: %s\n", error.what());
  return nullptr;
}

/// Queues one call. The memory comes in the order in which the problem declares its tensors; 0 if it was
/// queued.
extern "C" int rows_run(void* handle, void* const* memory, void* stream) try {
  const auto& opened = *static_cast<const Opened*>(handle);
  std::vector<aisp::TensorView> inputs, outputs;
  for (const auto& tensor : opened.problem.tensors) {
    auto& views = tensor.role == aisp::Role::input ? inputs : outputs;
    views.push_back(
        {static_cast<std::byte*>(*memory++), tensor.dtype, tensor.shape, aisp::element_count(tensor.shape)});
  }
  const auto& run = std::get<aisp::CallFunction>(opened.variant->run.code);
  run(aisp::Call({.params = &opened.params,
                  .inputs = inputs,
                  .outputs = outputs,
                  .plan = opened.plan.get(),
                  .stream = stream}));
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "rows_run: %s\n", error.what());
  return 1;
}

extern "C" void rows_close(void* handle) { delete static_cast<Opened*>(handle); }

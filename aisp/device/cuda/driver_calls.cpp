// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/driver_calls.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "aisp/device/cuda/cupti_clock.h"
#include "aisp/device/cuda/driver_functions.h"
#include "aisp/device/gpu/launching_kernels.h"

namespace aisp::cuda {
namespace {

using device::Activity;
using Kind = Activity::Kind;

std::span<const std::byte> code_of(const CUpti_ModuleResourceData& module) {
  return {reinterpret_cast<const std::byte*>(module.pCubin), module.cubinSize};
}

}  // namespace

/// One call that came back without error.
struct DriverCalls::Call {
  const Listened& listened;
  const CUpti_CallbackData& data;

  template <class Parameters>
  const Parameters& parameters() const {
    return *static_cast<const Parameters*>(data.functionParams);
  }
  CUstream stream() const {
    switch (listened.role) {
      case Role::kernel:
        return parameters<cuLaunchKernel_params>().hStream;
      case Role::cooperative_kernel:
        return parameters<cuLaunchCooperativeKernel_params>().hStream;
      case Role::kernel_with_attributes:
        return parameters<cuLaunchKernelEx_params>().config->hStream;
      case Role::graph_launch:
        return parameters<cuGraphLaunch_params>().hStream;
      default:  // host functions and memory operations, of whatever version, name their stream first
        return parameters<cuLaunchHostFunc_params>().hStream;
    }
  }
  bool cooperative() const {
    if (listened.role != Role::kernel_with_attributes) return listened.role == Role::cooperative_kernel;
    const CUlaunchConfig& config = *parameters<cuLaunchKernelEx_params>().config;
    return std::any_of(config.attrs, config.attrs + config.numAttrs, [](const CUlaunchAttribute& attribute) {
      return attribute.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && attribute.value.cooperative != 0;
    });
  }
  double began_ns() const { return static_cast<double>(*data.correlationData); }

  /// From the call's beginning until now.
  Activity activity(Kind kind) const {
    Activity asked;
    asked.kind = kind;
    asked.name = data.functionName != nullptr ? data.functionName : "";
    asked.start_ns = began_ns();
    asked.end_ns = cupti_now_ns();
    asked.call = data.correlationId;
    if (listened.role == Role::host_function)
      asked.address = reinterpret_cast<std::uint64_t>(parameters<cuLaunchHostFunc_params>().fn);
    std::uint32_t number = 0;
    if (CuptiLibrary::instance().GetStreamIdEx(data.context, stream(), listened.per_thread ? 1 : 0,
                                               &number) == CUPTI_SUCCESS)
      asked.stream = number;
    return asked;
  }
};

DriverCalls::Role DriverCalls::role_of(const char* name) {
  static constexpr std::pair<std::string_view, Role> kRoles[] = {
      {"cuLaunchKernelEx", Role::kernel_with_attributes},
      {"cuLaunchKernel", Role::kernel},
      {"cuLaunchCooperativeKernelMultiDevice", Role::none},
      {"cuLaunchCooperativeKernel", Role::cooperative_kernel},
      {"cuLaunchHostFunc", Role::host_function},
      {"cuStreamAddCallback", Role::host_function},
      {"cuStreamWaitValue", Role::memory_operation},
      {"cuStreamWriteValue", Role::memory_operation},
      {"cuStreamBatchMemOp", Role::memory_operation},
      {"cuGraphLaunch", Role::graph_launch},
      {"cuGraphInstantiate", Role::graph_instantiation},
      {"cuGraphExecDestroy", Role::graph_end},
  };
  for (const auto& [beginning, role] : kRoles) {
    if (std::string_view(name).starts_with(beginning)) return role;
  }
  return Role::none;
}

DriverCalls::DriverCalls() {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  cupti.check(cupti.Subscribe(&subscriber_, &called, this), "listening to calls of the driver");
  try {
    listen();
  } catch (...) {
    static_cast<void>(cupti.Unsubscribe(subscriber_));
    throw;
  }
}

DriverCalls::~DriverCalls() { static_cast<void>(CuptiLibrary::instance().Unsubscribe(subscriber_)); }

void DriverCalls::listen() {
  const CuptiLibrary& cupti = CuptiLibrary::instance();
  const char* name = nullptr;
  for (std::uint32_t id = 1; cupti.GetCallbackName(CUPTI_CB_DOMAIN_DRIVER_API, id, &name) == CUPTI_SUCCESS;
       ++id) {
    listened_.resize(id + 1);
    const Role role = name != nullptr ? role_of(name) : Role::none;
    if (role == Role::none) continue;
    listened_[id] = {.role = role, .per_thread = std::string_view(name).ends_with("_ptsz")};
    cupti.check(cupti.EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_DRIVER_API, id), name);
  }
  cupti.check(
      cupti.EnableCallback(1, subscriber_, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED),
      "listening to loads of code");
}

void DriverCalls::keep(bool on) { keeping_ = on; }

CallLog DriverCalls::take() {
  const std::scoped_lock lock(guard_);
  return std::exchange(taken_, {});
}

std::optional<std::set<std::string>> DriverCalls::launching_kernels() {
  const std::scoped_lock lock(guard_);
  return launching_kernels_;
}

void DriverCalls::called(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const void* data) noexcept {
  DriverCalls& calls = *static_cast<DriverCalls*>(self);
  try {
    if (domain == CUPTI_CB_DOMAIN_RESOURCE)
      return calls.on_module(*static_cast<const CUpti_ResourceData*>(data));
    if (domain == CUPTI_CB_DOMAIN_DRIVER_API && id < calls.listened_.size())
      calls.on_call(calls.listened_[id], *static_cast<const CUpti_CallbackData*>(data));
  } catch (...) {  // no memory; an exception must not pass through the driver
    const std::scoped_lock lock(calls.guard_);
    ++calls.taken_.lost;
  }
}

void DriverCalls::on_call(const Listened& listened, const CUpti_CallbackData& data) {
  if (data.callbackSite == CUPTI_API_ENTER) {
    *data.correlationData = static_cast<std::uint64_t>(cupti_now_ns());
    return;
  }
  const auto* result = static_cast<const CUresult*>(data.functionReturnValue);
  if (result == nullptr || *result == CUDA_SUCCESS) on_return({listened, data});
}

void DriverCalls::on_return(const Call& call) {
  if (call.listened.role == Role::graph_instantiation) {
    const auto& made = call.parameters<cuGraphInstantiateWithFlags_params>();
    const unsigned found = host_functions_in(made.hGraph);
    const std::scoped_lock lock(guard_);
    if (found > 0) host_functions_[*made.phGraphExec] = found;
    return;
  }
  if (call.listened.role == Role::graph_end) {
    const std::scoped_lock lock(guard_);
    host_functions_.erase(call.parameters<cuGraphExecDestroy_params>().hGraphExec);
    return;
  }
  // What is captured does not run now; it runs when its graph is launched.
  if (!keeping_ || is_capturing(call.stream())) return;
  switch (call.listened.role) {
    case Role::host_function:
      return keep_one(call.activity(Kind::host_function));
    case Role::memory_operation:
      return keep_one(call.activity(Kind::synchronisation));
    case Role::graph_launch:
      return on_graph_launch(call, call.parameters<cuGraphLaunch_params>().hGraph);
    default: {
      const std::scoped_lock lock(guard_);
      taken_.launches.push_back(
          {.call = call.data.correlationId, .at_ns = call.began_ns(), .cooperative = call.cooperative()});
    }
  }
}

void DriverCalls::on_graph_launch(const Call& call, CUgraphExec graph) {
  keep_one(call.activity(Kind::graph));
  unsigned functions = 0;
  {
    const std::scoped_lock lock(guard_);
    if (const auto found = host_functions_.find(graph); found != host_functions_.end())
      functions = found->second;
  }
  for (unsigned i = 0; i < functions; ++i) {
    Activity function = call.activity(Kind::host_function);
    function.name = "host function in a graph";
    function.in_graph = true;
    keep_one(std::move(function));
  }
}

void DriverCalls::on_module(const CUpti_ResourceData& data) {
  const auto* module = static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
  if (module != nullptr && module->pCubin != nullptr) {
    auto launching = device::launching_kernels(code_of(*module));
    const std::scoped_lock lock(guard_);
    if (!launching)
      launching_kernels_.reset();
    else if (launching_kernels_)
      launching_kernels_->merge(*launching);
  }
  if (!keeping_) return;
  Activity loaded;
  loaded.kind = Kind::compilation;
  loaded.name = "load of a module";
  loaded.start_ns = loaded.end_ns = cupti_now_ns();
  if (module != nullptr) loaded.bytes = module->cubinSize;
  keep_one(std::move(loaded));
}

void DriverCalls::keep_one(Activity activity) {
  const std::scoped_lock lock(guard_);
  taken_.activities.push_back(std::move(activity));
}

}  // namespace aisp::cuda

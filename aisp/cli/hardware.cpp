// SPDX-License-Identifier: Apache-2.0
#include "aisp/cli/hardware.h"

#include <filesystem>

#include "aisp/device/cpu/topology.h"
#include "aisp/device/gpu/gpu.h"
#include "aisp/harness/cell_attempts.h"
#include "aisp/harness/worker_process.h"

namespace aisp::cli {
namespace {

Result<harness::WorkerReply> ask(const std::string& device, const std::string& op) {
  RunConfig config;
  config.device = device;
  Result<harness::WorkerProcess> worker = harness::WorkerProcess::start(
      {.environment = harness::environment_of(config), .limits = harness::limits_of(config)});
  if (!worker) return worker.error();
  harness::WorkerReply kept;
  const harness::Answer answer = worker->ask({.op = op, .cell = {.device = device}}, op,
                                             [&](harness::WorkerReply& reply) { kept = reply; });
  if (answer.error) return *answer.error;
  if (answer.end) {
    return Error{ErrorCode::environment,
                 device + " could not be used: the worker " + answer.end->status + ", " + answer.end->detail,
                 "`nvidia-smi` tells whether the device and its driver work"};
  }
  return kept;
}

/// "cuda", the first, or "cuda:3".
bool names_a_gpu(const std::string& device) {
  const std::string kind(name_of(DeviceKind::cuda));
  if (device == kind) return true;
  const std::string number = device.starts_with(kind + ":") ? device.substr(kind.size() + 1) : "";
  return !number.empty() && number.size() <= 3 && number.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

Status check_device(const std::string& device) {
  if (kind_of(device) == DeviceKind::cpu && device != "cpu") {
    return Error{ErrorCode::usage, "there is no device '" + device + "'",
                 "devices are cpu, and cuda:0, cuda:1 and so on"};
  }
  if (kind_of(device) == DeviceKind::cuda && !names_a_gpu(device)) {
    return Error{ErrorCode::usage, "device '" + device + "' is not of the form cuda:0",
                 "name a GPU by its number, counted from 0: cuda:0, cuda:1 and so on"};
  }
  if (kind_of(device) == DeviceKind::cuda && !device::has_gpu_backend(name_of(DeviceKind::cuda))) {
    return Error{ErrorCode::environment,
                 "device '" + device + "' is not available: this build measures on cpu",
                 "leave --device out, or use a build with the CUDA backend"};
  }
  return Ok{};
}

Result<std::string> hardware_of(const std::string& device) {
  if (kind_of(device) == DeviceKind::cpu) return device::hardware_key();
  const Result<harness::WorkerReply> reply = ask(device, "device");
  if (!reply) return reply.error();
  return reply->message;
}

std::vector<probes::Advice> examine_gpu() {
  using probes::Health;
  if (!device::has_gpu_backend(name_of(DeviceKind::cuda))) return {};
  const Result<harness::WorkerReply> reply = ask("cuda:0", "device");
  if (!reply) return {{"GPU", Health::unknown, reply.error().message, "variants for CUDA cannot run here"}};
  std::vector<probes::Advice> advice{{"GPU", Health::ok, reply->message, ""}};
  const Result<harness::WorkerReply> libraries = ask("cuda:0", "libraries");
  if (!libraries) {
    advice.push_back({"GPU libraries", Health::unknown, libraries.error().message, ""});
    return advice;
  }
  for (probes::Advice& each : advice_on_libraries(libraries->missing)) advice.push_back(std::move(each));
  return advice;
}

std::vector<probes::Advice> advice_on_libraries(std::span<const Fact> missing) {
  using probes::Health;
  if (missing.empty()) return {{"GPU libraries", Health::ok, "all found", ""}};
  std::vector<probes::Advice> advice;
  for (const Fact& library : missing)
    advice.push_back({"GPU library", Health::warn, library.name + ": " + library.value.value_or("not found"),
                      "what needs it stays unknown until it is installed"});
  return advice;
}

std::string why_no_gpu() {
  std::error_code ignored;
  if (std::filesystem::exists("/proc/driver/nvidia/version", ignored)) return "";
  return "no NVIDIA driver is loaded on this machine";
}

std::string busy_machine() {
  for (const probes::Advice& advice : probes::examine()) {
    if (advice.subject == "load" && advice.status == probes::Health::warn) return advice.finding;
  }
  return "";
}

Result<Ceilings> measure_gpu_ceilings(const std::string& device) {
  const Result<harness::WorkerReply> reply = ask(device, "ceilings");
  if (!reply) return reply.error();
  if (!reply->ceilings) return Error{ErrorCode::internal, "a worker measured no ceilings", ""};
  return *reply->ceilings;
}

}  // namespace aisp::cli

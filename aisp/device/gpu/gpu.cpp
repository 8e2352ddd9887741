// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/gpu/gpu.h"

#include <charconv>
#include <map>

namespace aisp::device {
namespace {

struct Backend {
  GpuOpener open = nullptr;
  GpuLibraries libraries = nullptr;
};

std::map<std::string, Backend, std::less<>>& backends() {
  static std::map<std::string, Backend, std::less<>> all;
  return all;
}

}  // namespace

GpuBackend::GpuBackend(std::string_view kind, GpuOpener open, GpuLibraries libraries) noexcept {
  backends().emplace(std::string(kind), Backend{open, libraries});
}

bool has_gpu_backend(std::string_view kind) { return backends().contains(kind); }

std::vector<GpuLibrary> gpu_libraries(std::string_view kind) {
  const auto found = backends().find(kind);
  if (found == backends().end() || found->second.libraries == nullptr) return {};
  return found->second.libraries();
}

Result<std::unique_ptr<Gpu>> open_gpu(std::string_view device, GpuUse use) {
  const std::string_view kind = device.substr(0, device.find(':'));
  int index = 0;
  if (kind.size() < device.size()) {
    const std::string_view digits = device.substr(kind.size() + 1);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (error != std::errc{} || end != digits.data() + digits.size() || index < 0) {
      return Error{ErrorCode::usage, "device '" + std::string(device) + "' is not of the form cuda:0",
                   "name the device by its number, counted from 0"};
    }
  }
  const auto found = backends().find(kind);
  if (found == backends().end()) {
    return Error{ErrorCode::environment,
                 "device '" + std::string(device) + "' is not available: this build has no " +
                     std::string(kind) + " backend",
                 "leave --device out, or use a build with that backend"};
  }
  return found->second.open(index, use);
}

}  // namespace aisp::device

// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, by the few functions that say what a GPU is. It is opened here and not linked:
// most machines do not have it.
#include <array>
#include <map>
#include <memory>
#include <string>

#include <dlfcn.h>

#include "aisp/probes/hardware_facts.h"

// Two records as the library's documentation has them, under its names: a sanitizer compares the types of
// functions that are called through pointers.
struct nvmlMemory_st {
  unsigned long long total, free, used;
};
struct nvmlPciInfo_st {
  char legacy_id[16];
  unsigned domain, bus, device, id, subsystem;
  char bus_id[32];
};

namespace aisp::probes {
namespace {

using Device = void*;
using Code = int;
constexpr Code kFine = 0;
constexpr int kClockCore = 1, kClockMemory = 2;  // of nvmlClockType_t
constexpr unsigned kMostLinks = 18;              // of NVLink, on one GPU

class Library {
 public:
  Library() : handle_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), dlclose_if_open) {
    ready_ = handle_ != nullptr && ask("nvmlInit_v2") == kFine;
  }
  ~Library() {
    if (ready_) ask("nvmlShutdown");
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool ready() const { return ready_; }

  /// The function's answer; not fine where an older driver does not have it.
  template <class... Given>
  Code ask(const char* name, Given... given) const {
    using Function = Code (*)(Given...);
    auto* function = handle_ ? reinterpret_cast<Function>(dlsym(handle_.get(), name)) : nullptr;
    return function != nullptr ? function(given...) : -1;
  }

  /// A number that a GPU has, as text with its unit; "?" where it does not say.
  template <class... Given>
  std::string number(const char* name, const char* unit, Given... given) const {
    unsigned value = 0;
    return ask(name, given..., &value) == kFine ? std::to_string(value) + unit : "?";
  }

 private:
  static void dlclose_if_open(void* handle) {
    if (handle != nullptr) dlclose(handle);
  }
  std::unique_ptr<void, void (*)(void*)> handle_;
  bool ready_ = false;
};

void add_links(const Library& nvml, Device gpu, const std::string& label, std::vector<Fact>& facts) {
  std::map<std::string, int> peers;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    int active = 0;
    if (nvml.ask("nvmlDeviceGetNvLinkState", gpu, link, &active) != kFine || active == 0) continue;
    nvmlPciInfo_st peer{};
    const bool known = nvml.ask("nvmlDeviceGetNvLinkRemotePciInfo_v2", gpu, link, &peer) == kFine;
    peer.bus_id[sizeof peer.bus_id - 1] = '\0';
    ++peers[known ? std::string(peer.bus_id) : "unknown"];
  }
  if (peers.empty()) facts.push_back({label + " NVLink", "none active"});
  for (const auto& [peer, count] : peers)
    facts.push_back({label + " NVLink", std::to_string(count) + " links to " + peer});
}

void add_gpu(const Library& nvml, unsigned index, std::vector<Fact>& facts) {
  const std::string label = "GPU " + std::to_string(index);
  Device gpu = nullptr;
  if (nvml.ask("nvmlDeviceGetHandleByIndex_v2", index, &gpu) != kFine) {
    facts.push_back({label, std::nullopt});
    return;
  }
  std::array<char, 96> name{};
  const bool named =
      nvml.ask("nvmlDeviceGetName", gpu, name.data(), static_cast<unsigned>(name.size())) == kFine;
  name.back() = '\0';
  facts.push_back({label, named ? std::optional<std::string>(name.data()) : std::nullopt});
  nvmlMemory_st memory{};
  if (nvml.ask("nvmlDeviceGetMemoryInfo", gpu, &memory) == kFine)
    facts.push_back({label + " memory", std::to_string(memory.total >> 20) + " MiB, " +
                                            std::to_string(memory.free >> 20) + " MiB free"});
  const auto clock = [&](const char* function, int which) {
    return nvml.number(function, " MHz", gpu, which);
  };
  facts.push_back({label + " clocks", "core " + clock("nvmlDeviceGetClockInfo", kClockCore) + " of " +
                                          clock("nvmlDeviceGetMaxClockInfo", kClockCore) + ", memory " +
                                          clock("nvmlDeviceGetClockInfo", kClockMemory) + " of " +
                                          clock("nvmlDeviceGetMaxClockInfo", kClockMemory)});
  unsigned milliwatts = 0;
  const bool limited = nvml.ask("nvmlDeviceGetEnforcedPowerLimit", gpu, &milliwatts) == kFine;
  facts.push_back({label + " power limit",
                   limited ? std::optional(std::to_string(milliwatts / 1000) + " W") : std::nullopt});
  facts.push_back({label + " PCIe", "generation " +
                                        nvml.number("nvmlDeviceGetCurrPcieLinkGeneration", "", gpu) + " x" +
                                        nvml.number("nvmlDeviceGetCurrPcieLinkWidth", "", gpu) + " of " +
                                        nvml.number("nvmlDeviceGetMaxPcieLinkGeneration", "", gpu) + " x" +
                                        nvml.number("nvmlDeviceGetMaxPcieLinkWidth", "", gpu)});
  add_links(nvml, gpu, label, facts);
}

}  // namespace

std::vector<Fact> gpu_facts() {
  const Library nvml;
  unsigned count = 0;
  if (!nvml.ready() || nvml.ask("nvmlDeviceGetCount_v2", &count) != kFine) return {{"GPUs", std::nullopt}};
  std::vector<Fact> facts;
  std::array<char, 81> driver{};
  if (nvml.ask("nvmlSystemGetDriverVersion", driver.data(), static_cast<unsigned>(driver.size())) == kFine)
    facts.push_back({"GPU driver", std::string(driver.data())});
  for (unsigned index = 0; index < count; ++index) add_gpu(nvml, index, facts);
  if (count == 0) facts.push_back({"GPUs", "none"});
  return facts;
}

std::vector<Fact> lasting_gpu_facts() {
  std::vector<Fact> facts = gpu_facts();
  std::erase_if(facts, [](const Fact& fact) {
    return fact.name != "GPU driver" && !fact.name.ends_with(" power limit");
  });
  return facts;
}

}  // namespace aisp::probes

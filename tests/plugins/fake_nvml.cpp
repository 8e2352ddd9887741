// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVIDIA's management library on a machine with two GPUs of known properties, joined by four
// links, of which the second GPU's driver tells nothing but its name. Declared here as the library's
// documentation has it.
#include <cstdint>
#include <cstring>

namespace {

constexpr int kFine = 0, kNotSupported = 3;
int first = 0, second = 0;  // their addresses are the handles

}  // namespace

extern "C" {

struct nvmlPciInfo_st {
  char legacy_id[16];
  unsigned domain, bus, device, id, subsystem;
  char bus_id[32];
};
struct nvmlMemory_st {
  unsigned long long total, free, used;
};

int nvmlInit_v2() { return kFine; }
int nvmlShutdown() { return kFine; }
int nvmlDeviceGetCount_v2(unsigned* count) { return *count = 2, kFine; }
int nvmlSystemGetDriverVersion(char* text, unsigned size) { return std::strncpy(text, "999.1", size), kFine; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** gpu) {
  return *gpu = index == 0 ? &first : &second, kFine;
}
int nvmlDeviceGetName(void* gpu, char* text, unsigned size) {
  return std::strncpy(text, gpu == &first ? "First GPU" : "Second GPU", size), kFine;
}
int nvmlDeviceGetMemoryInfo(void* gpu, nvmlMemory_st* memory) {
  if (gpu != &first) return kNotSupported;
  *memory = {80ull << 30, 79ull << 30, 1ull << 30};
  return kFine;
}
int nvmlDeviceGetClockInfo(void* gpu, int which, unsigned* mhz) {
  return *mhz = which == 1 ? 345 : 2619, gpu == &first ? kFine : kNotSupported;
}
int nvmlDeviceGetMaxClockInfo(void* gpu, int which, unsigned* mhz) {
  return *mhz = which == 1 ? 1980 : 2619, gpu == &first ? kFine : kNotSupported;
}
int nvmlDeviceGetEnforcedPowerLimit(void* gpu, unsigned* milliwatts) {
  return *milliwatts = 700000, gpu == &first ? kFine : kNotSupported;
}
int nvmlDeviceGetCurrPcieLinkGeneration(void* gpu, unsigned* value) {
  return *value = 4, gpu == &first ? kFine : kNotSupported;
}
int nvmlDeviceGetCurrPcieLinkWidth(void* gpu, unsigned* value) {
  return *value = 8, gpu == &first ? kFine : kNotSupported;
}
int nvmlDeviceGetMaxPcieLinkGeneration(void* gpu, unsigned* value) {
  return *value = 5, gpu == &first ? kFine : kNotSupported;
}
// nvmlDeviceGetMaxPcieLinkWidth is left out: an older driver does not have everything.
int nvmlDeviceGetNvLinkState(void* gpu, unsigned link, int* active) {
  return *active = link < 4 ? 1 : 0, gpu == &first && link < 6 ? kFine : kNotSupported;
}
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void*, unsigned, nvmlPciInfo_st* peer) {
  std::memset(peer, 0, sizeof *peer);
  std::strncpy(peer->bus_id, "00000000:18:00.0", sizeof peer->bus_id - 1);
  return kFine;
}

}  // extern "C"

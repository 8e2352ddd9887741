// SPDX-License-Identifier: Apache-2.0
// Copies from the measured device to every other one. Through the host where two devices cannot see each
// other.
#include <string>

#include "aisp/device/cuda/peak_random.h"
#include "aisp/device/cuda/peak_sections.h"

namespace aisp::cuda {
namespace {

constexpr std::size_t kBytes = std::size_t{256} << 20;

/// Lets the current device reach another one's memory, where it can and did not before.
class PeerAccess {
 public:
  PeerAccess(int here, int peer) : peer_(peer) {
    int possible = 0;
    check(cudaDeviceCanAccessPeer(&possible, here, peer), "asking whether a device sees another");
    direct_ = possible != 0;
    if (!direct_) return;
    const cudaError_t status = cudaDeviceEnablePeerAccess(peer, 0);
    enabled_ = status == cudaSuccess;
    if (status == cudaErrorPeerAccessAlreadyEnabled) {
      static_cast<void>(cudaGetLastError());
    } else {
      check(status, "letting a device see another");
    }
  }
  ~PeerAccess() {
    if (enabled_) static_cast<void>(cudaDeviceDisablePeerAccess(peer_));
  }
  PeerAccess(const PeerAccess&) = delete;
  PeerAccess& operator=(const PeerAccess&) = delete;

  bool direct() const { return direct_; }

 private:
  int peer_;
  bool direct_ = false;
  bool enabled_ = false;
};

DeviceMemory<std::byte> memory_on(int peer, int here) {
  check(cudaSetDevice(peer), "choosing another device");
  try {
    auto memory = device_memory<std::byte>(kBytes);
    check(cudaSetDevice(here), "coming back to the measured device");
    return memory;
  } catch (...) {
    static_cast<void>(cudaSetDevice(here));
    throw;
  }
}

}  // namespace

void measure_peer_copies(PeakBench& bench) {
  int here = 0, count = 0;
  check(cudaGetDevice(&here), "asking for the current device");
  check(cudaGetDeviceCount(&count), "counting devices");
  if (count < 2) return bench.skip("peer_copy: this is the only device");
  const auto from = random_memory(kBytes, 11);
  for (int peer = 0; peer < count; ++peer) {
    if (peer == here) continue;
    const PeerAccess access(here, peer);
    const auto to = memory_on(peer, here);
    const std::string probe =
        std::string("cudaMemcpyPeerAsync of 256 MiB, ") + (access.direct() ? "direct" : "through the host");
    bench.settle({.name = "peer_copy", .level = "device " + std::to_string(peer), .unit = "B/s"},
                 {{probe, kBytes, bench.on_device([&](cudaStream_t stream) {
                     check(cudaMemcpyPeerAsync(to.get(), peer, from.get(), here, kBytes, stream),
                           "copying to another device");
                   })}});
  }
}

}  // namespace aisp::cuda

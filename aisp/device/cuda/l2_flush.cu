// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/l2_flush.h"

namespace aisp::cuda {
namespace {

constexpr std::size_t kCaches = 4;
constexpr unsigned kThreads = 512;
constexpr unsigned kBlocks = 1056;

__global__ void read_all(const uint4* lines, std::size_t count, std::uint32_t* sum) {
  std::uint32_t seen = 0;
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
    const uint4 line = lines[i];
    seen += line.x ^ line.y ^ line.z ^ line.w;
  }
  // The lines hold zeros, which the compiler cannot know: nothing is written, so nothing is left dirty.
  if (seen != 0) *sum = seen;
}

}  // namespace

L2Flush::L2Flush() {
  int device = 0, bytes = 0;
  check(cudaGetDevice(&device), "asking for the current device");
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device), "asking for the size of the cache");
  cache_bytes_ = static_cast<std::size_t>(bytes);
  lines_ = device_memory<std::uint32_t>(kCaches * cache_bytes_ / sizeof(std::uint32_t));
  sum_ = device_memory<std::uint32_t>(1);
}

void L2Flush::run(cudaStream_t stream) {
  take_back(stream);
  turn_out(stream);
}

void L2Flush::turn_out(cudaStream_t stream) {
  run_dirty(stream, 2);
  read_all<<<kBlocks, kThreads, 0, stream>>>(reinterpret_cast<const uint4*>(lines_.get()),
                                             kCaches * cache_bytes_ / sizeof(uint4), sum_.get());
  check_launch("reading the cache clean");
}

void L2Flush::run_dirty(cudaStream_t stream, double caches) {
  const auto bytes = static_cast<std::size_t>(caches * static_cast<double>(cache_bytes_));
  check(cudaMemsetAsync(lines_.get(), 0, bytes, stream), "writing over the cache");
}

bool L2Flush::persists(cudaStream_t stream) {
  std::size_t part = 0;
  check(cudaDeviceGetLimit(&part, cudaLimitPersistingL2CacheSize), "asking what of the cache may persist");
  cudaStreamAttrValue window{};
  check(cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &window),
        "asking for the stream's window");
  return part > 0 || window.accessPolicyWindow.num_bytes > 0;
}

void L2Flush::take_back(cudaStream_t stream) {
  const cudaStreamAttrValue none{};  // a window of no bytes
  check(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &none),
        "taking back the stream's window");
  check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0),
        "taking back the persisting part of the cache");
  check(cudaCtxResetPersistingL2Cache(), "letting go of lines that persist in the cache");
}

}  // namespace aisp::cuda

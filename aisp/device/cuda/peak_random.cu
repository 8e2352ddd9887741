// SPDX-License-Identifier: Apache-2.0
#include "aisp/device/cuda/peak_random.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace aisp::cuda {
namespace {

constexpr unsigned kBlocks = 1024;
constexpr unsigned kThreads = 256;

/// Two rounds of multiplying and folding: enough that neighbours have nothing in common.
__device__ std::uint32_t scramble(std::uint64_t index, std::uint32_t seed) {
  std::uint64_t x = (index + 1) * 0x9e3779b97f4a7c15ull + seed;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return static_cast<std::uint32_t>(x >> 32);
}

template <class T>
__device__ T element(std::uint32_t random) {
  return static_cast<T>(static_cast<float>(random) * 0x1p-31f - 1.0f);
}
template <>
__device__ std::uint32_t element(std::uint32_t random) {
  return random;
}
template <>
__device__ std::int8_t element(std::uint32_t random) {
  return static_cast<std::int8_t>(random >> 24);
}

template <class T>
__global__ void fill(T* data, std::size_t count, std::uint32_t seed) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
    data[i] = element<T>(scramble(i, seed));
}

template <class T>
DeviceMemory<std::byte> filled(std::size_t count, std::uint32_t seed) {
  auto memory = device_memory<std::byte>(count * sizeof(T));
  fill<<<kBlocks, kThreads>>>(reinterpret_cast<T*>(memory.get()), count, seed);
  check_launch("filling device memory with random data");
  check(cudaDeviceSynchronize(), "filling device memory with random data");
  return memory;
}

}  // namespace

DeviceMemory<std::byte> random_memory(std::size_t bytes, std::uint32_t seed) {
  return filled<std::uint32_t>(bytes / sizeof(std::uint32_t), seed);
}

DeviceMemory<std::byte> random_matrix(MathType type, std::size_t count, std::uint32_t seed) {
  switch (type) {
    case MathType::f64:
      return filled<double>(count, seed);
    case MathType::f32:
    case MathType::tf32:
      return filled<float>(count, seed);
    case MathType::f16:
      return filled<__half>(count, seed);
    case MathType::bf16:
      return filled<__nv_bfloat16>(count, seed);
    case MathType::f8e4m3:
      return filled<__nv_fp8_e4m3>(count, seed);
    case MathType::i8:
      return filled<std::int8_t>(count, seed);
  }
  throw std::runtime_error("filling a matrix of no known type");
}

}  // namespace aisp::cuda
